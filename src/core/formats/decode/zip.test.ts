import { Deflate, Zip, ZipPassThrough, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { drawTrace } from '../../model/testing/trace.ts';
import { bytesToSource, openFiles } from '../testing/opening.ts';
import { joinBytes } from './join-bytes.ts';
import { createXxh64 } from './xxh64.ts';

const { lines } = drawTrace(`
  worker:
    one  step.started  {"name":"first"}
    two  step.completed  <- one  {"name":"first"}
`);
const [first = '', second = ''] = lines.map((line) => `${line}\n`);

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function opened(bytes: Uint8Array, withSlice = false) {
  const source = bytesToSource('run.zip', bytes, 100);
  const slice = (start: number, end: number) => bytesToSource('part', bytes.slice(start, end), 33).open();
  return openFiles([withSlice ? { ...source, slice } : source]);
}

/** The archive with another uncompressed size for each member in its directory. */
function withSize(bytes: Uint8Array, size: number): Uint8Array {
  const changed = bytes.slice();
  const view = new DataView(changed.buffer);
  for (let at = 0; at + 46 < changed.length; at++)
    if (view.getUint32(at, true) === 0x02014b50) view.setUint32(at + 24, size, true);
  return changed;
}

/** Blocks of deflate that others may follow; of nothing, the last one. */
function toBlock(bytes: Uint8Array | undefined): Uint8Array {
  if (bytes === undefined) return Uint8Array.of(1, 0, 0, 0xff, 0xff);
  const parts: Uint8Array[] = [];
  const deflate = new Deflate({ level: 6 }, (part) => parts.push(part.slice()));
  deflate.push(bytes);
  deflate.flush(true);
  return joinBytes(parts);
}

describe('zip archives', () => {
  const archive = zipSync({
    'a/one.jsonl': [encode(first), { level: 9 }],
    'a/two.jsonl': [encode(second), { level: 0 }],
    '__MACOSX/a/._one.jsonl': encode('\u0000junk'),
    'a/.DS_Store': encode('junk'),
  });

  it('gives the files inside, stored and deflated, whether or not it can be read in places', async () => {
    for (const withSlice of [false, true]) {
      const { events, problems, counts } = await opened(archive, withSlice);
      expect(events.map(({ line, place }) => [line, place.file])).toEqual([
        [lines[0], 'run.zip/a/one.jsonl'],
        [lines[1], 'run.zip/a/two.jsonl'],
      ]);
      expect([counts.input, problems]).toEqual([2, []]);
    }
  });

  it('reads hidden folders, names above the archive and absolute ones; what packing programs add it passes over', async () => {
    const names = ['.claude/projects/x/a.jsonl', '../../b.jsonl', '/abs/c.jsonl'];
    const odd: Record<string, Uint8Array> = {};
    for (const [n, name] of names.entries()) odd[name] = encode(first.replace('"one"', `"n${n}"`));
    for (const name of ['.DS_Store', 'a/._b.jsonl', '__MACOSX/d.jsonl']) odd[name] = encode(second);
    const { events, problems } = await opened(zipSync(odd));
    expect(events.map(({ place }) => place.file)).toEqual(names.map((name) => `run.zip/${name}`));
    expect(problems).toEqual([]);
  });

  it('reads members behind extra fields, and names with either slash', async () => {
    const extra = { 0x1234: Uint8Array.of(1, 2, 3, 4, 5) };
    const { events, problems } = await opened(zipSync({ 'a\\one.jsonl': [encode(first), { level: 0, extra }] }));
    expect(events.map(({ line, place }) => [line, place.file])).toEqual([[lines[0], 'run.zip/a/one.jsonl']]);
    expect(problems).toEqual([]);
  });

  it('cut inside a member, or with lengths only behind the members, it says so and invents no file', async () => {
    const stored = zipSync({ 'a.jsonl': [encode(first), { level: 0 }], 'b.jsonl': [encode(second), { level: 0 }] });
    const cut = await opened(stored.slice(0, 30 + 7 + encode(first).length + 30 + 7 + 10));
    expect([cut.events.length, cut.problems.map(({ code }) => code)]).toEqual([1, ['archive-truncated']]);
    const parts: Uint8Array[] = [];
    const zip = new Zip((_, part) => parts.push(part.slice()));
    const member = new ZipPassThrough('a.jsonl');
    zip.add(member);
    member.push(encode(first), true);
    expect((await opened(joinBytes(parts))).error?.code).toBe('archive-damaged');
  });

  it('reads what stands beside a damaged archive inside it, and says what is wrong when there is nothing else', async () => {
    const inner = archive.slice(0, 40);
    const both = await opened(zipSync({ 'ok.jsonl': encode(first), 'bad.zip': inner }));
    expect(both.events.map(({ line }) => line)).toEqual([lines[0]]);
    expect(both.problems.map(({ code, place }) => [code, place?.file])).toEqual([
      ['archive-damaged', 'run.zip/bad.zip'],
    ]);
    const alone = await opened(zipSync({ 'bad.zip': inner }));
    expect(alone.error?.message).toMatch(/^run\.zip\/bad\.zip is a zip archive that is cut off/);
  });

  it('asks the host for blocks, not for each of many small members', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 60 }, (_, n) => [`${String(n)}.jsonl`, encode(first.replace('one', `one${String(n)}`))]),
    );
    const bytes = zipSync(many);
    let asked = 0;
    const slice = (start: number, end: number) => {
      asked++;
      return bytesToSource('part', bytes.slice(start, end), 50_000).open();
    };
    const { events } = await openFiles([{ ...bytesToSource('run.zip', bytes, 50_000), slice }]);
    expect([events.length, asked < 10]).toEqual([60, true]);
  });

  it('goes into archives inside archives, and stops three deep', async () => {
    const twice = zipSync({ 'inner.zip': archive });
    expect((await opened(twice)).events).toHaveLength(2);
    const deep = zipSync({ 'deeper.zip': zipSync({ 'deep.zip': twice }) });
    expect((await opened(deep)).error?.message).toMatch(/It is a zip archive\. Unpack it/);
  });

  it('opens behind other data, as in a program that unpacks itself', async () => {
    const behind = new Uint8Array([0x50, 0x4b, 3, 4, ...Array.from({ length: 500 }, () => 7), ...archive]);
    expect((await opened(behind)).events).toHaveLength(2);
  });

  it('uses the members before the cut, and says that it is cut', async () => {
    const cut = archive.slice(0, archive.length - 350);
    const { events, problems } = await opened(cut);
    expect(events.map(({ line }) => line)).toEqual(lines);
    expect(problems.map(({ code }) => code)).toEqual(['archive-truncated']);
    expect((await opened(archive.slice(0, 60))).error?.message).toMatch(/cut off before the end of its first file/);
  });

  it('notices a changed byte by the checksum, and names the member', async () => {
    const changed = archive.slice();
    const at = new TextDecoder('latin1').decode(archive).indexOf('"step.completed"');
    changed[at + 1] = (changed[at + 1] ?? 0) ^ 1;
    const { problems } = await opened(changed);
    expect(problems.some(({ message }) => /^run\.zip\/a\/two\.jsonl is damaged in its zip archive/.test(message))).toBe(
      true,
    );
  });

  it('refuses sizes that real traces do not have before unpacking, and members that lie about theirs', async () => {
    expect((await opened(withSize(archive, 2 ** 30))).error).toMatchObject({ code: 'archive-too-large' });
    const lying = withSize(zipSync({ 'b.jsonl': encode(first.repeat(500)) }), first.length);
    const { problems } = await opened(lying);
    expect(problems.map(({ message }) => message).join()).toMatch(
      /unpacks to more than the \d+ bytes the directory says/,
    );
    const empty = await opened(withSize(zipSync({ 'b.jsonl': encode(first), 'c.jsonl': encode(second) }), 0));
    expect(empty.error?.code).toBe('archive-damaged');
  });

  it('tells bytes behind its end, and a comment there is part of it', async () => {
    const followed = await opened(joinBytes([archive, encode('and so on')]));
    expect([followed.events.length, followed.problems.map(({ code, place }) => [code, place?.offset])]).toEqual([
      2,
      [['archive-trailing', archive.length]],
    ]);
    expect(followed.problems[0]?.message).toContain('9 bytes follow that are no part of it');
    const commented = joinBytes([archive, encode('and so on')]);
    commented[archive.length - 2] = 9;
    expect((await opened(commented)).problems).toEqual([]);
  });

  it('shows names of members in one line that turns nothing around', async () => {
    const { events } = await opened(zipSync({ 'a\u001b[2J\n\u202eb.jsonl': encode(first) }));
    expect(events.map(({ place }) => place.file)).toEqual(['run.zip/a\\u001b[2J \\u202eb.jsonl']);
  });

  it('refuses a member that grows hundreds of times, whether its sizes say so or a part of it does', async () => {
    const stated = await opened(withSize(zipSync({ 'b.jsonl': encode(first) }), 70 * 2 ** 20));
    expect(stated.error).toMatchObject({ code: 'archive-too-large' });
    expect(stated.error?.message).toMatch(/^run\.zip\/b\.jsonl would unpack to 70 MiB/);
    // Text that does not get much smaller keeps the sizes of the whole member plausible.
    const honest = encode(
      Array.from({ length: 4000 }, (_, n) => first.replace('first', `${Math.cos(n)}${n ** 0.3}`)).join(''),
    );
    const blanks = toBlock(new Uint8Array(8 * 2 ** 20).fill(32));
    const packed = joinBytes([toBlock(honest), ...Array.from({ length: 10 }, () => blanks), toBlock(undefined)]);
    const bomb = withSize(zipSync({ 'b.jsonl': [packed, { level: 0 }] }), honest.length + 80 * 2 ** 20);
    const view = new DataView(bomb.buffer);
    for (let at = 0; at + 46 < bomb.length; at++)
      if (view.getUint32(at, true) === 0x02014b50) view.setUint16(at + 10, 8, true);
    const hidden = await opened(bomb);
    expect(hidden.error?.message).toMatch(/^run\.zip\/b\.jsonl has unpacked to \d+ MiB/);
  });

  it('passes over members it cannot unpack, one problem each', async () => {
    const odd = archive.slice();
    const view = new DataView(odd.buffer);
    let found = 0;
    for (let at = 0; at + 46 < odd.length; at++) {
      if (view.getUint32(at, true) !== 0x02014b50) continue;
      if (found++ === 0) view.setUint16(at + 10, 12, true);
    }
    const { events, problems } = await opened(odd);
    expect(events).toHaveLength(1);
    expect(problems.map(({ code }) => code)).toEqual(['archive-member']);
  });

  it('says of one whose files are all encrypted or packed in unknown ways that they are, not that it is empty', async () => {
    const refusing = (change: (view: DataView, at: number) => void): Uint8Array => {
      const odd = archive.slice();
      const view = new DataView(odd.buffer);
      for (let at = 0; at + 46 < odd.length; at++) if (view.getUint32(at, true) === 0x02014b50) change(view, at);
      return odd;
    };
    const encrypted = await opened(refusing((view, at) => view.setUint16(at + 8, 1, true)));
    expect(encrypted.error?.message).toBe(
      'run.zip/a/one.jsonl cannot be unpacked: it is encrypted. Unpack it with its password first. Nor can the other one in the archive.',
    );
    const aes = await opened(refusing((view, at) => view.setUint16(at + 10, 99, true)));
    expect(aes.error?.message).toContain('it is encrypted');
    const unknown = await opened(refusing((view, at) => view.setUint16(at + 10, 14, true)));
    expect(unknown.error?.message).toContain('it is packed by method 14, which is not known here. Unpack it first');
  });

  it('says of damaged members how much came out, and never that it was used where nothing was opened', async () => {
    const lying = await opened(withSize(zipSync({ 'b.jsonl': encode(first.repeat(500)) }), 20));
    expect(lying.error?.message).toMatch(
      /^run\.zip\/b\.jsonl is damaged in its zip archive: it unpacks to more than the 20 bytes the directory says\. The first 20 bytes of it were unpacked; what is read of them may be wrong\. run\.zip\/b\.jsonl ends in the middle/,
    );
    const spoiled = zipSync({ 'b.jsonl': [encode(first.repeat(3)), { level: 9 }] });
    spoiled.fill(0xff, 30 + 'b.jsonl'.length, 60);
    const { error } = await opened(spoiled);
    expect(error?.message).toMatch(
      /^run\.zip\/b\.jsonl is damaged in its zip archive: .*\. Nothing of it could be unpacked\. Fetch/,
    );
    for (const { error: one } of [lying, { error }]) expect(one?.message).not.toMatch(/ (is|are) used/);
  });

  it('says that there is nothing in an empty one', async () => {
    expect((await opened(zipSync({}))).error?.message).toBe('run.zip is an archive with no file in it.');
  });
});

describe('XXH64', () => {
  // The low halves, as the zstd program writes them behind its frames.
  const low = (text: string, chunk: number): number => {
    const hash = createXxh64();
    const bytes = encode(text);
    for (let at = 0; at < bytes.length; at += chunk) hash.add(bytes.subarray(at, at + chunk));
    return hash.low();
  };

  it('gives the values of the reference program, however the bytes come', () => {
    const mixed = Array.from({ length: 1000 }, (_, i) => String.fromCharCode(33 + ((i * 7) % 90))).join('');
    for (const chunk of [1, 3, 32, 33, 1000]) {
      const found = ['', 'a', 'abc', 'x'.repeat(333), mixed].map((text) => low(text, chunk).toString(16));
      expect(found).toEqual(['51d8e999', 'a98c6e5b', 'ad770999', '1fef8e21', 'e6ddf4f1']);
    }
  });
});
