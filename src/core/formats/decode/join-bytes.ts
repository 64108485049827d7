/** Byte arrays one after another as one. */

export function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  const filled = parts.filter((part) => part.length > 0);
  const [only] = filled;
  if (only !== undefined && filled.length === 1) return only;
  let length = 0;
  for (const part of filled) length += part.length;
  const out = new Uint8Array(length);
  let at = 0;
  for (const part of filled) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}
