"""The Transformer of the tutorial once more, in NumPy and one loop at a time: the reference.

It is written from the paper's equations, one sentence and one head at a time, without a mask that
is added, without a batch: positions that must not be seen are simply not there.
"""

import numpy as np


class Reference:
    """Runs on the weights of a built `Transformer`, taken out by the tutorial's names."""

    def __init__(self, model):
        self.model = model

    def logits(self, inp, tar):
        """(tar_len, vocabulary) of one sentence pair, lists of ids without padding."""
        memory = self.embed(self.model.encoder, inp)
        self.weights = {}
        for i, layer in enumerate(self.model.encoder.enc_layers, start=1):
            memory = self.encoder_layer(layer, memory, f"encoder_layer{i}")
        x = self.embed(self.model.decoder, tar)
        for i, layer in enumerate(self.model.decoder.dec_layers, start=1):
            x = self.decoder_layer(layer, x, memory, f"decoder_layer{i}")
        return dense(self.model.final_layer, x)

    def embed(self, stack, ids):
        table = stack.embedding.embeddings.numpy()
        d_model = table.shape[1]
        rows = []
        for position, i in enumerate(ids):
            row = table[i] * np.sqrt(d_model)
            for pair in range(d_model // 2):
                angle = position / 10000 ** (2 * pair / d_model)
                row[2 * pair] += np.sin(angle)
                row[2 * pair + 1] += np.cos(angle)
            rows.append(row)
        return np.array(rows)

    def encoder_layer(self, layer, x, name):
        attended = self.multi_head(name, layer.mha, x, x, causal=False)
        x = layer_norm(layer.layernorm1, x + attended)
        return layer_norm(layer.layernorm2, x + feed_forward(layer.ffn, x))

    def decoder_layer(self, layer, x, memory, name):
        attended = self.multi_head(f"{name}_block1", layer.mha1, x, x, causal=True)
        x = layer_norm(layer.layernorm1, x + attended)
        attended = self.multi_head(f"{name}_block2", layer.mha2, memory, x, causal=False)
        x = layer_norm(layer.layernorm2, x + attended)
        return layer_norm(layer.layernorm3, x + feed_forward(layer.ffn, x))

    def multi_head(self, name, mha, memory, x, causal):
        """Keep weights (heads, queries, keys)."""
        output, self.weights[name], carried = multi_head(mha, memory, x, causal)
        moved = np.einsum("hqk,hkd->qd", self.weights[name], carried)  # of all heads and keys
        np.testing.assert_allclose(output, moved + mha.dense.bias.numpy(), atol=1e-9)
        return output


def dense(layer, x):
    return x @ layer.kernel.numpy().astype(np.float64) + layer.bias.numpy()


def layer_norm(layer, x):
    mean, variance = x.mean(axis=-1, keepdims=True), x.var(axis=-1, keepdims=True)
    return (x - mean) / np.sqrt(variance + 1e-6) * layer.gamma.numpy() + layer.beta.numpy()


def feed_forward(ffn, x):
    first, second = ffn.layers
    return dense(second, np.maximum(dense(first, x), 0))


def multi_head(mha, memory, x, causal):
    q, k, v = dense(mha.wq, x), dense(mha.wk, memory), dense(mha.wv, memory)
    heads, weights, carried = [], [], []
    for head in range(mha.num_heads):
        columns = slice(head * mha.depth, (head + 1) * mha.depth)
        output, attention = one_head(q[:, columns], k[:, columns], v[:, columns], causal)
        heads.append(output)
        weights.append(attention)
        carried.append(v[:, columns] @ mha.dense.kernel.numpy()[columns])  # (keys, d_model)
    output = dense(mha.dense, np.concatenate(heads, axis=-1))
    return output, np.array(weights), np.array(carried)


def one_head(q, k, v, causal):
    output, weights = np.zeros_like(q), np.zeros((len(q), len(k)))
    for i, query in enumerate(q):
        seen = i + 1 if causal else len(k)
        scores = np.exp(k[:seen] @ query / np.sqrt(len(query)))
        weights[i, :seen] = scores / scores.sum()
        output[i] = weights[i, :seen] @ v[:seen]
    return output, weights
