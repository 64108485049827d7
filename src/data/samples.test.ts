import { describe, expect, it } from 'vitest';
import { addressToFileName, addressToLogged, jsonToSamples, readOwn, textToSourceAddress } from './samples.ts';

const page = 'https://tools.example.org/hindcast/?src=x';

describe('an address in ?src=', () => {
  it('is read at once when it is of this site', () => {
    expect(textToSourceAddress('samples/a.jsonl', page)).toEqual({
      kind: 'own',
      url: 'https://tools.example.org/hindcast/samples/a.jsonl',
    });
  });

  it('of another origin needs a confirmation of exactly that origin', () => {
    expect(textToSourceAddress('https://data.example.com:8443/t.jsonl', page)).toMatchObject({
      kind: 'foreign',
      origin: 'https://data.example.com:8443',
    });
    expect(textToSourceAddress('http://127.0.0.1:9000/t', page)).toMatchObject({ kind: 'foreign' });
  });

  it('is refused with a sentence where it cannot be opened', () => {
    const unusable = [
      'http://example.com/t',
      'blob:https://tools.example.org/1-2',
      'http://[::1]/t',
      'javascript:alert(1)',
      'data:,x',
      'file:///etc/passwd',
      'http://[bad',
      '',
      ' ',
    ];
    expect(unusable.map((text) => textToSourceAddress(text, page).kind)).toEqual(unusable.map(() => 'unusable'));
    expect(textToSourceAddress('http://[::1]:8080/t', page)).toMatchObject({
      message:
        'Only https addresses, and http at localhost or 127.0.0.1, can be opened; this one is http at [::1]:8080.',
    });
    expect(textToSourceAddress('', page)).toMatchObject({
      message: 'After "src=" the link names no file. Ask for the whole link, or open the file itself.',
    });
    expect(textToSourceAddress('http://\u202e[', page)).toEqual({
      kind: 'unusable',
      message: '"http://\\u202e[" is not an address.',
    });
  });

  it('with a user name is refused at once, and it is told where it leads; of this site too', () => {
    for (const [text, host] of [
      ['https://tools.example.org@evil.test/x', 'evil.test'],
      ['https://tools.example.org:443@evil.test:8443/x', 'evil.test:8443'],
      ['https://user:pw@tools.example.org/x', 'tools.example.org'],
      ['//:pw@evil.test/x', 'evil.test'],
    ] as const)
      expect(textToSourceAddress(text, page)).toMatchObject({
        kind: 'unusable',
        message: expect.stringContaining(`leads to ${host}, whatever`),
      });
  });

  it('that only looks like this site is another origin', () => {
    expect(textToSourceAddress('https://tools.example.org.evil.test/x', page)).toMatchObject({ kind: 'foreign' });
    expect(textToSourceAddress('//evil.test/x', page)).toMatchObject({ kind: 'foreign' });
  });
});

describe('what is kept of an address', () => {
  it('R75 the log says where from, and nothing that opens the file', () => {
    expect(addressToLogged('https://ada:pw12@bucket.example.org:8443/a/t.jsonl?X-Amz-Signature=abc#token=1')).toBe(
      'https://bucket.example.org:8443/a/t.jsonl (with a user and a query)',
    );
    expect(addressToLogged('https://example.org/t.jsonl')).toBe('https://example.org/t.jsonl');
  });

  it('the file is called by the last part of the path, well encoded or not', () => {
    expect(addressToFileName('https://host/a%20b.jsonl?x')).toBe('a b.jsonl');
    expect(addressToFileName('https://host/100%')).toBe('100%');
    expect(addressToFileName('https://host/')).toBe('trace');
  });
});

describe('an address of this site', () => {
  const url = 'https://tools.example.org/samples/nope.jsonl';
  const ask = (answer: () => Promise<Response>) => readOwn(url, answer, new AbortController().signal);

  it('without a file says why nothing was read and what to do', async () => {
    await expect(ask(() => Promise.resolve(new Response('', { status: 404 })))).rejects.toThrow(
      `${url} could not be read: this site has no such file (it answered 404). Check the address, or choose the file itself.`,
    );
    const failed = new Response('', { status: 503, statusText: 'Service Unavailable' });
    await expect(ask(() => Promise.resolve(failed))).rejects.toThrow('this site answered 503 Service Unavailable.');
  });

  it('that does not answer, or whose answer breaks off, says which', async () => {
    await expect(ask(() => Promise.reject(new TypeError('Failed to fetch')))).rejects.toThrow(
      'this site does not answer. Try again',
    );
    const broken = new Response(new ReadableStream({ start: (stream) => stream.error(new TypeError('cut')) }));
    await expect(ask(() => Promise.resolve(broken))).rejects.toThrow('the answer of this site broke off. Try again');
  });

  it('is read as it is', async () => {
    expect(await (await ask(() => Promise.resolve(new Response('{}')))).text()).toBe('{}');
  });
});

describe('the list of samples', () => {
  it('is read from the index, entries of another shape left out', () => {
    const entry = { file: 'a.jsonl', title: 'A', learn: 'One learns a.' };
    expect(jsonToSamples({ samples: [entry, { file: 1 }, null] })).toEqual([
      { file: 'a.jsonl', title: 'A', lesson: 'One learns a.' },
    ]);
    expect(jsonToSamples('nothing')).toEqual([]);
  });
});
