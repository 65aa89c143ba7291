import { endAll } from '../../../auth/index.ts';
import type { Context } from '../../../context.ts';
import type { PersonState } from '../../../database/access/people.ts';
import { Forbidden, ForbiddenPlainly, NotFound } from '../../../errors.ts';
import { messages } from '../../../mail/index.ts';
import { isAdministrator, writes } from '../../../policy/index.ts';
import { builder } from '../../engine/builder.ts';
import { globalId } from '../../engine/global-id.ts';
import { mailAccount } from '../../engine/mail-account.ts';
import { within } from '../../places/avatars/store.ts';
import { mergeAllOf } from '../../reviews/merging/when-due.ts';
import { publishEndOfAuthorizations } from '../../access/token-info/ended.ts';
import { auditUser } from '../users/changes/audit.ts';
import { existingUser, isInternal } from '../users/find.ts';
import { keepAnAdministrator } from '../users/changes/last-administrator.ts';
import { userPayload } from '../users/changes/payload.ts';
import { removeAccount } from '../users/changes/removal.ts';
import { activityOf } from './activity.ts';
import { lockState } from './statements.ts';
import { transitions, type Transition, type TransitionName } from './transitions.ts';

/** Days without activity after which a person can be deactivated. */
const inactive = 90;

const StatePayload = userPayload<{ readonly changed: boolean }>('BlockUserPayload');
builder.objectField(StatePayload, 'changed', (t) =>
  t.exposeBoolean('changed', { description: 'Whether this call changed anything.' }),
);

const RejectPayload = builder.objectRef<{ readonly id: number }>('RejectUserPayload').implement({
  fields: (t) => ({
    userId: t.id({ description: 'The global id.', direct: true, resolve: ({ id }) => globalId('User', id) }),
  }),
});

const input = builder.inputType('BlockUserInput', { fields: (t) => ({ userId: t.id({ required: true }) }) });

for (const [name, transition] of Object.entries(transitions) as [TransitionName, Transition][])
  builder.mutationField(`${name}User`, (t) =>
    t.field({
      type: (name === 'reject' ? RejectPayload : StatePayload) as typeof StatePayload,
      nullable: true,
      description: `${transition.description} For administrators.`,
      admission: { class: 'session', recent: true, personalToken: writes },
      args: { input: t.arg({ type: input, required: true }) },
      resolve: (_root, args, context) => change(context, transition, args.input.userId),
    }),
  );

/**
 * Changes the state of a person.
 * @throws a domain error for a state from which this isn't possible, Forbidden for the last administrator
 */
async function change(context: Context, transition: Transition, given: string) {
  const { audit, from, internal, others, self } = transition;
  if (!isAdministrator(context.viewer)) throw others === undefined ? new Forbidden() : new ForbiddenPlainly(others);
  const { id, state: stored, blockedAs, attributes } = await existingUser(context, given);
  if (internal !== undefined && isInternal(attributes)) throw new ForbiddenPlainly(internal);
  if (self !== undefined && id === context.viewer.person?.id) throw new Forbidden(self);
  const expected = nextOf(from, stored === 'ACTIVE' ? stored : (blockedAs ?? stored));
  if (expected === 'DEACTIVATED') await requireInactivity(context, id);
  const next = await context.database.prisma.$transaction(async (prisma) => {
    // Before the person is locked: it locks all administrators, in one order.
    if (expected !== 'ACTIVE' && expected !== 'unchanged') await keepAnAdministrator(prisma, id);
    const [locked] = await prisma.$queryRawUnsafe<{ state: PersonState }[]>(lockState.text, id);
    if (!locked) throw new NotFound('User');
    const becomes = nextOf(from, locked.state);
    if (becomes === 'unchanged' || becomes === 'removed') return becomes;
    const state = becomes === 'ACTIVE' ? 'ACTIVE' : 'BLOCKED';
    await prisma.user.update({
      where: { id },
      data: { state, blockedAs: becomes === 'ACTIVE' || becomes === 'BLOCKED' ? null : becomes },
    });
    if (state === 'ACTIVE') await mergeAllOf(within(prisma), [id]);
    return becomes;
  });
  if (next === 'unchanged') return { id, changed: false };
  if (next === 'removed') await removeAccount(context, id, false);
  else {
    // Also when it becomes active: an interrupted block must not leave credentials that become valid again.
    await endAll(context.database, id, null);
    publishEndOfAuthorizations(context, id);
  }
  await auditUser(context, audit, id);
  if (audit === 'user_approved') await mailAccount(context, id, messages.accountApproved);
  return { id, changed: true };
}

/** @throws the error of the table */
function nextOf(from: Transition['from'], state: PersonState): PersonState | 'unchanged' | 'removed' {
  const next = from[state];
  if (typeof next === 'function') throw next(state);
  return next;
}

/** @throws ForbiddenPlainly if the person was active recently */
async function requireInactivity(context: Context, id: number): Promise<void> {
  const last = (await activityOf(context, id))?.last_activity_at;
  if (last && last.getTime() > Date.now() - inactive * 86_400_000)
    throw new ForbiddenPlainly(
      `The user you are trying to deactivate has been active in the past ${inactive} days and cannot be deactivated`,
    );
}
