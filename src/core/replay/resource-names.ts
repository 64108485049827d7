/** Names of resources, compared part by part. */

/** Prefix at `/`: `tickets` meets `tickets/7`, and `tickets/7` meets `tickets`. A place that could not be filled meets anything. */
export function doNamesMeet(a: string, b: string): boolean {
  if (a === b) return true;
  const left = a.split('/');
  const right = b.split('/');
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const x = left[i] ?? '';
    const y = right[i] ?? '';
    if (x !== y && !x.includes('{') && !y.includes('{')) return false;
  }
  return true;
}
