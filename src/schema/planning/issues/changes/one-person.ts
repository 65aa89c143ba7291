import type { Context } from '../../../../context.ts';
import { BadRequest } from '../../../../errors.ts';
import { userByReference } from '../../../accounts/users/find.ts';
import { builder } from '../../../engine/builder.ts';

/** Setting the one person of an issue or a merge request as GitLab sets several: all, one more, or one less. */

export const MutationOperationMode = builder.enumType('MutationOperationMode', {
  values: { REPLACE: {}, APPEND: {}, REMOVE: {} } as const,
});

interface Asked {
  readonly names: readonly string[];
  readonly mode: 'REPLACE' | 'APPEND' | 'REMOVE' | null | undefined;
  /** The person before. */
  readonly now: number | null;
}

/**
 * The person afterwards; undefined if nothing is to change.
 * @param refusal of several people
 * @throws BadRequest for several people, NotFound for an unknown one
 */
export async function onePerson(
  context: Context,
  refusal: string,
  { names, mode, now }: Asked,
): Promise<number | null | undefined> {
  if (names.length > 1) throw new BadRequest(refusal);
  const [name] = names;
  const id = name === undefined ? null : (await userByReference(context, name)).id;
  if (mode === 'REMOVE') return id === now ? null : undefined;
  if (mode === 'APPEND' && (id === null || now !== null)) {
    if (id !== null && id !== now) throw new BadRequest(refusal);
    return undefined;
  }
  return id;
}
