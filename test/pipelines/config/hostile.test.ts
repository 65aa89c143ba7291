import { expect, test } from 'vitest';
import { errorsOf, firstError, namesOf, planned } from './support.ts';

const tooBig = 'The parsed YAML is too big';
const times = (count: number, make: (index: number) => string, between = '\n') =>
  Array.from({ length: count }, (_, index) => make(index)).join(between);

test.each<[what: string, text: string]>([
  [
    'aliases of aliases',
    `a0: &a0 [x]\n${times(9, (i) => `a${i + 1}: &a${i + 1} [${times(10, () => `*a${i}`, ', ')}]`)}`,
  ],
  [
    'merge keys',
    `.a: &a {${times(2_000, (i) => `k${i}: 1`, ', ')}}\n${times(2_000, (i) => `.j${i}: {<<: *a}`)}\na: {script: a}`,
  ],
  [
    'references of references',
    `.a0: {script: [x]}\n${times(9, (i) => `.a${i + 1}: {script: [${times(10, () => `!reference [.a${i}, script]`, ', ')}]}`)}\na: {script: !reference [.a9, script]}`,
  ],
  ['lists in lists', `a: ${'['.repeat(3_000)}${']'.repeat(3_000)}`],
  ['open lists', '['.repeat(100_000)],
  ['lists of dashes', '- '.repeat(100_000)],
  ['mappings in mappings', '{a: '.repeat(100_000)],
  ['questions', '? '.repeat(100_000)],
  ['101 levels', `a: ${'['.repeat(100)}${']'.repeat(100)}`],
  ['depth by aliases', times(120, (i) => `a${i}: &a${i} [${i === 0 ? 'x' : `*a${i - 1}`}]`)],
  ['a text of more than a megabyte', `a: {script: a}\n# ${'x'.repeat(1_048_576)}`],
  [
    'a parent of many',
    `.b: {variables: {${times(5_000, (i) => `k${i}: 1`, ', ')}}}\n${times(1_000, (i) => `j${i}: {extends: .b, script: x}`)}`,
  ],
])('%s are refused', async (_, text) => {
  expect(await errorsOf(text)).toEqual([tooBig]);
});

test('99 levels are read', async () => {
  expect(await errorsOf(`a: {script: a}\n.b: ${'['.repeat(98)}${']'.repeat(98)}`)).toEqual([]);
});

test('files count together', async () => {
  const files = { 'a.yml': `.a: ${'x'.repeat(600_000)}`, 'b.yml': `.b: ${'x'.repeat(600_000)}` };
  expect(await errorsOf('include: [a.yml]\na: {script: a}', files)).toEqual([]);
  expect(await firstError('a: {script: a}\ninclude: [a.yml, b.yml]', files)).toMatchObject({
    message: tooBig,
    line: 2,
  });
});

test('a parent’s commands aren’t stored five hundred times without a bound', async () => {
  const text = `default: {before_script: [${times(20_000, () => 'abcd', ', ')}]}\n${times(400, (i) => `j${i}: {script: x}`)}`;
  expect(await planned(text)).toEqual({ errors: [{ message: tooBig, place: undefined }] });
});

test('jobs, copies and needs are counted before they are made', async () => {
  expect(await errorsOf(times(2_501, (i) => `j${i}: {script: x}`))).toEqual([
    'The number of jobs has exceeded the limit of 2500.',
  ]);
  expect(await errorsOf(times(500, (i) => `j${i}: {script: x, parallel: 200}`))).toEqual([
    'The number of jobs has exceeded the limit of 2500.',
  ]);
  expect(await planned(times(501, (i) => `j${i}: {script: x}`))).toEqual({
    errors: [{ message: 'The number of jobs has exceeded the limit of 500.' }],
  });
  expect(await namesOf(times(500, (i) => `j${i}: {script: x}`))).toHaveLength(500);
  const matrix = times(60, (i) => `V${i}: [1, 2, 3, 4, 5, 6, 7, 8, 9]`, ', ');
  expect(await errorsOf(`a: {script: a, parallel: {matrix: [{${matrix}}]}}`)).toEqual([
    'jobs:a:parallel:matrix config generates too many jobs (maximum is 200)',
  ]);
  const needs = (count: number) => `b: {stage: build, script: b, parallel: ${count}}\na: {script: a, needs: [b]}`;
  expect(await errorsOf(needs(50))).toEqual([]);
  expect(await errorsOf(needs(51))).toEqual([
    expect.stringMatching(/^a: one job can only need 50 others, but you have listed 51\./),
  ]);
});

test('no pattern runs away', async () => {
  const text = (pattern: string) => `a: {script: a, rules: [{if: '$A =~ ${pattern}'}]}`;
  const given = { A: `${'a'.repeat(50_000)}!` };
  expect(await namesOf(text('/^(a+)+$/'), { given })).toEqual([]);
  expect(await namesOf(text('/^(a|aa)+$/'), { given })).toEqual([]);
  expect(await namesOf(text('$P'), { given: { ...given, P: '/(a*)*b/' } })).toEqual([]);
  const invalid = ['jobs:a:rules:rule if invalid expression syntax'];
  expect(await errorsOf(text('/(((a{100}){100}){100})/'))).toEqual(invalid);
  expect(await errorsOf(text(`/${'(a?){1000}'.repeat(90)}/`))).toEqual(invalid);
  expect(await errorsOf(text(`/${'a'.repeat(3_000)}/`))).toEqual(invalid);
  expect(await errorsOf(text(`/a/ ${'|| $A '.repeat(3_000)}`))).toEqual(invalid);
  expect(await errorsOf(text(`/a/ || ${'('.repeat(200)}$A${')'.repeat(200)}`))).toEqual(invalid);
  const many = `a: {script: a, rules: [${times(100, (i) => `{if: '$A =~ /(x${i}|.){900}z/'}`, ', ')}]}`;
  expect(await errorsOf(many)).toEqual(['The configuration has too many patterns']);
});

test('no glob runs away, and a broken one matches nothing', async () => {
  const changed = times(2_000, (i) => `a/b/c${i}/d.ts`).split('\n');
  const text = (glob: string) => `a: {script: a, rules: [{changes: ['${glob}']}]}`;
  expect(await namesOf(text('**/*a'.repeat(60)), { changed })).toEqual([]);
  for (const glob of ['[', '[!', '{{{{', '[z-a]', '\\', '**'.repeat(600)])
    expect(await namesOf(text(glob), { changed })).toEqual([]);
  const many = `a: {script: a, rules: [${times(10_000, (i) => `{changes: ['${i}*']}`, ', ')}]}`;
  expect(await planned(many, { changed: changed.map((path) => path.repeat(2)) })).toEqual({
    errors: [
      {
        message: expect.stringMatching(
          /^The (rules of this configuration take too long|configuration has too many patterns)/,
        ),
      },
    ],
  });
});

test('variables of variables are bounded, and circles end', async () => {
  const text = (last: string) =>
    `variables: {${times(30, (i) => `V${i}: $V${i + 1}$V${i + 1}$V${i + 1}`, ', ')}, V30: ${last}}\na: {script: a, rules: [{if: $V0}]}`;
  expect(await namesOf(text('x'))).toEqual(['a']);
  expect(await namesOf(text('$V0$V1'))).toEqual(['a']);
});
