/** A digest of what a copy withholds, quoted in a text of a class that it keeps (R73, R75). */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../base/json.ts';
import { digest, parseEvent } from '../model/index.ts';
import { type RedactedCopy, type ValueClass, closedPolicy, openClasses, redact } from './index.ts';
import { createCanaries, envelope } from './testing/canaries.ts';

const canaries = createCanaries();

function copyOf(records: readonly JsonObject[], kept: readonly ValueClass[]): RedactedCopy {
  const events = records.map((record, n) => {
    const made = parseEvent({ ...envelope(canaries), id: `e${String(n)}`, branch: 'main', ...record });
    if (!made.ok) throw new Error(made.error.message);
    return made.value;
  });
  return redact({ events, policy: openClasses(closedPolicy, kept), secret: 'a'.repeat(32) });
}

const pin = '4711';

function dispatched(args: JsonValue): JsonObject {
  return { type: 'tool_call.dispatched', data: { tool: 't', args, effect: 'external' } };
}

function failed(message: string): JsonObject {
  return { type: 'tool_call.failed', data: { tool: 't', error: { name: 'Error', message } } };
}

function hashOf(method: string, text: string, form: 'hex' | 'base64' | 'base64url' = 'hex'): string {
  return createHash(method).update(text).digest(form);
}

describe('a digest of a withheld value', () => {
  it.each([
    ['of the canonical value', digest({ pin })],
    ['of a member of it', `sha256:${hashOf('sha256', JSON.stringify(pin))}`],
    ['of the bare text', hashOf('sha256', pin)],
    ['by SHA-1', hashOf('sha1', pin)],
    ['by MD5, in capitals', hashOf('md5', pin).toUpperCase()],
    ['by SHA-512', hashOf('sha512', pin)],
    ['in base64', hashOf('sha256', pin, 'base64')],
    ['in the base64 of addresses', `sha256-${hashOf('sha256', pin, 'base64url')}`],
  ])('R75 %s does not leave in an error that is kept', (_, quoted) => {
    // The text comes first: what is withheld is known only after it.
    const copy = copyOf([failed(`conflict with ${quoted}, try again`), dispatched({ pin })], ['errors']);
    expect(copy.lines.join('\n')).not.toContain(quoted);
    expect(copy.lines.join('\n')).toContain('conflict with [digest withheld], try again');
    expect(copy.holes.map(({ reason }) => reason)).toContain('detected in its name or message');
  });

  it('R75 so does none of a value that the trace has by its digest alone', () => {
    const quoted = digest({ pin });
    const asked = {
      type: 'tool_call.dispatched',
      data: { tool: 't', effect: 'external' },
      command: { path: '/write:t#0', kind: 'write', name: 't', args: quoted },
    };
    const copy = copyOf([asked, failed(`conflict with ${quoted}`)], ['errors']);
    expect(copy.lines.join('\n')).not.toContain(quoted.slice(7));
  });

  it('R73 none of a name that has a stand-in', () => {
    const quoted = hashOf('sha256', 'ada@example.org');
    const named = { ...failed(`no such user ${quoted}`), principal: { id: 'ada@example.org', kind: 'human' } };
    expect(copyOf([named], ['errors']).lines.join('\n')).not.toContain(quoted);
  });

  it('R75 none in the name of a member', () => {
    const quoted = hashOf('sha256', pin);
    const answer = { type: 'tool_call.completed', data: { tool: 't', result: { [quoted]: 1, other: 2 } } };
    const copy = copyOf([dispatched({ pin }), answer], ['results']);
    expect(copy.lines.join('\n')).not.toContain(quoted);
    expect(copy.lines.join('\n')).toContain('"other":2');
  });
});

describe('any other digest', () => {
  it('R74 stays in a text that is kept: a commit, and one of a value that the copy has', () => {
    const commit = '3b18e512dba79e4c8300dd08aeb37f8e728b8dad';
    const text = `at ${commit} the arguments were ${digest({ open: 1 })}`;
    const copy = copyOf([failed(text), dispatched({ open: 1 })], ['errors', 'arguments']);
    expect(copy.lines.join('\n')).toContain(text);
    expect(copyOf([failed(`at ${commit}`), dispatched({ pin })], ['errors']).lines.join('\n')).toContain(commit);
  });
});
