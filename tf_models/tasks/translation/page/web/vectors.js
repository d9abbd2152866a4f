// The few operations on vectors (Float32Array) that a Transformer needs.

/** x W + b: x (inputs), kernel (inputs, units) row after row, bias (units). */
export function dense(x, { kernel, bias }) {
  const units = bias.length;
  const sums = new Float64Array(bias);
  const inputs = []; // without zeros, which are half of what a ReLU lets through
  for (let i = 0; i < x.length; i++) if (x[i] !== 0) inputs.push(i);
  const whole = inputs.length - (inputs.length % 4);
  for (let n = 0; n < whole; n += 4) {
    const [i, j, k, l] = [inputs[n], inputs[n + 1], inputs[n + 2], inputs[n + 3]];
    addRows(sums, kernel, x[i], i * units, x[j], j * units, x[k], k * units, x[l], l * units);
  }
  for (let n = whole; n < inputs.length; n++) {
    const [factor, row] = [x[inputs[n]], inputs[n] * units];
    for (let unit = 0; unit < units; unit++) sums[unit] += factor * kernel[row + unit];
  }
  return new Float32Array(sums);
}

/** Add four rows of a kernel, each times its factor: at once, they are read and added twice as fast. */
function addRows(sums, kernel, a, rowA, b, rowB, c, rowC, d, rowD) {
  for (let unit = 0; unit < sums.length; unit++) {
    sums[unit] +=
      a * kernel[rowA + unit] +
      b * kernel[rowB + unit] +
      (c * kernel[rowC + unit] + d * kernel[rowD + unit]);
  }
}

/** E x + b: table (rows, inputs) row after row, bias (rows). */
export function denseTransposed(x, { table, bias }) {
  const inputs = x.length;
  const whole = inputs - (inputs % 4);
  const sums = new Float32Array(bias.length);
  for (let row = 0, start = 0; row < sums.length; row++, start += inputs) {
    let a = bias[row]; // four sums that need not wait for each other
    let b = 0;
    let c = 0;
    let d = 0;
    for (let i = 0, at = start; i < whole; i += 4, at += 4) {
      a += x[i] * table[at];
      b += x[i + 1] * table[at + 1];
      c += x[i + 2] * table[at + 2];
      d += x[i + 3] * table[at + 3];
    }
    for (let i = whole; i < inputs; i++) a += x[i] * table[start + i];
    sums[row] = a + b + (c + d);
  }
  return sums;
}

export function add(x, y) {
  return x.map((value, i) => value + y[i]);
}

export function relu(x) {
  return x.map((value) => Math.max(value, 0));
}

/** Dot product of `length` numbers of x and y, from `start` on. */
export function dot(x, y, start = 0, length = x.length) {
  let sum = 0;
  for (let i = start; i < start + length; i++) sum += x[i] * y[i];
  return sum;
}

export function softmax(scores) {
  const largest = maximum(scores);
  const powers = new Float64Array(scores.length);
  let sum = 0;
  for (let i = 0; i < scores.length; i++) sum += powers[i] = Math.exp(scores[i] - largest);
  return new Float32Array(powers.map((power) => power / sum));
}

/** Logarithm of the softmax: what each logit has to lose to be a log-probability, in nats. */
export function logSumExp(logits) {
  const largest = maximum(logits);
  let sum = 0;
  for (let i = 0; i < logits.length; i++) sum += Math.exp(logits[i] - largest);
  return largest + Math.log(sum);
}

/** Layer normalisation over a vector (Ba et al. 2016). */
export function layerNorm(x, { gamma, beta }) {
  const mean = x.reduce((a, b) => a + b, 0) / x.length;
  const variance = x.reduce((sum, value) => sum + (value - mean) ** 2, 0) / x.length;
  const scale = 1 / Math.sqrt(variance + 1e-6);
  return x.map((value, i) => (value - mean) * scale * gamma[i] + beta[i]);
}

function maximum(values) {
  let largest = -Infinity;
  for (let i = 0; i < values.length; i++) if (values[i] > largest) largest = values[i];
  return largest;
}

/** Indices of the `count` largest values, the largest first; of equals the first one. */
export function topK(values, count) {
  const best = [];
  for (let i = 0; i < values.length; i++) {
    if (best.length === count && values[i] <= values[best[count - 1]]) continue;
    let place = best.length;
    while (place > 0 && values[best[place - 1]] < values[i]) place--;
    best.splice(place, 0, i);
    if (best.length > count) best.pop();
  }
  return best;
}
