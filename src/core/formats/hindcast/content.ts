/**
 * Whether the bytes of a `content.stored` line are what their digest says (R9).
 *
 * A reference names either raw bytes or the canonical form of a JSON value in which large parts stand as references themselves;
 * both are accepted, because both bind the content.
 */
import { sha256Hex } from '../../base/hash.ts';
import type { JsonValue } from '../../base/json.ts';
import { parseLossless } from '../../base/lossless.ts';
import { canonHoisted } from '../../model/index.ts';
import { base64ToBytes } from '../../base/base64.ts';

export interface StoredContentLine {
  readonly digest: string;
  readonly mediaType?: string | undefined;
  readonly text?: string | undefined;
  readonly base64?: string | undefined;
}

export type ContentCheck = 'matches' | 'differs' | 'empty' | 'not-base64';

export function checkContent(stored: StoredContentLine): ContentCheck {
  if (stored.text !== undefined) return textMatches(stored.digest, stored.text) ? 'matches' : 'differs';
  if (stored.base64 === undefined) return 'empty';
  const bytes = base64ToBytes(stored.base64);
  if (bytes === undefined) return 'not-base64';
  return `sha256:${sha256Hex(bytes)}` === stored.digest ? 'matches' : 'differs';
}

function textMatches(digest: string, text: string): boolean {
  if (`sha256:${sha256Hex(text)}` === digest || referenceOf(text) === digest) return true;
  const value = parseLossless(text);
  return value.ok && referenceOf(value.value) === digest;
}

/** The digest by which a value is referred to when it is stored apart: of its own canonical form, its parts hoisted. */
function referenceOf(value: JsonValue): string {
  const text = canonHoisted(value);
  const reference = /^\{"\$ref":"(sha256:[0-9a-f]{64})"\}$/.exec(text)?.[1];
  return reference ?? `sha256:${sha256Hex(text)}`;
}
