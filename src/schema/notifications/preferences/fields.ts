import type { Context } from '../../../context.ts';
import { reads, writes } from '../../../policy/index.ts';
import { minutesOf, timeOf } from '../../../values/time/time-of-day.ts';
import { isTimeZone } from '../../../values/time/time-zone.ts';
import { builder } from '../../engine/builder.ts';
import { Problems } from '../../engine/input.ts';
import { mutation, type FieldsOf } from '../../engine/mutation.ts';
import { publishSettings } from '../../settings/notification-settings/changed.ts';
import { ownPerson } from '../../settings/notification-settings/setting.ts';
import { readGlobal } from '../../settings/notification-settings/read.ts';
import { readPreferences, writePreferences, zoneNamed, type PreferencesRow } from './statements.ts';

/** When people want messages, and whether about what they do themselves. The address is a part of their settings. */

/** For how many minutes messages are collected at most. */
const longestDigest = 15;

const optionalTime = (minutes: number | null) => (minutes === null ? null : timeOf(minutes));

const PreferencesType = builder.objectRef<PreferencesRow>('NotificationPreferences').implement({
  description: 'When a person wants messages, and whether about what they do themselves.',
  fields: (t) => ({
    ownActivity: t.exposeBoolean('own_activity', { description: 'Whether they get e-mail about their own activity.' }),
    mutedUntil: t.expose('muted_until', {
      type: 'Time',
      nullable: true,
      description: 'Until when all notifications are muted: they aren’t sent later either. Null: they aren’t muted.',
    }),
    quietFrom: t.string({
      nullable: true,
      description: 'When quiet hours begin, like `22:00`. Messages wait until they end. Null: there are none.',
      resolve: ({ quiet_from: minutes }) => optionalTime(minutes),
    }),
    quietUntil: t.string({
      nullable: true,
      description: 'When quiet hours end, on the same or the next day.',
      resolve: ({ quiet_until: minutes }) => optionalTime(minutes),
    }),
    digestMinutes: t.exposeInt('digest_minutes', {
      description:
        'For how many minutes messages about one issue, merge request, snippet or epic are collected, to become one. Mentions, assignments and requests for a review are sent at once. 0: all are.',
    }),
    timeZone: t.exposeString('timezone', {
      nullable: true,
      description: 'The time zone that they chose, like `Europe/Vienna`; null: that of the instance.',
    }),
    effectiveTimeZone: t.string({
      description: 'The time zone of their quiet hours, and of what is due.',
      resolve: ({ timezone }, _args, context) => timezone ?? context.timeZone,
    }),
  }),
});

builder.queryField('notificationPreferences', (t) =>
  t.field({
    type: PreferencesType,
    nullable: true,
    description: 'When you want messages, and whether about what you do yourself.',
    admission: { class: 'token', scopes: reads },
    resolve: async (_root, _args, context) => {
      const [row] = await context.database.rows(readPreferences, [ownPerson(context).id]);
      return row ?? null;
    },
  }),
);

/** The minutes of a time of the day. Adds a problem for any other text. */
function minutesIn(problems: Problems, field: string, text: string | null | undefined): number | null {
  if (text == null || text === '') return null;
  const minutes = minutesOf(text);
  if (minutes === undefined) problems.add(field, ['is not a time like 22:00']);
  return minutes ?? null;
}

/** For how many minutes to collect messages. Adds a problem for what is no such number. */
function digestIn(problems: Problems, given: number | null | undefined): number {
  const minutes = given ?? 0;
  if (minutes < 0 || minutes > longestDigest) problems.add('digestMinutes', [`must be from 0 to ${longestDigest}`]);
  return minutes;
}

/** The name of a time zone as it is stored. Adds a problem for one that Node or PostgreSQL lacks. */
async function zoneIn({ database }: Context, problems: Problems, given: string | null | undefined) {
  if (given == null || given === '') return null;
  const [known] = isTimeZone(given) ? await database.rows(zoneNamed, [given]) : [];
  // PostgreSQL has names that Node lacks, like posix/Europe/Vienna.
  if (!known || !isTimeZone(known.name)) problems.add('timeZone', ['is not a time zone like Europe/Vienna']);
  return known?.name ?? null;
}

mutation('updateNotificationPreferences', {
  description: 'Changes when you want messages, and whether about what you do yourself.',
  admission: { class: 'token', scopes: writes },
  inputDescription: 'Omitted fields stay as they are.',
  input: (t) => ({
    ownActivity: t.boolean({ description: 'Null: the default, off.' }),
    mutedUntil: t.field({ type: 'Time', description: 'Null ends it.' }),
    quietFrom: t.string({ description: 'A time like `22:00`, together with `quietUntil`; null for no quiet hours.' }),
    quietUntil: t.string({ description: 'A time like `07:00`.' }),
    digestMinutes: t.int({ description: `From 0 to ${longestDigest}. Null: 0.` }),
    timeZone: t.string({ description: 'A name like `Europe/Vienna`; null for that of the instance.' }),
  }),
  payload: (t: FieldsOf<{ notificationPreferences: PreferencesRow }>) => ({
    notificationPreferences: t.expose('notificationPreferences', { type: PreferencesType }),
  }),
  resolve: async (context, input) => {
    const { id } = ownPerson(context);
    const problems = new Problems();
    const setsQuiet = input.quietFrom !== undefined || input.quietUntil !== undefined;
    const from = minutesIn(problems, 'quietFrom', input.quietFrom);
    const until = minutesIn(problems, 'quietUntil', input.quietUntil);
    const [hasFrom, hasUntil] = [Boolean(input.quietFrom), Boolean(input.quietUntil)];
    if (hasFrom && !hasUntil) problems.add('quietUntil', ["can't be blank"]);
    if (hasUntil && !hasFrom) problems.add('quietFrom', ["can't be blank"]);
    if (from !== null && from === until) problems.add('quietUntil', ['must differ from the begin']);
    const digest = digestIn(problems, input.digestMinutes);
    const zone = await zoneIn(context, problems, input.timeZone);
    problems.refuse();
    const [row] = await context.database.rows(writePreferences, [
      id,
      input.ownActivity !== undefined,
      input.ownActivity ?? false,
      input.mutedUntil !== undefined,
      input.mutedUntil ?? null,
      setsQuiet,
      from,
      until,
      input.timeZone !== undefined,
      zone,
      input.digestMinutes !== undefined,
      digest,
    ]);
    publishSettings(context, [await readGlobal(context)]);
    return { notificationPreferences: row! };
  },
});
