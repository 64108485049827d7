/** A part the worker loads later, as the product's workers load their decoders. */
export const loaded = true;
