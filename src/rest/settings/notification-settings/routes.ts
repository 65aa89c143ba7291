import { describeEvent, eventNames, toWireEvent } from '../../../values/kinds/notification-events.ts';
import { levels, notificationLevels, toWireLevel } from '../../../values/kinds/notification-levels.ts';
import { ModelProblem } from '../../engine/errors.ts';
import type { Parameter, Values } from '../../engine/parameters.ts';
import { GlobalNotificationSettings, NotificationSettings, settingFields, type SettingData } from './record.ts';
import type { Record as WireRecord } from '../../engine/record.ts';
import { route, type AnyRoute } from '../../engine/route.ts';

const tag = 'Notification settings';

const wireLevels: readonly unknown[] = levels.map(toWireLevel);
const level: Parameter = {
  name: 'level',
  type: 'string',
  values: levels.map(toWireLevel),
  description: `Notification level. ${levels.map((one) => `\`${toWireLevel(one)}\`: ${notificationLevels[one].description}`).join(' ')}`,
};
const switches: Parameter[] = eventNames.map((event) => ({
  name: toWireEvent(event),
  type: 'boolean',
  description: `${describeEvent(event)} Whether it is sent at the level \`custom\`. Empty: unset.`,
}));

/** The level; the model refuses an unknown one with its own text, after the look-up of the place. */
function toLevel(given: Values[string]): string | null | undefined {
  if (given == null) return given;
  if (!wireLevels.includes(given)) throw new ModelProblem(`'${given}' is not a valid level`);
  return String(given).toUpperCase();
}

/** The input of the operation: only sent values, so that an omitted one doesn't change. */
function toInput(values: Values): Record<string, unknown> {
  const sent = eventNames.filter((event) => values[toWireEvent(event)] !== undefined);
  return {
    ...('level' in values && { level: toLevel(values.level) }),
    ...('notification_email' in values && { notificationEmail: values.notification_email }),
    ...(sent.length > 0 && { events: sent.map((event) => ({ event, enabled: values[toWireEvent(event)] })) }),
  };
}

interface Read {
  readonly notificationSettings: SettingData;
}
interface Update {
  readonly updateNotificationSettings: Read;
}

const read = (record: WireRecord<SettingData>): WireRecord<Read> => ({
  ...record,
  present: (data) => record.present(data.notificationSettings),
});
const update = (record: WireRecord<SettingData>): WireRecord<Update> => ({
  ...record,
  present: (data) => record.present(data.updateNotificationSettings.notificationSettings),
});

const updateOperation = `mutation ($input: UpdateNotificationSettingsInput!) {
  updateNotificationSettings(input: $input) { notificationSettings { ${settingFields} } }
}`;

const ofGlobal: AnyRoute[] = [
  route<Read>({
    method: 'GET',
    path: '/api/v4/notification_settings',
    summary: 'Your global notification settings',
    tag,
    parameters: [],
    operation: `query { notificationSettings { ${settingFields} } }`,
    variables: () => ({}),
    record: read(GlobalNotificationSettings),
    dialect: 'version 4',
  }),
  route<Update>({
    method: 'PUT',
    path: '/api/v4/notification_settings',
    summary: 'Change your global notification settings',
    tag,
    parameters: [
      level,
      {
        name: 'notification_email',
        type: 'string',
        description: 'One of your verified email addresses; empty for the primary one.',
      },
      ...switches,
    ],
    example: { level: 'watch' },
    operation: updateOperation,
    variables: (values) => ({ input: toInput(values) }),
    record: update(GlobalNotificationSettings),
    dialect: 'version 4',
  }),
];

/** The two routes of a place, the same for groups and projects. */
function ofPlace(kind: 'group' | 'project'): AnyRoute[] {
  const path = `/api/v4/${kind}s/:id/notification_settings`;
  const operation = `query ($id: ID!) { notificationSettings(${kind}: $id) { ${settingFields} } }`;
  return [
    route<Read>({
      method: 'GET',
      path,
      summary: `Your notification settings for a ${kind}`,
      tag,
      parameters: [],
      operation,
      variables: ({ id }) => ({ id }),
      record: read(NotificationSettings),
      dialect: 'version 4',
    }),
    route<Update>({
      method: 'PUT',
      path,
      summary: `Change your notification settings for a ${kind}`,
      tag,
      parameters: [level, ...switches],
      example: { level: 'custom', new_note: true },
      operation: updateOperation,
      variables: (values) => ({ input: { [kind]: values.id, ...toInput(values) } }),
      guard: { operation, variables: ({ id }) => ({ id }), before: 'model problems' },
      record: update(NotificationSettings),
      dialect: 'version 4',
    }),
  ];
}

export const notificationSettingsRoutes = [...ofGlobal, ...ofPlace('group'), ...ofPlace('project')];
