/**
 * A title as a person reads it: what happened, and apart from it the recorded value that some titles end with.
 *
 * Only a value that is JSON is parted: “chose create-ticket” is a sentence as it is.
 */
export interface ReadTitle {
  readonly name: string;
  readonly value: string | undefined;
}

/**
 * A title over the text it begins with: what it says of that text is left to the text. What stands behind in brackets stays.
 *
 * `text` is recorded text, which may name who says it, or mark its first line as a heading, where the title does not.
 */
export function titleOverText(title: string, text: string): string {
  const { name, value = '' } = titleToRead(title);
  const behindValue = / \([^()]*\)$/.exec(value)?.[0] ?? '';
  return `${nameOverText(name, text)}${behindValue}`;
}

function nameOverText(name: string, text: string): string {
  const at = name.indexOf(': ');
  if (at < 0) return name;
  const said = name.slice(at + 2);
  const [, inner = said, behind = ''] = /^(.*\S)( \([^()]*\))$/s.exec(said) ?? [];
  const starts = [text, text.replace(/^[\w-]+: /, '')].map((one) => toFlat(one.replace(/^\s*#+\s*/, '')));
  const isBegunWith = (part: string): boolean => {
    const flat = toFlat(part.replace(/…$/, ''));
    return flat !== '' && starts.some((start) => start.startsWith(flat));
  };
  if (isBegunWith(said)) return name.slice(0, at);
  return isBegunWith(inner) ? `${name.slice(0, at)}${behind}` : name;
}

/** Of a long text its beginning is compared. */
function toFlat(text: string): string {
  return text.slice(0, 2000).replace(/\s+/g, ' ').trim();
}

export function titleToRead(title: string): ReadTitle {
  const at = title.search(/: [{[]/);
  return at < 0 ? { name: title, value: undefined } : { name: title.slice(0, at), value: title.slice(at + 2) };
}
