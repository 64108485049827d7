export function computeSignature(paths: readonly string[]): string;
export function isFresh(stamp: string, signature: string): boolean;
export function markFresh(stamp: string, signature: string): void;
