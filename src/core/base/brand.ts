/** Nominal types over primitives: a value of one identity cannot be passed where another is meant. */

declare const brand: unique symbol;

export type Brand<T, Name extends string> = T & { readonly [brand]: Name };
