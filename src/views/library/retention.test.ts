import { describe, expect, it } from 'vitest';
import { dateToDay, dayToDate, isHeldBack, retentionToText } from './retention.ts';

const plain = { hold: false, then: 'offer' } as const;

describe('retention', () => {
  it('reads as words', () => {
    expect(retentionToText(plain)).toBe('until deleted');
    expect(retentionToText({ ...plain, keepUntil: '2027-06-01T00:00:00.000Z', then: 'purge' })).toBe(
      'until 1 Jun 2027, then purged',
    );
    expect(retentionToText({ ...plain, floor: '2027-06-01T00:00:00.000Z' })).toBe(
      'until deleted, not before 1 Jun 2027',
    );
    expect(retentionToText({ ...plain, hold: true })).toBe('on hold');
  });

  it('holds a trace back before its floor (R77)', () => {
    const floor = '2027-06-01T00:00:00.000Z';
    expect(isHeldBack({ ...plain, floor }, '2027-05-31T23:59:59.000Z')).toBe(true);
    expect(isHeldBack({ ...plain, floor }, '2027-06-01T00:00:00.000Z')).toBe(false);
    expect(isHeldBack({ ...plain, hold: true }, '2099-01-01T00:00:00.000Z')).toBe(true);
  });

  it('takes the days of a form', () => {
    expect(dayToDate('2027-06-01')).toBe('2027-06-01T00:00:00.000Z');
    expect(dayToDate('')).toBeUndefined();
    expect([dateToDay('2027-06-01T00:00:00.000Z'), dateToDay(undefined)]).toEqual(['2027-06-01', '']);
  });
});
