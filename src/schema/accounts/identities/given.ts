import type { Prisma } from '../../../database/client/client.ts';
import { InvalidFields } from '../../../errors.ts';
import { tooLong } from '../../../values/text/lengths.ts';
import { builder } from '../../engine/builder.ts';
import type { Problems } from '../../engine/input.ts';

/** What accounts are called at other providers: one name a provider, and one account a name. */

export const identityInput = builder.inputType('UserIdentityInput', {
  description: 'What the account is called at another provider.',
  fields: (t) => ({ provider: t.string({ required: true }), externUid: t.string({ required: true }) }),
});
type Identity = typeof identityInput.$inferInput;

/** Maximum length of each text, in characters. */
const longest = 255;

/** Adds why an identity is refused. */
export function checkIdentity(problems: Problems, identity: Identity | null | undefined): void {
  if (identity == null) return;
  for (const [name, value] of [
    ['provider', identity.provider],
    ['externUid', identity.externUid],
  ] as const) {
    if (value.trim() === '') problems.add(`identities.${name}`, ["can't be blank"]);
    if ([...value].length > longest) problems.add(`identities.${name}`, [tooLong(longest)]);
  }
}

/** Sets the name of an account at a provider; its names at others stay. A taken name violates a unique key. */
export async function setIdentity(
  prisma: Prisma.TransactionClient,
  userId: number,
  identity: Identity | null | undefined,
): Promise<void> {
  if (identity == null) return;
  const { provider, externUid } = identity;
  await prisma.identity.upsert({
    where: { userId_provider: { userId, provider } },
    create: { userId, provider, externUid },
    update: { externUid },
  });
}

/** The error for a taken name. */
export const identityTaken = () => new InvalidFields({ 'identities.externUid': ['has already been taken'] });
