import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import type { GraphQLAnswer } from '../gateway.ts';

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

/** What the only mutation of an answer says is wrong with its input. The rest of its payload is null. */
export function inputErrors(answer: Pick<GraphQLAnswer<unknown>, 'data' | 'errors'>): readonly string[] {
  const [payload] = Object.values(dataOf(answer) as Record<string, { readonly errors: readonly string[] }>);
  const { errors, ...rest } = payload!;
  for (const [field, value] of Object.entries(rest)) expect([field, value]).toEqual([field, null]);
  return errors;
}

/** The answer to a request that a busy machine may refuse at first, as it does when very many come at once. */
export async function served<Answer extends { readonly status: number }>(ask: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await ask();
    if (answer.status !== 503) return answer;
    await pause(250);
  }
}
