import { describe, expect, it } from 'vitest';
import { branchId, mainBranch } from '../../core/model/index.ts';
import { computeRecordsNotes } from './headline-records.ts';

const counts = { input: 10, mapped: 10, merged: 0, problems: 0, events: 10 };
const unread = { files: [], records: 0 };
const main = { id: mainBranch, label: 'original', ownEvents: 0 };
const other = { id: branchId('b1'), label: 'retry with a key', ownEvents: 7 };

describe('what the headline says of the records', () => {
  it('is nothing where all are there', () => {
    expect(computeRecordsNotes({ counts, unread, branches: [main, other] }, mainBranch, 10)).toEqual([]);
    expect(computeRecordsNotes({ counts, unread, branches: [main] }, mainBranch, 0)).toEqual([]);
    expect(computeRecordsNotes({ counts, unread, branches: [main, other] }, mainBranch, undefined)).toEqual([]);
  });

  it('is first how many could not be read, and then which branch holds what this one does not', () => {
    const small = { id: branchId('b2'), label: 'small', ownEvents: 1 };
    const damaged = { unread, counts: { ...counts, problems: 4 }, branches: [main, small, other] };
    expect(computeRecordsNotes(damaged, mainBranch, 0)).toEqual([
      {
        leadsTo: 'problems',
        link: '4 records could not be read',
        rest: ', and nothing that follows takes account of them.',
      },
      {
        leadsTo: 'b1',
        link: 'Show the branch retry with a key',
        rest: ': it holds 7 events, and more are on 1 other branch. The branch shown holds none.',
      },
    ]);
  });
});
