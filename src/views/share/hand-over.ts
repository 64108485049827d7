/**
 * The order of a share: encrypted, written into the access log, and only then given away.
 *
 * Invariant: no copy leaves that the log does not know of. A log that cannot be written ends it, with nothing handed over.
 */
export interface HandOver<Sealed> {
  readonly seal: () => Promise<Sealed>;
  readonly record: () => Promise<unknown>;
  readonly give: (sealed: Sealed) => void;
}

export async function handOver<Sealed>({ seal, record, give }: HandOver<Sealed>): Promise<void> {
  const sealed = await seal();
  await record();
  give(sealed);
}
