/** Words of the trade that a newcomer meets on screen, each in one or two sentences. */

export interface GlossaryEntry {
  readonly term: string;
  readonly meaning: string;
  /** Matches the term in a sentence. */
  readonly pattern: RegExp;
}

export const glossary: readonly GlossaryEntry[] = [
  {
    term: 'kill point',
    pattern: /kill points? ?\d?/i,
    meaning:
      'Where between asking for an effect and keeping its result a process was killed: 1 before the dispatch, 2 before the service committed, 3 before the answer arrived, 4 before the result was made durable, 5 after that.',
  },
  {
    term: 'orphan effect',
    pattern: /orphan effects?/i,
    meaning: 'An effect that the outside world has and this branch never asked for. A replay cannot take it back.',
  },
  {
    term: 'beyond the rim',
    pattern: /beyond the rim/i,
    meaning:
      'Causes and effects that the picture leaves out, because they are farther than the steps shown. Press an arrow on a node to bring its own in.',
  },
  {
    term: 'incarnation',
    pattern: /incarnations?/i,
    meaning: 'Which life of the process wrote the record: it counts up with every restart.',
  },
  {
    term: 'uncertain',
    pattern: /uncertain/i,
    meaning:
      'The request was sent, and no record says whether it was executed. That is not the same as not executed: sending it again may do it twice.',
  },
  {
    term: 'digest',
    pattern: /digests?/i,
    meaning:
      'A fingerprint computed from the bytes of a value: equal bytes have equal digests, and the value cannot be read from it.',
  },
  {
    term: 'idempotency key',
    pattern: /idempotency keys?/i,
    meaning: 'A name the caller gives to a request, by which the service recognises it when it comes a second time.',
  },
  {
    term: 'absent',
    pattern: /\babsent(?: or lost)?\b/i,
    meaning:
      'A record that was due, by other records or a declaration, and is not there. “Absent or lost”: the process that would have kept it was killed, perhaps before it had written it.',
  },
  {
    term: 'declared edges',
    pattern: /declared edges?/i,
    meaning:
      'What the records say of themselves: which value a step used, which decision chose a call, what authorised it. What a program used without saying so, only a replay shows.',
  },
  {
    term: 'falls in part',
    pattern: /\bfalls? in part\b/i,
    meaning:
      'A step or a sub-agent that begins or ends as recorded, while something that happens in it falls with the edit.',
  },
  {
    term: 'derived',
    pattern: /derived/i,
    meaning: 'Not written in this record: followed from other records by a named way.',
  },
  {
    term: 'clock-only',
    pattern: /clock-only/i,
    meaning: 'Nothing but timestamps put these two in order. That is no evidence of cause.',
  },
  {
    term: 'inferred',
    pattern: /inferred/i,
    meaning: 'The producer did not name this cause; a named rule drew it from what was recorded.',
  },
  {
    term: 'domain',
    pattern: /clocks?: \d+ domains?/i,
    meaning:
      'A domain is the clocks whose times can be compared with each other. Times of different domains are not put in order.',
  },
];

/** The first term a text holds, and where. */
export function findTerm(
  text: string,
): { readonly entry: GlossaryEntry; readonly from: number; readonly to: number } | undefined {
  let found: { readonly entry: GlossaryEntry; readonly from: number; readonly to: number } | undefined;
  for (const entry of glossary) {
    const match = entry.pattern.exec(text);
    if (match === null || match[0] === '') continue;
    if (found === undefined || match.index < found.from)
      found = { entry, from: match.index, to: match.index + match[0].length };
  }
  return found;
}
