import { expect, test } from 'vitest';
import { statement } from '../../src/database/wire/statement.ts';

/** A connection prepares a statement once, and knows it by its name after that. */

test('two statements of one name are refused: a connection would run the one that it knows', () => {
  const read = () => statement('names_of_fish', 'select name from fish');
  expect(read()).toEqual(read());
  expect(() => statement('names_of_fish', 'select name from fish where id = $1')).toThrow(
    'Two statements are called names_of_fish.',
  );
});

test('a name that PostgreSQL would cut is refused', () => {
  expect(() => statement('n'.repeat(63), 'select 1')).not.toThrow();
  expect(() => statement('n'.repeat(64), 'select 1')).toThrow('The name of a statement is too long');
});

test('statements without a name may have any text: they are prepared for each run', () => {
  expect([statement('', 'select 1'), statement('', 'select 2')]).toMatchObject([
    { text: 'select 1' },
    { text: 'select 2' },
  ]);
});
