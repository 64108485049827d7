import { afterEach, describe, expect, it, vi } from 'vitest';
import { dateToDay, dayToDate, isHeldBack, retentionToText } from './retention.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

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

  it.each(['UTC', 'America/New_York', 'Asia/Kolkata'])(
    'takes the days of a form and shows the same day (%s)',
    (zone) => {
      vi.stubEnv('TZ', zone);
      const date = dayToDate('2026-12-31');
      expect(dateToDay(date)).toBe('2026-12-31');
      expect(retentionToText({ ...plain, keepUntil: date })).toBe('until 31 Dec 2026');
      expect([dayToDate(''), dayToDate('2026-13-01'), dateToDay(undefined)]).toEqual([undefined, undefined, '']);
    },
  );

  it('begins a day where the person is', () => {
    vi.stubEnv('TZ', 'America/New_York');
    expect(dayToDate('2026-12-31')).toBe('2026-12-31T05:00:00.000Z');
  });
});
