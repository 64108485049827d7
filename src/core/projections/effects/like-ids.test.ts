/** Which values of an answer name an effect beside the known ones, and which merely look like one (R100, R28). */
import { describe, expect, it } from 'vitest';
import { createIdFinder, holdsId } from '../../base/held-ids.ts';
import type { JsonValue } from '../../base/json.ts';
import { holdsAnyId, otherIdsIn, toShape } from './like-ids.ts';

function othersIn(value: JsonValue, ids: readonly string[], words: readonly string[], places: readonly string[] = []) {
  const shapes = new Set(ids.map(toShape));
  return otherIdsIn(value, { ids: new Set(ids), shapes, words, places: new Set(places) });
}

const ticket = ['tickets.create'];

describe('R100 an effect that an answer names', () => {
  it.each<readonly [JsonValue, readonly string[]]>([
    [{ ticket: 8422, status: 'queued' }, ['8422']],
    [{ ticket_id: '8422' }, ['8422']],
    [{ ticketId: 8422 }, ['8422']],
    [{ data: { ticket: { id: 8422 } } }, ['8422']],
    [{ id: 8422 }, ['8422']],
    [8422, ['8422']],
    [{ tickets: [8422, 8423] }, ['8422', '8423']],
  ])('%j stands under the name of what it is of', (value, told) => {
    expect(othersIn(value, ['8421'], ticket)).toEqual(told);
  });

  it.each<JsonValue>([
    { customer: 20_418, status: 'queued' },
    { customer: { id: 20_418 } },
    { eta_minutes: 240 },
    { amount: 4200, status: 201 },
    { code: 1234 },
    { saved: true, retry_after: 1000 },
    { ticket: 8422, url: 'https://desk.example/tickets/8421' },
    { ticket: 8422, text: 'Ticket 8421 was there already.' },
    { ref: 'T-8421', eta: 4200 },
    { number: 4200, key: 4201 },
  ])('%j names none: it stands under another name, or beside a known id', (value) => {
    expect(othersIn(value, ['8421'], ticket)).toEqual([]);
  });

  it('a prefix that several kinds share is no name of one', () => {
    expect(othersIn({ order: 'ord-2', customer: 'ord-9' }, ['ord-1'], ['orders.create'])).toEqual(['ord-2']);
    expect(othersIn({ req: 'req-17' }, ['req-5'], ['pay'])).toEqual([]);
  });

  it('a member that holds a known id in another answer of the command may hold another in this one', () => {
    expect(othersIn({ reference: 'P-2' }, ['P-1'], ['pay'])).toEqual([]);
    expect(othersIn({ reference: 'P-2' }, ['P-1'], ['pay'], ['reference'])).toEqual(['P-2']);
  });
});

it('an id is held as a part of its own, and a short one as the whole text alone', () => {
  expect(['https://x/8421', 'T-8421', 'Ticket 8421 created', '8421'].every((text) => holdsId(text, '8421'))).toBe(true);
  expect(['18421', '84210', 'x8421', ''].some((text) => holdsId(text, '8421'))).toBe(false);
  expect([holdsId('7', '7'), holdsId('T-7', '7')]).toEqual([true, false]);
});

describe('R73 recorded ids that a value holds', () => {
  const find = createIdFinder(['8421', 'mail-301', 'T-1', '7', '—']);

  it.each<readonly [JsonValue, readonly string[]]>([
    [{ ticket: 8421 }, ['8421']],
    [{ url: 'https://desk.example/t/8421?v=1', list: [['mail-301 was sent']] }, ['8421', 'mail-301']],
    ['T-1 and mail-301', ['T-1', 'mail-301']],
    [{ amount: 18421, order: '8421b', of: 'T-10' }, []],
    [{ count: 7, text: 'of 7' }, ['7']],
    [['—'], ['—']],
    [{ '8421': true }, []],
    [null, []],
  ])('%j: %j', (value, ids) => {
    expect([...find(value)].sort()).toEqual([...ids].sort());
    // The same as asking of each id alone.
    const known = ['8421', 'mail-301', 'T-1', '7', '—'];
    expect(known.filter((id) => holdsAnyId(value, [id])).sort()).toEqual([...ids].sort());
  });
});
