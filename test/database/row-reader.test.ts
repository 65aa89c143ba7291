import pg from 'pg';
import { expect, test } from 'vitest';
import { rowReader } from '../../src/database/wire/row-reader.ts';

/** Rows are read by a loop at first, and then by a function made for their columns. */

const { INT4, TEXT, BOOL, JSONB, TIMESTAMPTZ } = pg.types.builtins;
const fields = [
  { name: 'id', dataTypeID: INT4 },
  { name: 'title', dataTypeID: TEXT },
  { name: 'isOpen', dataTypeID: BOOL },
  { name: 'labels', dataTypeID: JSONB },
  { name: 'created_at', dataTypeID: TIMESTAMPTZ },
];
const texts = ['7', 'Sails "torn"', 't', '[{"id":1}]', '2026-06-28 10:52:04.12+00'];
const row = {
  id: 7,
  title: 'Sails "torn"',
  isOpen: true,
  labels: [{ id: 1 }],
  created_at: new Date('2026-06-28T10:52:04.120Z'),
};
const many = 500;

test('every row is read alike, the first ones and the later ones', () => {
  const read = rowReader(fields, 0);
  for (let turn = 0; turn < many; turn++) {
    expect(read(texts)).toEqual(row);
    expect(read(texts.map(() => null))).toEqual(Object.fromEntries(fields.map(({ name }) => [name, null])));
  }
});

test('a row that begins after another one is read from there', () => {
  const read = rowReader(fields.slice(0, 2), 3);
  for (let turn = 0; turn < many; turn++)
    expect(read(['1', 'other', 'x', ...texts])).toEqual({ id: 7, title: 'Sails "torn"' });
});

test.each(['a"b', 'a: 1, b', '__proto__', '?column?', 'a-b', '', 'ä'])(
  'the name %j is a name and nothing else',
  (name) => {
    const read = rowReader([{ name, dataTypeID: TEXT }], 0);
    for (let turn = 0; turn < many; turn++) expect(Object.entries(read(['text']))).toEqual([[name, 'text']]);
  },
);
