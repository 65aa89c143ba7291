import type { Context } from '../../context.ts';
import {
  resetGlobalSetting,
  resetGroupSetting,
  resetProjectSetting,
} from '../../database/statements/notification-settings.ts';
import { BadRequest } from '../../errors.ts';
import { writes } from '../../policy/index.ts';
import { builder } from '../builder.ts';
import { EventType } from './events.ts';
import { LevelType } from './levels.ts';
import { readSetting, readSettings } from './read.ts';
import { SettingType, toSetting, type Setting } from './setting.ts';
import { checkChange, writeChanges, type Change } from './update.ts';

/** Most settings that one bulk update changes. */
const mostAtOnce = 100;

const EventChange = builder.inputType('NotificationEventInput', {
  description: 'A switch to set.',
  fields: (t) => ({
    event: t.field({ type: EventType, required: true }),
    enabled: t.boolean({ description: 'On or off; null or left out: as if it had never been set.' }),
  }),
});

const change = builder.inputType('UpdateNotificationSettingsInput', {
  description: 'What to change of one of your own settings. What is left out stays.',
  fields: (t) => ({
    group: t.id({ description: 'Number or full path of a group.' }),
    project: t.id({ description: 'Number or full path of a project.' }),
    level: t.field({ type: LevelType }),
    notificationEmail: t.string({
      description: 'Of the global setting: one of your verified addresses; null or empty for the primary one.',
    }),
    events: t.field({
      type: [EventChange],
      description: 'Kept, and without effect, while the level is not `CUSTOM`.',
    }),
  }),
});

const onePayload = builder.objectRef<{ notificationSettings: Setting }>('UpdateNotificationSettingsPayload').implement({
  fields: (t) => ({
    notificationSettings: t.field({ type: SettingType, resolve: (payload) => payload.notificationSettings }),
  }),
});

builder.mutationField('updateNotificationSettings', (t) =>
  t.field({
    type: onePayload,
    nullable: true,
    description: 'Changes one of your own settings: a group’s, a project’s, or, naming neither, the global one.',
    admission: { class: 'token', scopes: writes },
    args: { input: t.arg({ type: change, required: true }) },
    resolve: async (_root, { input }, context) => {
      const checked = await checkChange(context, await readSetting(context, input), input);
      // One change is one statement, which needs no transaction around it.
      const [notificationSettings] = await writeChanges(context.database, [checked]);
      return { notificationSettings: notificationSettings! };
    },
  }),
);

const manyPayload = builder
  .objectRef<{ notificationSettings: Setting[] }>('BulkUpdateNotificationSettingsPayload')
  .implement({
    fields: (t) => ({
      notificationSettings: t.field({
        type: [SettingType],
        description: 'In the order of the input.',
        resolve: (payload) => payload.notificationSettings,
      }),
    }),
  });

builder.mutationField('bulkUpdateNotificationSettings', (t) =>
  t.field({
    type: manyPayload,
    nullable: true,
    description: `Changes up to ${mostAtOnce} of your own settings in one transaction: all of them or none.`,
    admission: { class: 'token', scopes: writes },
    args: {
      input: t.arg({
        required: true,
        type: builder.inputType('BulkUpdateNotificationSettingsInput', {
          fields: (field) => ({ settings: field.field({ type: [change], required: true }) }),
        }),
      }),
    },
    resolve: async (_root, { input }, context) => ({
      notificationSettings: await changeMany(context, input.settings),
    }),
  }),
);

async function changeMany(context: Context, changes: readonly Change[]): Promise<Setting[]> {
  if (changes.length > mostAtOnce) throw new BadRequest(`At most ${mostAtOnce} settings can be changed at once.`);
  const settings = await readSettings(context, changes);
  const checked = await Promise.all(settings.map((setting, index) => checkChange(context, setting, changes[index]!)));
  return await context.database.transaction((sql) => writeChanges(sql, checked));
}

builder.mutationField('resetNotificationSettings', (t) =>
  t.field({
    type: onePayload,
    nullable: true,
    description: 'Forgets everything that you set in a place, level and switches: it inherits again.',
    admission: { class: 'token', scopes: writes },
    args: {
      input: t.arg({
        required: true,
        type: builder.inputType('ResetNotificationSettingsInput', {
          fields: (field) => ({
            group: field.id({ description: 'Number or full path of a group.' }),
            project: field.id({ description: 'Number or full path of a project.' }),
          }),
        }),
      }),
    },
    resolve: async (_root, { input }, context) => {
      const { person, scope, id } = await readSetting(context, input);
      if (scope === 'GLOBAL') {
        await context.database.rows(resetGlobalSetting, [person.id]);
        return { notificationSettings: await readSetting(context, {}) };
      }
      await context.database.rows(scope === 'GROUP' ? resetGroupSetting : resetProjectSetting, [person.id, id]);
      return { notificationSettings: toSetting(person, scope, id, { level: null, events: null }) };
    },
  }),
);
