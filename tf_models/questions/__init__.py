"""Question answering over stories: training, answers, scores, figures."""
