/**
 * A title as a person reads it: what happened, and apart from it the recorded value that some titles end with.
 *
 * Only a value that is JSON is parted: “chose create-ticket” is a sentence as it is.
 */
export interface ReadTitle {
  readonly name: string;
  readonly value: string | undefined;
}

export function titleToRead(title: string): ReadTitle {
  const at = title.search(/: [{[]/);
  return at < 0 ? { name: title, value: undefined } : { name: title.slice(0, at), value: title.slice(at + 2) };
}
