import { readPublicKey } from '../../../auth/index.ts';
import type { Context } from '../../../context.ts';
import { NotFound } from '../../../errors.ts';
import { writes } from '../../../policy/index.ts';
import { titleProblems } from '../../../values/text/lengths.ts';
import { existingUser } from '../../accounts/users/find.ts';
import { requireAdministrator } from '../../engine/administrators.ts';
import { idOf } from '../../engine/global-id.ts';
import { Problems } from '../../engine/input.ts';
import { mutation, type FieldsOf } from '../../engine/mutation.ts';
import { signedIn } from '../oauth/engine.ts';
import { deleteSshKey, insertSshKey, isTaken } from './statements.ts';
import { SshKey, SshKeyUsageType } from './types.ts';

/** The most keys of one person. */
const mostKeys = 100;

const forWhom = 'Whose, for administrators. Omitted: your own.';
/** A key lets someone in: no OAuth token and no sudo may change them. */
const admission = { class: 'session', recent: true, personalToken: writes } as const;

/** Whose keys are changed. @throws Forbidden, NotFound */
async function ownerOf(context: Context, userId: string | null | undefined): Promise<number> {
  if (userId == null) return signedIn(context).id;
  requireAdministrator(context);
  return (await existingUser(context, userId)).id;
}

const ofOrigin = ({ viewer, origin }: Context) =>
  [viewer.person?.id ?? null, origin.address, origin.requestId] as const;

mutation('addSshKey', {
  description: 'Adds an SSH key to an account.',
  admission,
  input: (t) => ({
    userId: t.id({ description: forWhom }),
    title: t.string({ description: 'Omitted: the comment of the key.' }),
    key: t.string({ required: true, description: 'The public key: a line as in `authorized_keys`.' }),
    expiresAt: t.field({ type: 'Time', description: 'From then on it is refused. Omitted: never.' }),
    usageType: t.field({ type: SshKeyUsageType, description: 'AUTH_AND_SIGNING if omitted.' }),
  }),
  payload: (t: FieldsOf<{ readonly id: number }>) => ({
    sshKey: t.prismaField({
      type: SshKey,
      resolve: (query, { id }, _args, { database }) =>
        database.prisma.sshKey.findUniqueOrThrow({ ...query, where: { id } }),
    }),
  }),
  resolve: async (context, { userId, title: given, key: text, expiresAt, usageType }) => {
    const owner = await ownerOf(context, userId);
    const read = await readPublicKey(text);
    const problems = new Problems();
    const title = (given ?? ('comment' in read ? read.comment : '')).trim();
    if (title === '' && (given != null || 'comment' in read)) problems.add('title', ["can't be blank"]);
    problems.add('title', titleProblems(title));
    if (expiresAt && expiresAt.getTime() <= Date.now()) problems.add('key', ['has expired']);
    if (!('sha256' in read)) {
      problems.add('key', read.key);
      problems.add('fingerprintSha256', read.fingerprintSha256 ?? []);
      problems.refuse();
      throw new TypeError('A key that isn’t there has a reason.');
    }
    problems.refuse();
    const [made] = await context.database.rows(insertSshKey, [
      owner,
      title,
      read.key,
      read.sha256,
      read.md5,
      usageType ?? 'AUTH_AND_SIGNING',
      expiresAt ?? null,
      mostKeys,
      ...ofOrigin(context),
    ]);
    if (made) return made;
    const [taken] = await context.database.rows(isTaken, [read.sha256]);
    if (taken) problems.add('fingerprintSha256', ['has already been taken']);
    else problems.add('key', [`is one too many (maximum is ${mostKeys})`]);
    problems.refuse();
    throw new TypeError('A key that wasn’t added has a reason.');
  },
});

mutation('removeSshKey', {
  description: 'Removes an SSH key from an account. New connections with it are refused at once.',
  admission,
  input: (t) => ({ userId: t.id({ description: forWhom }), id: t.id({ required: true }) }),
  payload: (t: FieldsOf<{ readonly id: number }>) => ({
    databaseId: t.int({ description: 'The number of the key that is gone.', resolve: ({ id }) => id }),
  }),
  resolve: async (context, { userId, id }) => {
    const owner = await ownerOf(context, userId);
    const [gone] = await context.database.rows(deleteSshKey, [idOf(id, 'SshKey'), owner, ...ofOrigin(context)]);
    if (!gone) throw new NotFound('Key');
    return gone;
  },
});
