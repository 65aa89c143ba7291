import { describe, expect, test } from 'vitest';
import { coerce, type Declaration, type Parameter } from '../../src/rest/engine/parameters.ts';

/** Parameter parsing and its errors, with version 4's texts. */

const parameter = (name: string, type: Parameter['type'], more: Partial<Parameter> = {}): Parameter => ({
  name,
  type,
  description: '',
  ...more,
});
const read = (declared: readonly Declaration[], sent: Record<string, unknown>) => coerce(declared, sent);
const problemsOf = (declared: readonly Declaration[], sent: Record<string, unknown>) =>
  read(declared, sent).problems.join(', ');

describe('a value', () => {
  test.each<[Parameter['type'], unknown, unknown]>([
    ['date', '2026-02-28', '2026-02-28'],
    ['date-time', '2026-06-28T10:52:04Z', '2026-06-28T10:52:04.000Z'],
    ['date-time', '2026-06-28', '2026-06-28T00:00:00.000Z'],
    ['date-time', '2026-06-28 10:52', '2026-06-28T10:52:00.000Z'],
    ['date-time', '2026-06-28T10:52:04.5+02:00', '2026-06-28T08:52:04.500Z'],
    ['date-time', '2026-06-28T10:52:04-0200', '2026-06-28T12:52:04.000Z'],
    ['strings', 'a, b,,c', ['a', 'b', 'c']],
    ['strings', ['a,b', ' c '], ['a,b', 'c']],
    ['strings', '', []],
    ['strings', 7, ['7']],
    ['integers', '1,2', [1, 2]],
    ['integers', ['3', 4], [3, 4]],
    ['integers', 5, [5]],
    ['strings', false, []],
    ['integers', null, null],
    ['integer', '', null],
    ['object', { a: [{ b: 1 }] }, { a: [{ b: 1 }] }],
    ['object', '', null],
  ])('of type %s may be %o', (type, sent, expected) => {
    expect(read([parameter('x', type)], { x: sent })).toEqual({ values: { x: expected }, problems: [] });
  });

  test.each<[Parameter['type'], unknown]>([
    ['date', '2026-02-30'],
    ['date', '28.06.2026'],
    ['date', 20260628],
    ['date', '2026-6-28'],
    ['date', {}],
    ['date', '0000-01-01'],
    ['date-time', '0000-01-01T00:00:00Z'],
    ['date-time', '0001-01-01T00:00:00+01:00'],
    ['date-time', '9999-12-31T23:59:59-01:00'],
    ['date-time', 'yesterday'],
    ['date-time', '2026-06-28T25:00:00Z'],
    ['date-time', '2026-02-30T10:00:00Z'],
    ['date-time', 1_782_643_924],
    ['strings', { a: 'b' }],
    ['strings', [['a']]],
    ['strings', Array.from({ length: 1001 }, () => 'a')],
    ['integers', '1,x'],
    ['integers', [1.5]],
    ['integers', [null]],
    ['object', []],
    ['object', '{}'],
    ['integer', Object.create(null)],
  ])('of type %s can’t be %o', (type, sent) => {
    expect(problemsOf([parameter('x', type)], { x: sent })).toBe('x is invalid');
  });

  test.each<[Partial<Parameter>, unknown, string]>([
    [{ allowed: ['a', 'b'] }, 'c', 'x does not have a valid value'],
    [{ allowed: ['a', 'b'] }, '', 'x does not have a valid value'],
    [{ allowed: ['a', 'b'] }, ['a'], 'x is invalid'],
    [{ allowed: ['a', 'b'], required: true }, undefined, 'x is missing, x does not have a valid value'],
    [{ notBlank: true, required: true }, undefined, 'x is missing, x is empty'],
    [{ notBlank: true }, ' ', 'x is empty'],
    [{ forbidden: ['no'] }, 'no', 'x has a value not allowed'],
    [{ allowed: ['a'] }, undefined, ''],
    [{ allowed: ['a'] }, null, ''],
  ])('declared as %o refuses %o with its own error', (declared, sent, problem) => {
    expect(problemsOf([parameter('x', 'string', declared)], sent === undefined ? {} : { x: sent })).toBe(problem);
  });

  test('has its default only if it isn’t sent', () => {
    const declared = [parameter('x', 'integer', { default: 1 })];
    expect(read(declared, {}).values).toEqual({ x: 1 });
    expect(read(declared, { x: '2' }).values).toEqual({ x: 2 });
  });
});

describe('a parameter group', () => {
  const group = (rule: 'at least one' | 'exactly one' | 'at most one' | 'all or none') =>
    [parameter('a', 'string'), parameter('b', 'string'), { rule, of: ['a', 'b'] }] as const;
  test.each([
    ['at least one', {}, 'a, b are missing, at least one parameter must be provided'],
    ['at least one', { b: '' }, ''],
    ['exactly one', {}, 'a, b are missing, exactly one parameter must be provided'],
    ['exactly one', { a: '1', b: '2' }, 'a, b are mutually exclusive'],
    ['exactly one', { a: '1' }, ''],
    ['at most one', { a: '1', b: '2' }, 'a, b are mutually exclusive'],
    ['at most one', {}, ''],
    ['all or none', { a: '1' }, 'a, b provide all or none of parameters'],
    ['all or none', { a: '1', b: '2' }, ''],
    ['all or none', {}, ''],
  ] as const)('with the rule %s: %o gives "%s"', (rule, sent, problem) => {
    expect(problemsOf(group(rule), sent)).toBe(problem);
  });

  test('reports its problem at its position in the declaration', () => {
    const members = [
      parameter('access_level', 'integer', { required: true }),
      parameter('user_id', 'integer'),
      parameter('username', 'string'),
      { rule: 'at least one', of: ['user_id', 'username'] },
      parameter('expires_at', 'date'),
    ] as const;
    expect(problemsOf(members, { expires_at: 'x' })).toBe(
      'access_level is missing, user_id, username are missing, at least one parameter must be provided, expires_at is invalid',
    );
    const snippet = [
      parameter('visibility', 'string', { required: true, allowed: ['private'] }),
      parameter('title', 'string', { required: true, notBlank: true }),
      parameter('name', 'string', { required: true }),
    ];
    expect(problemsOf(snippet, {})).toBe(
      'visibility is missing, visibility does not have a valid value, title is missing, title is empty, name is missing',
    );
  });
});
