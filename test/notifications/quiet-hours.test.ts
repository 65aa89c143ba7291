import fc from 'fast-check';
import { expect, test } from 'vitest';
import { quietUntil } from '../../src/notify/quiet-hours.ts';

/** When quiet hours end. */

const at = (hour: number, minute = 0) => hour * 60 + minute;
const until = (moment: string, from: number, to: number, zone: string) =>
  quietUntil(new Date(moment), { from, until: to, zone })?.toISOString() ?? null;

test.each<[string, string, number, number, string, string | null]>([
  ['before them', '2026-01-10T20:59:59Z', at(22), at(7), 'Europe/Vienna', null],
  ['at their first minute', '2026-01-10T21:00:00Z', at(22), at(7), 'Europe/Vienna', '2026-01-11T06:00:00.000Z'],
  ['after midnight', '2026-01-11T05:59:30Z', at(22), at(7), 'Europe/Vienna', '2026-01-11T06:00:00.000Z'],
  ['at their end', '2026-01-11T06:00:00Z', at(22), at(7), 'Europe/Vienna', null],
  ['within one day', '2026-01-11T12:30:00Z', at(12), at(14), 'UTC', '2026-01-11T14:00:00.000Z'],
  ['in a zone with a half hour', '2026-01-11T17:00:00Z', at(22), at(6, 30), 'Asia/Kolkata', '2026-01-12T01:00:00.000Z'],
  ['that are none', '2026-01-11T12:30:00Z', at(8), at(8), 'UTC', null],
  // The night of 29 March 2026 has no hour from two to three in Vienna, that of 25 October has it twice.
  ['when clocks go forward', '2026-03-28T22:00:00Z', at(22), at(7), 'Europe/Vienna', '2026-03-29T05:00:00.000Z'],
  [
    'that end in the hour that isn’t',
    '2026-03-29T00:30:00Z',
    at(22),
    at(2, 30),
    'Europe/Vienna',
    '2026-03-29T01:00:00.000Z',
  ],
  ['when clocks go back', '2026-10-24T21:00:00Z', at(22), at(7), 'Europe/Vienna', '2026-10-25T06:00:00.000Z'],
])('%s', (_when, moment, from, to, zone, end) => {
  expect(until(moment, from, to, zone)).toBe(end);
});

test('they end soon, at a moment that isn’t in them, and not a minute late', () => {
  const minutes = fc.integer({ min: 0, max: 1_439 });
  const zones = fc.constantFrom(
    'UTC',
    'Europe/Vienna',
    'America/St_Johns',
    'Australia/Lord_Howe',
    'Pacific/Apia',
    'Africa/Casablanca',
  );
  const moments = fc.integer({ min: Date.UTC(2025, 0), max: Date.UTC(2027, 0) });
  fc.assert(
    fc.property(moments, minutes, minutes, zones, (moment, from, to, zone) => {
      const hours = { from, until: to, zone };
      const end = quietUntil(new Date(moment), hours);
      if (!end) return;
      expect(end.getTime()).toBeGreaterThan(moment);
      expect(end.getTime() - moment).toBeLessThanOrEqual(25 * 3_600_000);
      expect(quietUntil(end, hours)).toBeNull();
      if (end.getTime() - 60_000 > moment) expect(quietUntil(new Date(end.getTime() - 60_000), hours)).toEqual(end);
    }),
    { numRuns: 2_000 },
  );
});
