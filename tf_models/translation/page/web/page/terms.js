// The words of the field in plain ones: at the place, and in a list.

/** What a kind of attention does. */
export function kindText(kind, { source, target }) {
  return {
    encoder: `Encoder: the words of the ${source} sentence look at each other while it is read.`,
    decoder: `Decoder: each ${target} word looks at those written before it. What comes later is masked.`,
    cross: `Cross-attention: while a ${target} word is written, the heads look at the ${source} sentence.`,
  }[kind];
}

/** What layers and heads are. */
export function headText({ layers, heads }) {
  const rounds = layers > 1 ? `${layers} layers, one after the other` : "one layer";
  return heads > 1
    ? `The model has ${rounds}; in each, ${heads} heads look at the words, each in its own way.`
    : `The model has ${rounds}, with one head.`;
}

/** [term, explanation] of the words that the page uses. */
export function glossary({ source, target }) {
  return [
    [
      "token",
      "a word, or a piece of a rare word: what the model reads and writes. “_” opens a word.",
    ],
    [
      "attention",
      "shares, 100 % in all, by which a word takes something over from other words: where it “looks”.",
    ],
    ["head", "one such look. The heads of a layer work side by side, each with shares of its own."],
    ["layer", "a round: attention, then a small network for each word. Layers follow each other."],
    ["encoder", `the half that reads the ${source} sentence.`],
    ["decoder", `the half that writes the ${target} sentence, piece by piece.`],
    ["cross-attention", `attention of the decoder to the ${source} sentence that was read.`],
    ["query", "what a word looks for: a list of numbers."],
    [
      "key",
      "what a word offers to those who look. Query times key, summed, says how well they fit.",
    ],
    ["value", "what is taken over from a word, times its share."],
    [
      "logit",
      "the score of a token that could come next; softmax makes probabilities of all scores.",
    ],
    ["log P", "the logarithm of a probability: 0 is certain, −0.7 one half, −4.6 one percent."],
    ["beam", "several unfinished translations that are kept side by side; the likeliest wins."],
  ];
}
