import type { Context } from '../../../../context.ts';
import { isAdministrator, reads } from '../../../../policy/index.ts';
import { timeIn } from '../../../../values/time/time-zone.ts';
import { builder } from '../../../engine/builder.ts';
import { batchedRows } from '../../../engine/batched.ts';
import { activityOf } from '../../states/activity.ts';
import { ofAccount } from '../account.ts';
import { commitAddress } from './commit-email.ts';
import { userById } from '../read.ts';
import { sees } from '../seen.ts';
import { readHighestRoles, type AccountRow } from '../statements/users.ts';
import { User, UserCore } from '../types.ts';

/** What is recorded about an account, for the person and for administrators. */

const seesRecord = (id: number, context: Context) => sees(id, context, [...reads, 'read_user']);
const own = ' For the person and for administrators; null for others.';
const administrators = ' For administrators; null for others.';

const Identity = builder
  .objectRef<{ readonly provider: string; readonly externUid: string }>('UserIdentity')
  .implement({
    description: 'What an account is called at another provider. Kept for clients: no one signs in with it.',
    fields: (t) => ({ provider: t.exposeString('provider'), externUid: t.exposeString('externUid') }),
  });

const highestRoleOf = batchedRows(readHighestRoles);

type AccountUser = Parameters<typeof ofAccount>[1];

/** Reads a part of the account, if the viewer sees it. */
const shown =
  <Value>(pick: (account: AccountRow) => Value) =>
  (user: AccountUser, _args: object, context: Context) =>
    seesRecord(user.id, context) ? ofAccount(context, user, (account) => (account ? pick(account) : null)) : null;

const forAdministrators =
  <Value>(pick: (account: AccountRow) => Value) =>
  (user: AccountUser, args: object, context: Context) =>
    isAdministrator(context.viewer) ? shown(pick)(user, args, context) : null;

builder.interfaceFields(User, (t) => ({
  isViewer: t.boolean({
    description: 'Whether this is the person that the request acts for.',
    resolve: ({ id }, _args, { viewer }) => viewer.person?.id === id,
  }),
  localTime: t.string({
    nullable: true,
    description: 'The time where they are, like `3:38 PM`; null if they chose no time zone.',
    resolve: (user, _args, context) =>
      ofAccount(context, user, (account) => {
        const zone = account?.attributes.timezone;
        return typeof zone === 'string' ? timeIn(zone, new Date()) : null;
      }),
  }),
  lastSignInAt: t.field({
    type: 'Time',
    nullable: true,
    description: `When they signed in at a page the last time but one.${own}`,
    resolve: shown((account) => account.last_sign_in_at),
  }),
  currentSignInAt: t.field({
    type: 'Time',
    nullable: true,
    description: `When they last signed in at a page.${own}`,
    resolve: shown((account) => account.current_sign_in_at),
  }),
  lastSignInIp: t.string({
    nullable: true,
    description: `The address of the sign-in at \`lastSignInAt\`.${administrators}`,
    resolve: forAdministrators((account) => account.last_sign_in_ip),
  }),
  currentSignInIp: t.string({
    nullable: true,
    description: `The address of the sign-in at \`currentSignInAt\`.${administrators}`,
    resolve: forAdministrators((account) => account.current_sign_in_ip),
  }),
  signInCount: t.int({
    nullable: true,
    description: `How often they signed in at a page.${administrators}`,
    resolve: forAdministrators((account) => account.sign_in_count),
  }),
  lastActivityOn: t.field({
    type: 'Date',
    nullable: true,
    description: `The day of the last activity, in UTC; null if none is known.${own}`,
    resolve: (user, _args, context) => {
      if (!seesRecord(user.id, context)) return null;
      const { viewer } = context;
      // The request itself is activity.
      if (viewer.person?.id === user.id && !viewer.actor) return dayOf(new Date());
      return activityOf(context, user.id).then((row) => (row?.last_activity_at ? dayOf(row.last_activity_at) : null));
    },
  }),
  canCreateProject: t.boolean({
    nullable: true,
    description: `Whether there is room for another project of their own.${own}`,
    resolve: shown((account) => account.can_create_project),
  }),
  commitEmail: t.string({
    nullable: true,
    description: `The address for commits that are made here for them; by default the primary one.${own}`,
    resolve: (user, _args, context) =>
      seesRecord(user.id, context)
        ? ofAccount(context, user, (account) => commitAddress(context, user, account))
        : null,
  }),
  identities: t.field({
    type: [Identity],
    nullable: true,
    description: `Their names at other providers.${own}`,
    resolve: shown((account) => account.identities ?? []),
  }),
  createdBy: t.field({
    type: UserCore,
    nullable: true,
    description: `The administrator who made the account, if one did.${administrators}`,
    resolve: async (user, _args, context) =>
      await userById(context, await forAdministrators((account) => account.created_by_id)(user, {}, context)),
  }),
  highestRole: t.int({
    nullable: true,
    description: `Their highest role as a direct member of anything, as a number; 0 for none.${administrators}`,
    resolve: async (user, _args, context) =>
      isAdministrator(context.viewer) && seesRecord(user.id, context)
        ? ((await highestRoleOf(context, user.id))?.highest_role ?? 0)
        : null,
  }),
}));

const dayOf = (moment: Date) => moment.toISOString().slice(0, 10);
