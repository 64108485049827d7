export const metaPolicies: { readonly 'index.html': string; readonly 'net.html': string };
export function fileToHeaders(file: string): Readonly<Record<string, string>>;
export function headersFile(): string;
