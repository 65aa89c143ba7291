import { expect } from 'vitest';
import type { GraphQLAnswer } from './gateway.ts';

/** The data of an answer without errors. */
export function dataOf<Data>({ data, errors }: Pick<GraphQLAnswer<Data>, 'data' | 'errors'>): Data {
  expect(errors).toBeUndefined();
  return data!;
}

/** The single error of an answer: its message and extensions. */
export function refusal({
  errors,
}: Pick<GraphQLAnswer<unknown>, 'errors'>): { message: string } & Record<string, unknown> {
  expect(errors).toHaveLength(1);
  const { message, extensions } = errors![0]!;
  return { message, ...extensions };
}

/** What a mutation says is wrong with its input: the `errors` of the payload, whose record is null. */
export function problemsOf(answer: Pick<GraphQLAnswer<unknown>, 'data' | 'errors'>): readonly string[] {
  const [payload] = Object.values(dataOf(answer) as Record<string, { errors: string[] } & Record<string, unknown>>);
  const { errors, ...record } = payload!;
  expect(Object.values(record).filter((value) => value !== null)).toEqual([]);
  return errors;
}
