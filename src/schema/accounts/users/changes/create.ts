import { hashPassword, keepMailedToken } from '../../../../auth/index.ts';
import type { Context } from '../../../../context.ts';
import { Conflict } from '../../../../errors.ts';
import { messages } from '../../../../mail/index.ts';
import { writes } from '../../../../policy/index.ts';
import { nameProblems } from '../../../../values/text/visible-names.ts';
import { userAttributes } from '../../../../values/attributes/user-attributes.ts';
import { requireAdministrator } from '../../../engine/administrators.ts';
import { attributeInputs, checkAttributes } from '../../../engine/attributes.ts';
import { builder } from '../../../engine/builder.ts';
import { checkIdentity, identityInput, identityTaken, setIdentity } from '../../identities/given.ts';
import { mailConfirmation, type Unconfirmed } from '../../emails/links.ts';
import { Problems, unlessTaken } from '../../../engine/input.ts';
import { passwordLink } from '../../passwords/link.ts';
import { AvatarInput, checkAvatar } from '../../../places/avatars/input.ts';
import { storeAvatar, within } from '../../../places/avatars/store.ts';
import { pathProblems } from '../../../places/place/paths.ts';
import { addressProblems, normalAddress } from '../addresses.ts';
import { auditUser } from './audit.ts';
import { makeAccount } from './make.ts';
import { passwordProblems } from './password.ts';
import { userPayload } from './payload.ts';
import {
  commitAddressProblems,
  commitEmailDescription,
  ownAddressProblems,
  storedCommitAddress,
} from '../fields/commit-email.ts';
import { setAttributes, setCommitAddress } from '../statements/attributes.ts';
import { TierType } from '../types.ts';

/** The message for a taken name or address. Clients rely on its words to recognize the case. */
export const alreadyTaken = (field: string) =>
  field === 'identity'
    ? identityTaken()
    : new Conflict(`${field === 'email' ? 'Email' : 'Username'} has already been taken`, field);

/**
 * Refuses an address that a person has already. Call it before everything else is checked: whatever else is wrong, clients
 * expect the message about the address, by which they recognize that the person is there.
 * @param own the person who may have it already
 * @throws Conflict
 */
export async function refuseTakenAddress({ database }: Context, address: string, own?: number): Promise<void> {
  // No person has such an address, and not every text can be looked up.
  if (addressProblems(address).length > 0) return;
  const owned = await database.prisma.email.findUnique({ where: { address }, select: { userId: true } });
  if (owned && owned.userId !== own) throw alreadyTaken('email');
}

const CreateUserPayload = userPayload('CreateUserPayload');

builder.mutationField('createUser', (t) =>
  t.field({
    type: CreateUserPayload,
    nullable: true,
    description: 'Creates an account, with its own namespace. For administrators.',
    admission: { class: 'session', recent: true, personalToken: writes },
    args: {
      input: t.arg({
        required: true,
        type: builder.inputType('CreateUserInput', {
          fields: (field) => ({
            username: field.string({ required: true }),
            name: field.string({ required: true }),
            email: field.string({ required: true, description: 'The primary address.' }),
            emailVerified: field.boolean({
              required: true,
              description: 'Whether it is verified already, so that no confirmation is needed.',
            }),
            password: field.string({ description: 'Omitted: the account has no password yet.' }),
            sendPasswordLink: field.boolean({
              defaultValue: false,
              description: 'Sends the person a link to choose a password. The address must be verified.',
            }),
            administrator: field.boolean({ defaultValue: false }),
            tier: field.field({ type: TierType, defaultValue: 'FREE' }),
            avatar: field.field({ type: AvatarInput }),
            publicEmail: field.string({
              description: 'The address shown to everyone: the primary one, if it is verified; empty for none.',
            }),
            commitEmail: field.string({ description: commitEmailDescription }),
            identity: field.field({ type: identityInput }),
            ...attributeInputs(field, userAttributes),
          }),
        }),
      }),
    },
    resolve: async (_root, { input }, context) => {
      requireAdministrator(context);
      const { username, name, password } = input;
      const address = normalAddress(input.email);
      await refuseTakenAddress(context, address);
      const problems = new Problems();
      problems.add('email', addressProblems(address));
      problems.add('name', nameProblems(name));
      problems.add('username', pathProblems(username, true));
      if (password != null)
        problems.add('password', await passwordProblems(context, password, { username, name, addresses: [address] }));
      const verified = input.emailVerified ? address : undefined;
      problems.add('publicEmail', await ownAddressProblems(context, null, input.publicEmail, verified));
      problems.add('commitEmail', await commitAddressProblems(context, null, input.commitEmail, verified));
      checkIdentity(problems, input.identity);
      checkAttributes(problems, userAttributes, input);
      const avatar = checkAvatar(problems, input.avatar);
      problems.refuse();

      const passwordHash = password == null ? null : await hashPassword(password);
      const verifiedAt = input.emailVerified ? new Date() : null;
      const { userId, emailId } = await unlessTaken(
        { Route: 'username', Email: 'email', Identity: 'identity' },
        () =>
          context.database.prisma.$transaction(async (prisma) => {
            const made = await makeAccount(prisma, { username, name, passwordHash, address });
            const { administrator, tier } = input;
            await prisma.user.update({
              where: { id: made.userId },
              data: {
                administrator: administrator ?? false,
                tier: tier ?? 'FREE',
                publicEmail: input.publicEmail ? address : null,
                createdById: context.viewer.person?.id ?? null,
              },
            });
            await setAttributes(prisma, made.userId, input);
            await storeAvatar(within(prisma), 'user', made.userId, avatar);
            await setIdentity(prisma, made.userId, input.identity);
            if (input.commitEmail) await setCommitAddress(prisma, made.userId, storedCommitAddress(input.commitEmail));
            if (verifiedAt) await prisma.email.update({ where: { id: made.emailId }, data: { verifiedAt } });
            return made;
          }),
        alreadyTaken,
      );
      await auditUser(context, 'user_created', userId);
      await write(
        context,
        { id: emailId, address, userId, username },
        verifiedAt !== null,
        input.sendPasswordLink === true,
      );
      return { id: userId };
    },
  }),
);

/**
 * Mails a new person a link to confirm the address or to choose a password. An unverified address gets no secret:
 * it may be another person's.
 */
async function write(
  context: Context,
  email: Unconfirmed,
  verified: boolean,
  sendPasswordLink: boolean,
): Promise<void> {
  const { database, mail, baseUrl } = context;
  if (!mail.configured) return;
  if (!verified) return void (await mailConfirmation(context, email));
  if (!sendPasswordLink) return;
  const token = await keepMailedToken(database, 'RESET_PASSWORD', email.id);
  mail.send(email.address, messages.resetPassword(email.username, passwordLink(baseUrl, token)));
}
