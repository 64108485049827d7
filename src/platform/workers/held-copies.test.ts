/** What a received share is told to be: a redacted copy only where it says so, with an end only where that is a time. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type SharePayload, encodePayload } from '../../core/share/index.ts';
import { bytesToHeld } from './held-copies.ts';
import type { HeldCopy } from './share-methods.ts';

const now = '2026-11-30T12:00:00.000Z';
let original = '';

beforeAll(async () => {
  original = await readFile(join(import.meta.dirname, '../../../fixtures/versions/v1/minimal.hindcast.jsonl'), 'utf8');
});

async function hold(more: Partial<SharePayload>): Promise<HeldCopy | string> {
  const payload = { v: 1 as const, kind: 'hindcast-share' as const, title: 't', stream: original, ...more };
  const held = await bytesToHeld(encodePayload(payload), now);
  return held.ok ? held.value.copy : held.error;
}

describe('a received share', () => {
  it('R76 R145 is no redacted copy where its stream does not declare one', async () => {
    expect(await hold({})).toMatchObject({ isDeclared: false, holes: 0, omitted: 0 });
  });

  it('R76 ends at a moment, whatever the zone it is written in; what is no time is told as that', async () => {
    const ends = async (expires: string): Promise<unknown> => {
      const copy = await hold({ expires });
      return typeof copy === 'string' ? copy.slice(0, 40) : copy.expires;
    };
    expect(await ends('2026-11-30T23:59:59Z')).toEqual({ day: '2026-11-30' });
    expect(await ends('2026-11-30T11:30:00-02:00')).toEqual({ day: '2026-11-30' });
    expect(await ends('2026-12-01T00:00:00+14:00')).toContain('expired on 2026-11-30');
    expect(await ends('2026-11-29T23:59:59Z')).toContain('expired on 2026-11-29');
    for (const none of ['never', '99999-01-01', '2026-02-30T00:00:00Z', ''])
      expect(await ends(none)).toEqual({ unread: none });
    expect(await ends('\u202eZZ\u2066')).toEqual({ unread: '\\u202eZZ\\u2066' });
  });
});
