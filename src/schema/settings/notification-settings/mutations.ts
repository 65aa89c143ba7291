import type { Context } from '../../../context.ts';
import { resetBelow, resetGlobalSetting, resetGroupSettings, resetProjectSettings } from './statements.ts';
import type { Sql } from '../../../database/index.ts';
import { BadRequest, InvalidFields } from '../../../errors.ts';
import type { Scope } from '../../../values/kinds/notification-levels.ts';
import { writes } from '../../../policy/index.ts';
import { builder } from '../../engine/builder.ts';
import { mutation, type FieldsOf, type InputsOf } from '../../engine/mutation.ts';
import { publishSettings } from './changed.ts';
import { EventType } from './events.ts';
import { LevelType } from './levels.ts';
import { readGlobal, readSetting, prefetchSetting, readSettings, type Place } from './read.ts';
import { ownPerson, SettingType, toSetting, type Setting } from './setting.ts';
import { changesAnything, checkChange, writeChange, writeChanges, type Change } from './update.ts';

/** Maximum number of settings in a bulk update. */
const maxChanges = 100;

const EventChange = builder.inputType('NotificationEventInput', {
  description: 'The switch of an event to set.',
  fields: (t) => ({
    event: t.field({ type: EventType, required: true }),
    enabled: t.boolean({ description: 'On or off. Null or omitted: back to the default.' }),
  }),
});

/** The fields that name a setting. */
const placeFields = (t: InputsOf) => ({
  group: t.id({ description: 'Id or full path of a group.' }),
  project: t.id({ description: 'Id or full path of a project.' }),
});

/** The fields that name a setting and change it. */
const changeFields = (t: InputsOf) => ({
  ...placeFields(t),
  level: t.field({ type: LevelType }),
  notificationEmail: t.string({
    description:
      'One of your verified addresses. Null or empty: for the global setting the primary one, for a group that of the groups above it. Projects have none.',
  }),
  events: t.field({
    type: [EventChange],
    description: 'Stored, but without effect, while the level is not `CUSTOM`.',
  }),
});

/** The payload with one setting, as it is afterwards. */
const settingPayload = (t: FieldsOf<{ notificationSettings: Setting }>) => ({
  notificationSettings: t.expose('notificationSettings', { type: SettingType }),
});

mutation('updateNotificationSettings', {
  description:
    'Changes one of your own notification settings: of a group, of a project or, without either, the global one.',
  admission: { class: 'token', scopes: writes },
  inputDescription: 'Changes of one of your own notification settings. Omitted fields stay as they are.',
  input: changeFields,
  payload: settingPayload,
  prefetch: ({ input }) => prefetchSetting((input ?? {}) as Change),
  resolve: async (context, input) => {
    const checked = await checkChange(context, await readSetting(context, input), input);
    // One change is one statement and needs no transaction.
    const notificationSettings = await writeChange(context.database, checked);
    if (changesAnything(checked)) publishSettings(context, [checked.setting]);
    return { notificationSettings };
  },
});

const applyBelow = (t: InputsOf) =>
  t.boolean({
    description:
      'Whether everything in the group, or everywhere if this is the global setting, loses its own setting and inherits this one. Other changes of the same call are made after it.',
  });

const ChangeInput = builder.inputType('NotificationSettingsChangeInput', {
  description: 'Changes of one setting. Omitted fields stay as they are.',
  fields: (t) => ({ ...changeFields(t), applyBelow: applyBelow(t) }),
});

const PlaceInput = builder.inputType('NotificationSettingsPlaceInput', {
  description: 'Names one setting: of a group, of a project or, without either, the global one.',
  fields: (t) => ({ ...placeFields(t), applyBelow: applyBelow(t) }),
});

mutation('bulkUpdateNotificationSettings', {
  description: `Changes or resets up to ${maxChanges} of your own notification settings in one transaction: all of them or none.`,
  admission: { class: 'token', scopes: writes },
  input: (t) => ({
    settings: t.field({ type: [ChangeInput], required: true }),
    reset: t.field({
      type: [PlaceInput],
      description: 'Settings to reset; none of them may be changed in the same call.',
    }),
  }),
  payload: (t: FieldsOf<{ notificationSettings: Setting[] }>) => ({
    notificationSettings: t.expose('notificationSettings', {
      type: [SettingType],
      description: 'In the order of the input: first the changed ones, then those that were reset.',
    }),
  }),
  resolve: async (context, { settings, reset }) => ({
    notificationSettings: await changeMany(context, settings, reset ?? []),
  }),
});

interface Above {
  readonly applyBelow?: boolean | null | undefined;
}

async function changeMany(
  context: Context,
  changes: readonly (Change & Above)[],
  resets: readonly (Place & Above)[],
): Promise<Setting[]> {
  if (changes.length + resets.length > maxChanges)
    throw new BadRequest(`At most ${maxChanges} settings can be changed at once.`);
  const settings = await readSettings(context, [...changes, ...resets]);
  const checked = await Promise.all(changes.map((one, index) => checkChange(context, settings[index]!, one)));
  const resetting = settings.slice(changes.length);
  const above = settings.filter((_setting, index) => [...changes, ...resets][index]!.applyBelow);
  const { below, afterwards } = await context.database.transaction(async (sql) => ({
    below: await forgetBelow(context, sql, above),
    afterwards: [...(await writeChanges(sql, checked)), ...(await forget(context, sql, resetting))],
  }));
  publishSettings(context, [...checked.filter(changesAnything).map(({ setting }) => setting), ...resetting, ...below]);
  return afterwards;
}

/** Resets the settings of everything in groups, or everywhere. @returns those that are gone */
async function forgetBelow(context: Context, sql: Sql, above: readonly Setting[]): Promise<Setting[]> {
  if (above.length === 0) return [];
  if (above.some(({ scope }) => scope === 'PROJECT'))
    throw new InvalidFields({ applyBelow: ['is for groups and the global setting'] });
  const person = ownPerson(context);
  const gone = await sql.rows(resetBelow, [
    person.id,
    above.flatMap(({ id }) => id ?? []),
    above.some(({ scope }) => scope === 'GLOBAL'),
  ]);
  return gone.map(({ scope, id }) => toSetting(person, scope, id, { level: null, events: null }));
}

/** Resets settings of one person. @returns the settings after the reset */
async function forget(context: Context, sql: Sql, settings: readonly Setting[]): Promise<Setting[]> {
  const person = ownPerson(context);
  const idsOf = (scope: Scope) => settings.flatMap((setting) => (setting.scope === scope ? [setting.id] : []));
  if (idsOf('GLOBAL').length > 0) await sql.rows(resetGlobalSetting, [person.id]);
  if (idsOf('GROUP').length > 0) await sql.rows(resetGroupSettings, [person.id, idsOf('GROUP')]);
  if (idsOf('PROJECT').length > 0) await sql.rows(resetProjectSettings, [person.id, idsOf('PROJECT')]);
  // Only the global setting keeps a value: the primary address.
  return await Promise.all(
    settings.map(({ scope, id }) =>
      scope === 'GLOBAL' ? readGlobal(context, sql) : toSetting(person, scope, id, { level: null, events: null }),
    ),
  );
}

mutation('resetNotificationSettings', {
  description:
    'Resets one of your own notification settings: its level is inherited again, and its switches have their defaults.',
  admission: { class: 'token', scopes: writes },
  input: placeFields,
  payload: settingPayload,
  resolve: async (context, input) => {
    const setting = await readSetting(context, input);
    const [notificationSettings] = await forget(context, context.database, [setting]);
    publishSettings(context, [setting]);
    return { notificationSettings: notificationSettings! };
  },
});
