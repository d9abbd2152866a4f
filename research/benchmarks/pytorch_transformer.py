"""The same Transformer and the same train step in PyTorch, as fast as its layers allow.

It computes what `tf_models.transformer` computes: the same weights give the same loss.
"""

import contextlib
import ctypes
import math
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import torch
from torch import nn

from tf_models.ids import PADDING_ID
from tf_models.translation.settings import TranslatorSettings

M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3  # of malloc.h
SMALLEST_NORMAL = 1.2e-38  # in float32


class Embedding(nn.Module):
    """Embeddings times sqrt(d_model), plus sinusoidal positions, and dropout.

    Call it with ids (batch, len); it returns (batch, len, d_model).
    """

    def __init__(self, vocabulary_size: int, d_model: int, positions: int, rate: float):
        super().__init__()
        self.table = nn.Embedding(vocabulary_size, d_model)
        self.scale = math.sqrt(d_model)
        self.dropout = nn.Dropout(rate)
        self.register_buffer("pos_encoding", _positional_encoding(positions, d_model))

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        return self.dropout(self.table(ids) * self.scale + self.pos_encoding[: ids.shape[1]])


def _positional_encoding(positions: int, d_model: int) -> torch.Tensor:
    exponents = torch.arange(0, d_model, 2) / d_model
    angles = torch.arange(positions)[:, None] / 10000**exponents  # (positions, d_model / 2)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)  # (positions, d_model)


class PyTorchTransformer(nn.Module):
    """The tutorial's Transformer from PyTorch's layers: post-norm, ReLU, no final normalisation.

    Dropout is where the tutorial has it. PyTorch's layers also drop attention weights and
    activations within the feed-forward network; both are off. With the former, PyTorch could not
    use its fast attention.

    Args:
        The names are those of `tf_models.transformer.model.Transformer`; `positions` is its
        pe_input and pe_target.
    """

    def __init__(
        self,
        num_layers: int,
        d_model: int,
        num_heads: int,
        dff: int,
        input_vocab_size: int,
        target_vocab_size: int,
        positions: int,
        rate: float = 0.1,
    ):
        super().__init__()
        arguments = {"layer_norm_eps": 1e-6, "batch_first": True, "norm_first": False}
        sizes = (d_model, num_heads, dff, rate)
        encoder_layer = nn.TransformerEncoderLayer(*sizes, **arguments)
        decoder_layer = nn.TransformerDecoderLayer(*sizes, **arguments)
        self.source = Embedding(input_vocab_size, d_model, positions, rate)
        self.target = Embedding(target_vocab_size, d_model, positions, rate)
        self.encoder = nn.TransformerEncoder(encoder_layer, num_layers, enable_nested_tensor=False)
        self.decoder = nn.TransformerDecoder(decoder_layer, num_layers)
        self.final_layer = nn.Linear(d_model, target_vocab_size)
        for layer in (*self.encoder.layers, *self.decoder.layers):
            _turn_off_inner_dropout(layer)
        for weight in self.parameters():
            if weight.dim() > 1:
                nn.init.xavier_uniform_(weight)

    def forward(self, inp: torch.Tensor, tar_inp: torch.Tensor) -> torch.Tensor:
        """Run encoder and decoder: ids (batch, len) each -> (batch, tar_len, d_model)."""
        padding = inp == PADDING_ID  # (batch, inp_len)
        memory = self.encoder(self.source(inp), src_key_padding_mask=padding)
        # The target's padding is at the end, where the look-ahead mask hides it from every real
        # token. So it needs no mask of its own, and attention that is only causal is fast.
        length = tar_inp.shape[1]
        look_ahead = torch.ones((length, length), dtype=torch.bool, device=inp.device).triu(1)
        return self.decoder(
            self.target(tar_inp),
            memory,
            tgt_mask=look_ahead,
            tgt_is_causal=True,
            memory_key_padding_mask=padding,
        )

    def loss(self, inp: torch.Tensor, tar: torch.Tensor) -> torch.Tensor:
        """Cross-entropy in nats, summed over the real target tokens (a scalar).

        Args:
            inp, tar: ids from start to end token, (batch, len) each.
        """
        real = tar[:, 1:] != PADDING_ID  # (batch, tar_len)
        tokens = self(inp, tar[:, :-1])[real]  # (tokens, d_model): padding gets no logits
        return CrossEntropy.apply(self.final_layer(tokens), tar[:, 1:][real])


class CrossEntropy(torch.autograd.Function):
    """Cross-entropy, summed, with fewer passes over the logits than PyTorch's own.

    The backward pass turns the probabilities into gradients in place. Both have the logits' type,
    which is bfloat16 under autocast, as in this project's training.
    """

    @staticmethod
    def forward(ctx: Any, logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
        """Take logits (tokens, vocabulary) and ids (tokens,); return a scalar."""
        probabilities = logits.softmax(dim=-1, dtype=logits.dtype)
        labels = labels[:, None]  # (tokens, 1)
        ctx.save_for_backward(probabilities, labels)
        return -probabilities.gather(1, labels).float().clamp_min(SMALLEST_NORMAL).log().sum()

    @staticmethod
    def backward(ctx: Any, upstream: torch.Tensor) -> tuple[torch.Tensor, None]:
        """Return the probabilities less 1 at the label (tokens, vocabulary); labels have none."""
        gradient, labels = ctx.saved_tensors
        gradient.scatter_add_(1, labels, torch.full_like(labels, -1.0, dtype=gradient.dtype))
        return gradient.mul_(upstream), None


def _turn_off_inner_dropout(layer: nn.TransformerEncoderLayer | nn.TransformerDecoderLayer) -> None:
    layer.dropout = nn.Identity()  # between the two products of the feed-forward network
    layer.self_attn.dropout = 0.0
    if hasattr(layer, "multihead_attn"):
        layer.multihead_attn.dropout = 0.0


def set_up_process() -> None:
    """Make this process as fast as it can be for short sentences on a CPU: attention and memory.

    Attention as plain matrix products is faster than PyTorch's fused kernel, by half in bfloat16.

    By default glibc returns every large block that is freed to the system, which must then provide
    it again page by page; this costs a tenth of a step and more. jemalloc and tcmalloc, which
    PyTorch's tuning guide recommends, keep such blocks. So does this, and needs no installation.
    """
    torch.backends.cuda.enable_flash_sdp(False)  # of all devices, in spite of its name
    torch.backends.cuda.enable_mem_efficient_sdp(False)
    with contextlib.suppress(OSError, AttributeError):  # a system without glibc
        mallopt = ctypes.CDLL(None).mallopt
        mallopt(M_MMAP_THRESHOLD, 1 << 30)
        mallopt(M_TRIM_THRESHOLD, (1 << 31) - 1)


def make_model(
    settings: TranslatorSettings, input_vocab_size: int, target_vocab_size: int
) -> PyTorchTransformer:
    """The untrained model of these settings."""
    model = settings.model
    sizes = model.num_layers, model.d_model, model.num_heads, model.dff
    vocabularies = input_vocab_size, target_vocab_size
    return PyTorchTransformer(*sizes, *vocabularies, model.positions, model.dropout)


class TrainStep:
    """One train step with fused Adam(0.9, 0.98, 1e-9) and the tutorial's learning rate.

    Small operations do not spread well over cores, whole shards of a batch do. So the gradients of
    each shard are computed in a thread of its own.

    Call it with ids from start to end token, (batch, len) int64 each; it returns the mean loss of
    the real target tokens in nats (a scalar).

    Args:
        model: in training mode.
        settings: d_model and warmup_steps, for the learning rate.
        bfloat16: whether autocast computes matrix products in bfloat16.
        shards: of a batch.
        shard_threads: threads that each shard may use within operations.
    """

    def __init__(
        self,
        model: PyTorchTransformer,
        settings: TranslatorSettings,
        *,
        bfloat16: bool,
        shards: int = 1,
        shard_threads: int = 1,
    ):
        self._model, self._bfloat16, self._shards = model, bfloat16, shards
        self._weights = list(model.parameters())
        self._optimizer = torch.optim.Adam(
            self._weights, lr=1.0, betas=(0.9, 0.98), eps=1e-9, fused=True
        )
        sizes = settings.model.d_model, settings.optimizer.warmup_steps
        self._schedule = torch.optim.lr_scheduler.LambdaLR(
            self._optimizer, lambda step: _learning_rate(step, *sizes)
        )
        self._threads = ThreadPoolExecutor(
            shards, initializer=torch.set_num_threads, initargs=(shard_threads,)
        )

    def __call__(self, inp: torch.Tensor, tar: torch.Tensor) -> torch.Tensor:
        found = self._threads.map(self._gradients, *zip(*self._parts(inp, tar), strict=True))
        losses, gradients = zip(*found, strict=True)
        for weight, first, *others in zip(self._weights, *gradients, strict=True):
            weight.grad = sum(others, first)
        self._optimizer.step()
        self._schedule.step()
        return sum(losses)

    def compile(self, inp: torch.Tensor, tar: torch.Tensor) -> None:
        """Compile what a batch needs, shard by shard: two threads that compile can block each
        other for ever.
        """
        for part in self._parts(inp, tar):
            self._threads.submit(self._gradients, *part).result()

    def _parts(self, inp: torch.Tensor, tar: torch.Tensor) -> list[tuple]:
        """For each shard its ids, and how many real target tokens the whole batch has."""
        tokens = torch.count_nonzero(tar[:, 1:] != PADDING_ID)
        return [
            (inp[i :: self._shards], tar[i :: self._shards], tokens) for i in range(self._shards)
        ]

    def _gradients(
        self, inp: torch.Tensor, tar: torch.Tensor, tokens: torch.Tensor
    ) -> tuple[torch.Tensor, tuple[torch.Tensor, ...]]:
        """A shard's part of the loss, and its gradients; `tokens` is the whole batch's number."""
        with torch.autocast(inp.device.type, dtype=torch.bfloat16, enabled=self._bfloat16):
            loss = self._model.loss(inp, tar) / tokens
        return loss.detach(), torch.autograd.grad(loss, self._weights)


def _learning_rate(step: int, d_model: int, warmup_steps: int) -> float:
    """`CustomSchedule` as Keras calls it: `step` counts the steps that are done, 0 at first."""
    return d_model**-0.5 * min(max(step, 1) ** -0.5, step * warmup_steps**-1.5)
