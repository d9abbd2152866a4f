// What the exporter packed: bytes, deflated and written in base64; numbers in 16 bits.

/** Bytes of a packed text; deflate's own checksum finds a damaged one. */
export async function unpack(text) {
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Bytes of float16 numbers (little-endian) as a Float32Array. */
export function floatsOf(bytes) {
  const halves = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const floats = new Float32Array(bytes.byteLength / 2);
  for (let i = 0; i < floats.length; i++) floats[i] = floatOf(halves.getUint16(2 * i, true));
  return floats;
}

/** The number that 16 bits stand for: sign, 5 bits of exponent, 10 of fraction. */
function floatOf(half) {
  const sign = half & 0x8000 ? -1 : 1;
  const exponent = (half >> 10) & 0x1f;
  const fraction = half & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 0x1f) return fraction ? NaN : sign * Infinity;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}
