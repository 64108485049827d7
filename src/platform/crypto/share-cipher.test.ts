import { afterEach, describe, expect, it, vi } from 'vitest';
import { freshSecret, openShare, passphraseToKey, sealShare, sealWithPassphrase } from './share-cipher.ts';

const plaintext = new TextEncoder().encode('what a reviewer may see'.repeat(20));

describe('share cipher', () => {
  it('R76 opens with its own key and with no other', async () => {
    const { key, sealed } = await sealShare(plaintext);
    expect(await openShare(sealed, key)).toEqual({ ok: true, value: plaintext });
    const other = key.slice();
    other[0] = (other[0] ?? 0) ^ 1;
    expect((await openShare(sealed, other)).ok).toBe(false);
  });

  it('refuses any changed byte and any cut', async () => {
    const { key, sealed } = await sealShare(plaintext);
    for (let at = 0; at < sealed.length; at += 41) {
      const changed = sealed.slice();
      changed[at] = (changed[at] ?? 0) ^ 0x40;
      expect((await openShare(changed, key)).ok).toBe(false);
      expect((await openShare(sealed.slice(0, at), key)).ok).toBe(false);
    }
  });

  it('never repeats key, nonce or secret', async () => {
    const [one, two] = await Promise.all([sealShare(plaintext), sealShare(plaintext)]);
    expect(one.key).not.toEqual(two.key);
    expect(one.sealed.slice(0, 12)).not.toEqual(two.sealed.slice(0, 12));
    expect(freshSecret()).not.toBe(freshSecret());
  });

  it('opens with the passphrase in any Unicode form', async () => {
    const { sealed, passphrase } = await sealWithPassphrase(plaintext, 'caf\u00e9');
    expect((await openShare(sealed, await passphraseToKey('cafe\u0301', passphrase))).ok).toBe(true);
    expect((await openShare(sealed, await passphraseToKey('cafe', passphrase))).ok).toBe(false);
  });
});

describe('outside a secure context', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  it('neither seals nor opens, and says why in a sentence', async () => {
    const { key, sealed } = await sealShare(new TextEncoder().encode('text'));
    vi.stubGlobal('crypto', { getRandomValues: (into: Uint8Array) => into });
    await expect(sealShare(new Uint8Array())).rejects.toThrow('not a secure context');
    expect(await openShare(sealed, key)).toEqual({ ok: false, error: expect.stringContaining('not a secure context') });
  });
});
