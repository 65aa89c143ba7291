import { endAll, hashPassword } from '../../../../auth/index.ts';
import type { Context } from '../../../../context.ts';
import type { Prisma } from '../../../../database/client/client.ts';
import { Forbidden, ForbiddenPlainly } from '../../../../errors.ts';
import { record } from '../../../../events/record.ts';
import { writes } from '../../../../policy/index.ts';
import { nameProblems } from '../../../../values/text/visible-names.ts';
import { userAttributes } from '../../../../values/attributes/user-attributes.ts';
import { requireAdministrator } from '../../../engine/administrators.ts';
import { attributeInputs, checkAttributes } from '../../../engine/attributes.ts';
import { builder } from '../../../engine/builder.ts';
import { checkIdentity, identityInput, setIdentity } from '../../identities/given.ts';
import { mailConfirmation } from '../../emails/links.ts';
import { Problems, unlessTaken } from '../../../engine/input.ts';
import { avatarOptions, checkAvatar } from '../../../places/avatars/input.ts';
import type { Picture } from '../../../places/avatars/picture.ts';
import { storeAvatar, within } from '../../../places/avatars/store.ts';
import { pathProblems } from '../../../places/place/paths.ts';
import { mergeAllOf } from '../../../reviews/merging/when-due.ts';
import { publishEndOfAuthorizations } from '../../../access/token-info/ended.ts';
import { addressProblems, normalAddress } from '../addresses.ts';
import { auditUser } from './audit.ts';
import {
  commitAddressProblems,
  commitEmailDescription,
  ownAddressProblems,
  storedCommitAddress,
} from '../fields/commit-email.ts';
import { alreadyTaken, refuseTakenAddress } from './create.ts';
import { existingUser, isInternal } from '../find.ts';
import { keepAnAdministrator } from './last-administrator.ts';
import { knownPerson, passwordProblems } from './password.ts';
import { userPayload } from './payload.ts';
import { setAttributes, setCommitAddress } from '../statements/attributes.ts';
import { renameUser } from '../statements/rename.ts';
import { TierType } from '../types.ts';

const input = builder.inputType('UpdateUserInput', {
  description: 'Omitted fields stay as they are.',
  fields: (t) => ({
    userId: t.id({ required: true }),
    username: t.string({ description: 'The paths of the person’s own projects change with it.' }),
    name: t.string(),
    email: t.string({
      description:
        'A new primary address. Unless it is verified, it is a secondary address until it is confirmed, and the old one stays primary.',
    }),
    emailVerified: t.boolean({
      defaultValue: false,
      description: 'Whether the new address is verified already.',
    }),
    publicEmail: t.string({ description: 'The address shown to everyone, one of the verified ones; empty for none.' }),
    password: t.string({
      description: 'Ends the person’s sessions and OAuth tokens. Another person has to change it at the next sign-in.',
    }),
    administrator: t.boolean(),
    tier: t.field({ type: TierType }),
    avatar: t.field(avatarOptions),
    commitEmail: t.string({ description: commitEmailDescription }),
    identity: t.field({ type: identityInput, description: 'Their names at other providers stay.' }),
    ...attributeInputs(t, userAttributes),
  }),
});
type Input = typeof input.$inferInput;

/** @returns the picture to store @throws InvalidFields */
async function check(context: Context, userId: number, given: Input): Promise<Picture | null | undefined> {
  const problems = new Problems();
  if (given.email != null) problems.add('email', addressProblems(normalAddress(given.email)));
  if (given.name != null) problems.add('name', nameProblems(given.name));
  if (given.username != null) problems.add('username', pathProblems(given.username, true));
  if (given.password != null) {
    const { username, name, addresses } = await knownPerson(context, userId);
    const becomes = {
      username: given.username ?? username,
      name: given.name ?? name,
      addresses: given.email == null ? addresses : [...addresses, given.email],
    };
    problems.add('password', await passwordProblems(context, given.password, becomes));
  }
  const verified = given.email != null && given.emailVerified ? normalAddress(given.email) : undefined;
  problems.add('publicEmail', await ownAddressProblems(context, userId, given.publicEmail, verified));
  problems.add('commitEmail', await commitAddressProblems(context, userId, given.commitEmail, verified));
  checkIdentity(problems, given.identity);
  checkAttributes(problems, userAttributes, given);
  const avatar = checkAvatar(problems, given.avatar);
  problems.refuse();
  return avatar;
}

builder.mutationField('updateUser', (t) =>
  t.field({
    type: userPayload('UpdateUserPayload'),
    nullable: true,
    description: 'Changes an account. For administrators.',
    admission: { class: 'session', recent: true, personalToken: writes },
    args: { input: t.arg({ type: input, required: true }) },
    resolve: async (_root, { input: given }, context) => {
      requireAdministrator(context);
      const user = await existingUser(context, given.userId);
      const { id, username, attributes } = user;
      // No person owns it: with an address or a password, one would.
      if (isInternal(attributes)) throw new ForbiddenPlainly('Internal users cannot be changed');
      // An administrator can't remove their own right: an instance without one would be locked.
      if (given.administrator === false && id === context.viewer.person?.id)
        throw new Forbidden('You can’t take this right from yourself.');
      if (given.email != null) await refuseTakenAddress(context, normalAddress(given.email), id);
      const avatar = await check(context, id, given);
      const passwordHash = given.password == null ? null : await hashPassword(given.password);
      const unconfirmed = await unlessTaken(
        { Route: 'username', Email: 'email', Identity: 'identity' },
        () => context.database.prisma.$transaction((prisma) => store(prisma, context, user, given, avatar)),
        alreadyTaken,
      );
      if (unconfirmed && context.mail.configured)
        await mailConfirmation(context, { ...unconfirmed, userId: id, username: given.username ?? username });
      if (passwordHash !== null) {
        // Only its owner should know it.
        await endAll(context.database, id, null, passwordHash, id !== context.viewer.person?.id);
        publishEndOfAuthorizations(context, id);
      }
      await auditUser(context, 'user_updated', id, namesOf(given).join(' '));
      return { id };
    },
  }),
);

/** Stores what is given. @returns the new address, if it needs confirmation */
async function store(
  prisma: Prisma.TransactionClient,
  context: Context,
  { id, username }: { readonly id: number; readonly username: string },
  given: Input,
  avatar: Picture | null | undefined,
): Promise<{ id: number; address: string } | null> {
  if (given.administrator === false) await keepAnAdministrator(prisma, id);
  await prisma.user.update({
    where: { id },
    data: {
      ...(given.name != null && { name: given.name, namespace: { update: { name: given.name } } }),
      ...(given.publicEmail != null && {
        publicEmail: given.publicEmail === '' ? null : normalAddress(given.publicEmail),
      }),
      ...(given.administrator != null && { administrator: given.administrator }),
      ...(given.tier != null && { tier: given.tier }),
    },
  });
  await setAttributes(prisma, id, given);
  await storeAvatar(within(prisma), 'user', id, avatar);
  await setIdentity(prisma, id, given.identity);
  if (given.commitEmail !== undefined) await setCommitAddress(prisma, id, storedCommitAddress(given.commitEmail ?? ''));
  if (given.username != null && given.username !== username) {
    const actorId = context.viewer.person?.id ?? null;
    const subjectId = await renameUser(prisma, id, given.username);
    await record(within(prisma), 'namespace.renamed', { actorId, subjectId });
  }
  const unconfirmed =
    given.email == null
      ? null
      : await changeEmail(prisma, id, normalAddress(given.email), given.emailVerified === true);
  if (given.administrator === true) await mergeAllOf(within(prisma), [id]);
  return unconfirmed;
}

/** The names of what is changed, for the audit log. Null clears an attribute and the avatar, and leaves the rest as it is. */
function namesOf({ userId: _userId, ...changes }: Input): string[] {
  return Object.entries(changes)
    .filter(([name, value]) => value != null || (value === null && (name in userAttributes || name === 'avatar')))
    .map(([name]) => name);
}

/**
 * Changes the primary address, if the new one is verified. An unverified address doesn't replace a verified one:
 * its owner could then reset the password and sign in.
 * @returns the address if it still needs confirmation
 */
async function changeEmail(
  prisma: Prisma.TransactionClient,
  userId: number,
  address: string,
  verified: boolean,
): Promise<{ id: number; address: string } | null> {
  const emails = await prisma.email.findMany({ where: { userId } });
  const primary = emails.find(({ primaryOf }) => primaryOf !== null);
  const own = emails.find((email) => email.address === address);
  const verifiedAt = verified ? new Date() : null;
  if (own) {
    if (verified && !own.verifiedAt) await prisma.email.update({ where: { id: own.id }, data: { verifiedAt } });
  }
  const id = own?.id ?? (await prisma.email.create({ data: { userId, address, verifiedAt } })).id;
  const isVerified = verified || own?.verifiedAt != null;
  const unconfirmed = isVerified ? null : { id, address };
  if (id === primary?.id || (!isVerified && primary?.verifiedAt != null)) return unconfirmed;
  if (primary) {
    // The former address was never verified: it is removed, so that its links no longer confirm anything.
    if (primary.verifiedAt === null) await prisma.email.delete({ where: { id: primary.id } });
    else await prisma.email.update({ where: { id: primary.id }, data: { primaryOf: null } });
  }
  await prisma.email.update({ where: { id }, data: { primaryOf: userId } });
  return unconfirmed;
}
