/**
 * CRC-32 as gzip uses it: four table look-ups for four bytes, because it runs over every decoded byte.
 */

function createTables(): readonly Int32Array[] {
  const first = new Int32Array(256);
  for (let n = 0; n < 256; n++) {
    let c = n;
    for (let k = 0; k < 8; k++) c = c & 1 ? (c >>> 1) ^ 0xedb88320 : c >>> 1;
    first[n] = c;
  }
  const tables = [first];
  for (let t = 1; t < 4; t++) {
    const before = tables[t - 1] ?? first;
    tables.push(before.map((c) => (c >>> 8) ^ (first[c & 255] ?? 0)));
  }
  return tables;
}

const [t0 = new Int32Array(256), t1 = t0, t2 = t0, t3 = t0] = createTables();

/** The checksum of `bytes` appended to what gave `before` (0 for nothing), as an unsigned number. */
export function updateCrc32(before: number, bytes: Uint8Array): number {
  let c = ~before;
  let i = 0;
  for (const end = bytes.length - 3; i < end; i += 4) {
    c ^= (bytes[i] ?? 0) | ((bytes[i + 1] ?? 0) << 8) | ((bytes[i + 2] ?? 0) << 16) | ((bytes[i + 3] ?? 0) << 24);
    c = (t3[c & 255] ?? 0) ^ (t2[(c >>> 8) & 255] ?? 0) ^ (t1[(c >>> 16) & 255] ?? 0) ^ (t0[c >>> 24] ?? 0);
  }
  for (; i < bytes.length; i++) c = (c >>> 8) ^ (t0[(c ^ (bytes[i] ?? 0)) & 255] ?? 0);
  return ~c >>> 0;
}
