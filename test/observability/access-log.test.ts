import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { format, type AccessLine } from '../../src/observability/access-log.ts';

const all: AccessLine = {
  requestId: '0b0f3f4e-0d0c-4bb3-a7a4-29b6a7a1a0a1',
  traceId: '0af7651916cd43dd8448eb211c80319c',
  address: '2001:db8::7',
  method: 'GET',
  route: 'GET /api/v4/projects/:id',
  path: '/api/v4/projects/demo%2Fstorefront',
  status: 200,
  milliseconds: 12.3456,
  viewer: 7,
  actor: 1,
  operation: 'Everything',
  fields: ['currentUser', 'projects'],
  cost: 42,
  statements: 3,
  databaseMilliseconds: 4.56,
};
const least: AccessLine = {
  ...all,
  traceId: undefined,
  route: undefined,
  viewer: undefined,
  actor: undefined,
  operation: undefined,
  fields: undefined,
  cost: undefined,
  statements: 0,
  databaseMilliseconds: 0,
};

describe('the line of a request', () => {
  test('is JSON with everything known of the request', () => {
    const line = format(all, 'info', Date.UTC(2026, 1, 3, 4, 5, 6, 7));
    expect(line.endsWith('}\n')).toBe(true);
    expect(JSON.parse(line)).toEqual({
      ...all,
      level: 'info',
      time: '2026-02-03T04:05:06.007Z',
      milliseconds: 12.3,
      databaseMilliseconds: 4.6,
      fields: 'currentUser projects',
      message: 'request',
    });
  });

  test('omits unknown fields', () => {
    const { level, time, message, ...logged } = JSON.parse(format(least, 'debug')) as Record<string, unknown>;
    expect([level, message, Number.isNaN(Date.parse(time as string))]).toEqual(['debug', 'request', false]);
    expect(logged).toEqual({
      requestId: all.requestId,
      address: all.address,
      method: 'GET',
      path: all.path,
      status: 200,
      milliseconds: 12.3,
    });
  });

  test('writes the time as ISO 8601', () => {
    fc.assert(
      fc.property(
        fc.array(fc.date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true })),
        (moments) => {
          for (const moment of moments)
            expect((JSON.parse(format(all, 'info', moment.getTime())) as { time: string }).time).toBe(
              moment.toISOString(),
            );
        },
      ),
    );
  });

  test('is one line of JSON whatever a client sends, with a limited length', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('"', '\\', '\n', '\u2028', '\ud800', '\u007f', '"}\n{"level":"info"'),
    );
    fc.assert(
      fc.property(text, text, text, (path, method, operation) => {
        const line = format({ ...all, path, method, operation }, 'info');
        expect(line.indexOf('\n')).toBe(line.length - 1);
        expect(JSON.parse(line)).toMatchObject({ path, method, operation });
      }),
    );
    expect(format({ ...all, path: '/'.repeat(16_000) }, 'info').length).toBeLessThan(2_000);
  });
});
