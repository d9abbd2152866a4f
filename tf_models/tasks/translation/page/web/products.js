// Products of a row and a matrix: nearly all that a Transformer computes. WebAssembly computes them four
// numbers at once, with matrices that lie in its memory; where the browser refuses it, JavaScript does.

// products.wat, assembled, in base64; a test assembles it and compares.
export const PROGRAM = `
AGFzbQEAAAABCQFgBX9/f39/AAIQAQRwYWdlBm1lbW9yeQIAAQMCAQAHDwELYWRkUHJvZHVjdHMAAAqZAgGWAgIIfwR7IARBBGwh
BSAAIANBBGxqIQYgAiAFaiEHA0AgAP0JAgAhDSAA/QkCBCEOIAD9CQIIIQ8gAP0JAgwhECABIQkgAiEIA0AgCSAFaiEKIAogBWoh
CyALIAVqIQwgCCAI/QAEACANIAn9AAQA/eYBIA4gCv0ABAD95gH95AEgDyAL/QAEAP3mASAQIAz9AAQA/eYB/eQB/eQB/eQB/QsE
ACAIIAj9AAQQIA0gCf0ABBD95gEgDiAK/QAEEP3mAf3kASAPIAv9AAQQ/eYBIBAgDP0ABBD95gH95AH95AH95AH9CwQQIAlBIGoh
CSAIQSBqIQggCCAHSQ0ACyABIAVBBGxqIQEgAEEQaiEAIAAgBkkNAAsL`;
const PAGE = 2 ** 16; // bytes: the unit of WebAssembly's memory

const programs = new WeakMap(); // by the memory in which they work

/** Room for matrices of `count` numbers together; products with what lies elsewhere are slow. */
export function roomFor(count) {
  try {
    // As much again for a row and its sums; what of it is never used costs nothing.
    const memory = new WebAssembly.Memory({ initial: Math.ceil((8 * count + 32) / PAGE) });
    const program = new WebAssembly.Module(Uint8Array.from(atob(PROGRAM), (c) => c.charCodeAt(0)));
    const { exports } = new WebAssembly.Instance(program, { page: { memory } });
    programs.set(memory.buffer, adder(exports.addProducts, memory.buffer, count));
    return new Float32Array(memory.buffer, 0, count);
  } catch {
    return new Float32Array(count); // no WebAssembly, or none with SIMD
  }
}

/** The sums before any product, and how many inputs are in them: none. */
const nothingYet = (_, { bias }) => [bias.slice(), 0];

/** The same with the products of as many inputs as the program can take. */
function adder(addProducts, memory, count) {
  const start = 4 * count;
  const room = new Float32Array(memory, start);
  return (x, { kernel, bias }) => {
    const inputs = x.length - (x.length % 4);
    if (!inputs) return nothingYet(x, { bias });
    room.set(x);
    room.set(bias, inputs);
    addProducts(start, kernel.byteOffset, start + 4 * inputs, inputs, bias.length);
    return [room.slice(inputs, inputs + bias.length), inputs];
  };
}

/** X W + b: rows (inputs) of X, kernel (inputs, units) row after row, bias (units); rows (units). */
export function dense(rows, { kernel, bias }) {
  const begin = programs.get(kernel.buffer) ?? nothingYet;
  return rows.map((x) => {
    const [sums, taken] = begin(x, { kernel, bias });
    for (let i = taken; i < x.length; i++) {
      const row = i * sums.length;
      for (let unit = 0; unit < sums.length; unit++) sums[unit] += x[i] * kernel[row + unit];
    }
    return sums;
  });
}
