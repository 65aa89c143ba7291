import { BadRequest } from '../../errors.ts';
import { maxSkipped, pageSize } from '../../values/page-size.ts';
import { builder } from './builder.ts';

/** The arguments of a list that is read by position and has no cursors: one’s own few records, on pages. */
export const partArguments = builder.args((t) => ({
  limit: t.int({ defaultValue: pageSize.maxSize, description: `At most so many, up to ${pageSize.maxSize}.` }),
  offset: t.int({ defaultValue: 0, description: 'How many to skip.' }),
}));

interface PartArguments {
  readonly limit?: number | null;
  readonly offset?: number | null;
}

/** The part of a list that was asked for. @throws BadRequest */
export function partOf({ limit: most, offset: skipped }: PartArguments): {
  readonly limit: number;
  readonly offset: number;
} {
  const limit = most ?? pageSize.maxSize;
  const offset = skipped ?? 0;
  if (limit < 0 || limit > pageSize.maxSize) throw new BadRequest(`A limit is from 0 to ${pageSize.maxSize}.`);
  if (offset < 0 || offset > maxSkipped) throw new BadRequest(`An offset is from 0 to ${maxSkipped}.`);
  return { limit, offset };
}
