import { BadRequest, InvalidFields, Unprocessable } from '../../../errors.ts';
import { sentences } from '../../site/words.ts';

/** What the schema found wrong with the text of a comment, in sentences. @throws any other error */
export function mistakesOf(problem: unknown): string[] {
  // Of commands, none of which did something; of a review with too many comments.
  if (problem instanceof BadRequest || problem instanceof Unprocessable) return [problem.message];
  if (!(problem instanceof InvalidFields)) throw problem;
  return sentences('The comment', problem.fields.note);
}
