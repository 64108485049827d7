// The two encoders exist in every host that runs the core (page, worker, Node) but belong to no ECMAScript library file.
declare class TextEncoder {
  encode(text: string): Uint8Array<ArrayBuffer>;
  encodeInto(text: string, into: Uint8Array): { readonly read: number; readonly written: number };
}
declare class TextDecoder {
  constructor(label?: string, options?: { readonly fatal?: boolean; readonly ignoreBOM?: boolean });
  decode(bytes?: Uint8Array, options?: { readonly stream?: boolean }): string;
}
