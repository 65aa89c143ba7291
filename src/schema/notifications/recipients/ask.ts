import type { Context } from '../../../context.ts';
import { Forbidden, NotFound } from '../../../errors.ts';
import { causes, reasonAt } from '../../../notify/causes.ts';
import { decide } from '../../../notify/decide.ts';
import type { Occurrence } from '../../../notify/occurrence.ts';
import { askRecipients, holds, isAdministrator, reads } from '../../../policy/index.ts';
import { notificationEvents, type EventName } from '../../../values/kinds/notification-events.ts';
import { defaultLevel } from '../../../values/kinds/notification-levels.ts';
import { userByReference } from '../../accounts/users/find.ts';
import { isOwn } from '../../accounts/users/seen.ts';
import { builder } from '../../engine/builder.ts';
import { idOf } from '../../engine/global-id.ts';
import { rootList } from '../../engine/list.ts';
import { noRows, type Rows } from '../../engine/page.ts';
import { askedArgs, imagine, type Asked } from './imagine.ts';
import { readUnconfirmed } from './statements/address.ts';
import { countRecipients, recipients, standings, type StandingRow } from './statements/recipients.ts';
import { candidateValues } from './statements/values.ts';
import { DecisionType, RecipientType, type Explained, type Recipient } from './types.ts';

/** Asks who would be notified of something, and why or why not, before anything is sent. */

/** An occurrence that is asked about is for people of every time zone. */
const valuesOf = (occurrence: Occurrence) => candidateValues(occurrence, 'UTC');

/** Whether no one is notified of something new, since its author has no confirmed address. */
async function isUnconfirmed({ database }: Context, { cause, actorId }: Occurrence): Promise<boolean> {
  if (!causes[cause].confirmed || actorId === null) return false;
  return (await database.rows(readUnconfirmed, [actorId]))[0]!.unconfirmed;
}

/** The facts about a person as `src/notify/decide.ts` has them, its decision, and the setting that it rests on. */
function explain(event: EventName, cause: Occurrence['cause'], row: StandingRow, unconfirmed: boolean): Explained {
  const { user_id: userId, level, source, group_id: groupId, switch: set, subscribed, address } = row;
  const candidacies = row.candidacies.map(({ via, rank }) => ({ via, reason: reasonAt(rank) }));
  return {
    ...decide(cause, { ...row, candidacies, unconfirmed }),
    userId,
    event,
    cause,
    level: level ?? defaultLevel.GLOBAL,
    source: source ?? 'DEFAULT',
    groupId,
    switch:
      causes[cause].event === null
        ? null
        : { event, enabled: set ?? notificationEvents[event].unset === 'on', isSet: set !== null },
    subscribed,
    mutedUntil: row.muted_until,
    address,
  };
}

/** The decisions about some people. @param unconfirmed whether the author has no confirmed address */
async function explained(
  { database }: Context,
  event: EventName,
  occurrence: Occurrence,
  ids: readonly number[],
  unconfirmed = false,
): Promise<ReadonlyMap<number, Explained>> {
  const rows = await database.rows(standings[occurrence.subject.kind], [...valuesOf(occurrence), ids]);
  return new Map(rows.map((row) => [row.user_id, explain(event, occurrence.cause, row, unconfirmed)]));
}

/** The people who would be notified, of whom a page is read. */
function recipientRows(context: Context, event: EventName, occurrence: Occurrence): Rows<Recipient> {
  const { database } = context;
  const { kind } = occurrence.subject;
  return {
    async page(_order, { after, before, offset, limit, inverted }) {
      const statement = recipients[inverted ? 'desc' : 'asc'][kind];
      const rows = await database.rows(statement, [
        ...valuesOf(occurrence),
        limit,
        after?.id ?? null,
        before?.id ?? null,
        offset,
      ]);
      const visible = rows.map(({ user_id: id }) => id).filter((id) => isOwn(id, context));
      let all: ReturnType<typeof explained> | undefined;
      // One statement for the page, if any of them is selected.
      const explain = async (id: number) =>
        visible.includes(id)
          ? ((await (all ??= explained(context, event, occurrence, visible))).get(id) ?? null)
          : null;
      return rows.map(({ user_id: id, rank }) => ({
        id,
        reason: reasonAt(rank),
        explain: () => explain(id),
        position: String(id),
      }));
    },
    count: async (most) => (await database.rows(countRecipients[kind], [...valuesOf(occurrence), most]))[0]!.total,
  };
}

/**
 * The person whom a client names; by default, the viewer. Only administrators name others.
 * @param refusal the message of the refusal for others. @throws Forbidden, NotFound
 */
async function oneself(context: Context, given: string | null | undefined, refusal: string): Promise<number | null> {
  const { viewer } = context;
  const own = viewer.person;
  if (given == null) return own?.id ?? null;
  if (own && (given.toLowerCase() === own.username.toLowerCase() || idOf(given, 'User') === own.id)) return own.id;
  if (!isAdministrator(viewer)) throw new Forbidden(refusal);
  return (await userByReference(context, given)).id;
}

rootList('notificationRecipients', {
  type: RecipientType,
  description:
    'Who would be notified if an event happened now, and for what reason. For maintainers of the project and administrators.',
  admission: { class: 'token', scopes: reads },
  args: () => askedArgs,
  orders: { id: { column: 'user_id', type: 'int' } },
  by: 'id_asc',
  rows: async (context, asked) => {
    const actorId = await oneself(context, asked.actor, 'Only administrators ask what others would cause.');
    const { occurrence, facts } = await imagine(context, asked, actorId);
    if (!holds(askRecipients, context.viewer, facts)) throw new Forbidden();
    return (await isUnconfirmed(context, occurrence)) ? noRows : recipientRows(context, asked.event, occurrence);
  },
});

builder.queryField('notificationDecision', (t) =>
  t.field({
    type: DecisionType,
    nullable: true,
    description:
      'Whether a person would be notified if an event happened now, and why or why not. Of yourself; for administrators of anyone.',
    admission: { class: 'token', scopes: reads },
    args: { ...askedArgs, user: t.arg.id({ description: 'Id or username. Default: you.' }) },
    resolve: async (_root, { user, ...asked }: Asked & { user?: string | null }, context) => {
      const id = await oneself(context, user, 'Only administrators ask this about others.');
      if (id === null) throw new NotFound('User');
      // It says nothing about who does it, except whether it is the person.
      const actorId = asked.actor == null ? null : (await userByReference(context, asked.actor)).id;
      const { occurrence } = await imagine(context, asked, actorId);
      const unconfirmed = await isUnconfirmed(context, occurrence);
      const found = (await explained(context, asked.event, occurrence, [id], unconfirmed)).get(id);
      if (!found) throw new NotFound('User');
      return found;
    },
  }),
);
