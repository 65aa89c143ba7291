import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isoTime } from '../../src/values/time/iso-time.ts';

test('a moment is written as JavaScript writes it, of any year', () => {
  fc.assert(
    fc.property(fc.date({ noInvalidDate: true }), (moment) => {
      expect(isoTime(moment)).toBe(moment.toISOString());
    }),
    {
      numRuns: 2_000,
      examples: ['0001-01-01T00:00:00.000Z', '0999-12-31T23:59:59.999Z', '2026-01-09T09:09:09.099Z', '9999-12-31Z'].map(
        (text): [Date] => [new Date(text)],
      ),
    },
  );
  expect(() => isoTime(new Date(Number.NaN))).toThrow(RangeError);
});
