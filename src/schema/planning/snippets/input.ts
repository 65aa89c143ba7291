import { longestDescription, titleProblems } from '../../../values/text/lengths.ts';
import { Problems } from '../../engine/input.ts';
import type { FieldsOf } from '../../engine/mutation.ts';
import { snippetById } from './read.ts';
import { Snippet } from './types.ts';

/** What creating and changing a snippet have in common. */

/** @throws InvalidFields */
export function checkTexts(title: string | null | undefined, description: string | null | undefined): void {
  const problems = new Problems();
  if (title?.trim() === '') problems.add('title', ["can't be blank"]);
  problems.add('title', titleProblems(title ?? ''));
  problems.bound('description', description, longestDescription);
  problems.refuse();
}

/** The payload of a mutation of a snippet: the snippet after it. */
export const snippetPayload = (t: FieldsOf<{ id: number }>) => ({
  snippet: t.field({
    type: Snippet,
    nullable: true,
    resolve: async ({ id }, _args, context) => (await snippetById(context, id)) ?? null,
  }),
});
