"""The recurrent translator in PyTorch, as fast as its layers allow.

It computes what `tf_models.recurrent.translator.RecurrentTranslator` computes with GRUs: the same
weights give the same loss. What does not depend on the state is computed for all words at once.
"""

import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from research.benchmarks.pytorch_transformer import CrossEntropy
from tf_models.ids import PADDING_ID
from tf_models.tasks.translation.settings import TranslatorSettings

BLOCKED = -1e9


class BahdanauAttention(nn.Module):
    """V tanh(W1 s + W2 h), a softmax, and the weighted sum of h."""

    def __init__(self, units: int, state_units: int, features: int):
        super().__init__()
        self.W1 = nn.Linear(state_units, units)
        self.W2 = nn.Linear(features, units)
        self.V = nn.Linear(units, 1)

    def forward(self, state, keys, values, blocked) -> torch.Tensor:
        """State (batch, state_units), keys (batch, inp_len, units), values (batch, inp_len,
        features), blocked (batch, inp_len) -> context (batch, features)."""
        scores = self.V(torch.tanh(self.W1(state)[:, None] + keys)).squeeze(-1) + blocked
        return torch.bmm(scores.softmax(-1)[:, None], values).squeeze(1)


class PyTorchRecurrentTranslator(nn.Module):
    """Bidirectional GRU, attention or one vector, a GRU that writes, a tied softmax.

    Args:
        The names are those of `tf_models.recurrent.translator.RecurrentTranslator`.
    """

    def __init__(
        self,
        input_vocab_size: int,
        target_vocab_size: int,
        embedding_dim: int,
        units: int,
        attends: bool,
        rate: float,
        tie_embeddings: bool,
    ):
        super().__init__()
        features = 2 * units
        self.source = nn.Embedding(input_vocab_size, embedding_dim)
        self.target = (
            self.source if tie_embeddings else nn.Embedding(target_vocab_size, embedding_dim)
        )
        self.encoder_rnn = nn.GRU(embedding_dim, units, batch_first=True, bidirectional=True)
        self.attention = BahdanauAttention(units, units, features) if attends else None
        self.decoder_cell = nn.GRUCell(embedding_dim + features, units)
        self.bridge = nn.Linear(features, units)
        self.output_layer = nn.Linear(units + features + embedding_dim, embedding_dim)
        self.output_bias = nn.Parameter(torch.zeros(target_vocab_size))
        self.dropout = nn.Dropout(rate)
        for table in (self.source, self.target):
            nn.init.uniform_(table.weight, -0.05, 0.05)

    @staticmethod
    def _scaled(table: nn.Embedding, ids: torch.Tensor) -> torch.Tensor:
        return table(ids) * table.embedding_dim**0.5

    def encode(self, inp: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Annotations (batch, inp_len, 2 units) and final states (batch, 2 units)."""
        lengths = (inp != PADDING_ID).sum(1)
        x = self.dropout(self._scaled(self.source, inp))
        packed = pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)
        annotations, (forward, backward) = self.encoder_rnn(packed)
        annotations, _ = pad_packed_sequence(annotations, True, total_length=inp.shape[1])
        return self.dropout(annotations), torch.cat([forward, backward], dim=-1)

    def forward(self, inp: torch.Tensor, tar_inp: torch.Tensor) -> torch.Tensor:
        """Ids (batch, len) each -> what the softmax reads, (batch, tar_len, embedding_dim)."""
        annotations, summary = self.encode(inp)
        keys = self.attention.W2(annotations) if self.attention else None
        blocked = BLOCKED * (inp == PADDING_ID)
        x = self.dropout(self._scaled(self.target, tar_inp))  # (batch, tar_len, embedding_dim)
        of_word, of_context = self.decoder_cell.weight_ih.split(
            [x.shape[-1], summary.shape[-1]], dim=1
        )
        inputs = nn.functional.linear(
            x, of_word, self.decoder_cell.bias_ih
        )  # (batch, tar_len, 3 units)
        state, states, contexts = torch.tanh(self.bridge(summary)), [], []
        for of_one in inputs.unbind(1):
            context = (
                self.attention(state, keys, annotations, blocked) if keys is not None else summary
            )
            gates = of_one + nn.functional.linear(context, of_context)
            state = self._next(gates, state)
            states.append(state)
            contexts.append(context)
        parts = [torch.stack(states, 1), torch.stack(contexts, 1), x]
        return self.dropout(torch.tanh(self.output_layer(torch.cat(parts, dim=-1))))

    def _next(self, gates: torch.Tensor, state: torch.Tensor) -> torch.Tensor:
        """The GRU's equations, since a part of its input was computed before."""
        hidden = nn.functional.linear(state, self.decoder_cell.weight_hh, self.decoder_cell.bias_hh)
        reset, update, new = gates.chunk(3, dim=-1)
        hidden_reset, hidden_update, hidden_new = hidden.chunk(3, dim=-1)
        reset = torch.sigmoid(reset + hidden_reset)
        update = torch.sigmoid(update + hidden_update)
        new = torch.tanh(new + reset * hidden_new)
        return new + update * (state - new)

    def loss(self, inp: torch.Tensor, tar: torch.Tensor) -> torch.Tensor:
        """Cross-entropy in nats, summed over the real target tokens (a scalar).

        Args:
            inp, tar: ids from start to end token, (batch, len) each.
        """
        real = tar[:, 1:] != PADDING_ID  # (batch, tar_len)
        tokens = self(inp, tar[:, :-1])[real]  # (tokens, embedding_dim)
        logits = nn.functional.linear(tokens, self.target.weight, self.output_bias)
        return CrossEntropy.apply(logits, tar[:, 1:][real])


def make_model(
    settings: TranslatorSettings, input_vocab_size: int, target_vocab_size: int
) -> PyTorchRecurrentTranslator:
    """The untrained model of these settings."""
    model = settings.model
    return PyTorchRecurrentTranslator(
        input_vocab_size,
        target_vocab_size,
        model.d_model,
        model.units,
        settings.architecture == "rnn-attention",
        model.dropout,
        model.tie_embeddings,
    )
