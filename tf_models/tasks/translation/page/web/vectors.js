// The few operations on vectors (Float32Array) that a Transformer needs.

/** X W + b: rows (inputs) of X, kernel (inputs, units) row after row, bias (units); rows (units). */
export function dense(rows, weights) {
  const products = [];
  for (let i = 0; i + 1 < rows.length; i += 2) {
    products.push(...denseOfTwo(rows[i], rows[i + 1], weights));
  }
  if (rows.length % 2) products.push(denseOfOne(rows.at(-1), weights));
  return products;
}

/** Two rows and four units at once: each number of the kernel is read once for both rows. */
function denseOfTwo(x, y, { kernel, bias }) {
  const inputs = x.length;
  const units = bias.length;
  const sums = [new Float32Array(units), new Float32Array(units)];
  for (let unit = 0; unit < units; unit += 4) {
    let [a, b, c, d, e, f, g, h] = [0, 0, 0, 0, 0, 0, 0, 0];
    for (let i = 0, at = unit; i < inputs; i++, at += units) {
      const p = x[i];
      const q = y[i];
      const k = kernel[at];
      const l = kernel[at + 1];
      const m = kernel[at + 2];
      const n = kernel[at + 3];
      a += p * k;
      b += p * l;
      c += p * m;
      d += p * n;
      e += q * k;
      f += q * l;
      g += q * m;
      h += q * n;
    }
    write(sums[0], unit, bias, a, b, c, d);
    write(sums[1], unit, bias, e, f, g, h);
  }
  return sums;
}

/** Four sums with their bias; an array of numbers drops what is behind its end. */
function write(sums, at, bias, a, b, c, d) {
  sums[at] = a + bias[at];
  sums[at + 1] = b + bias[at + 1];
  sums[at + 2] = c + bias[at + 2];
  sums[at + 3] = d + bias[at + 3];
}

function denseOfOne(x, { kernel, bias }) {
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

/** E x + b: table (rows, inputs) row after row, bias (rows). Four rows at once. */
export function denseTransposed(x, { table, bias }) {
  const inputs = x.length;
  const sums = new Float32Array(bias.length);
  for (let row = 0; row < sums.length; row += 4) {
    const first = row * inputs;
    const [second, third, fourth] = [first + inputs, first + 2 * inputs, first + 3 * inputs];
    let [a, b, c, d] = [0, 0, 0, 0];
    for (let i = 0; i < inputs; i++) {
      const p = x[i];
      a += p * table[first + i];
      b += p * table[second + i];
      c += p * table[third + i];
      d += p * table[fourth + i];
    }
    write(sums, row, bias, a, b, c, d);
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
