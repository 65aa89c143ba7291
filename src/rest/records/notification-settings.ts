import { objectSchema, type JsonSchema, type Record } from './record.ts';

/** The levels and events of the interface, by their names on the wire, in its order. */
export const levels = ['disabled', 'participating', 'watch', 'global', 'mention', 'custom'] as const;
export const events = [
  'new_note', 'new_issue', 'reopen_issue', 'close_issue', 'reassign_issue', 'issue_due', 'new_merge_request',
  'push_to_merge_request', 'reopen_merge_request', 'close_merge_request', 'reassign_merge_request',
  'merge_merge_request', 'failed_pipeline', 'fixed_pipeline', 'success_pipeline', 'moved_project', 'new_epic',
] as const;

/** What a route's operation selects. */
export interface SettingData {
  readonly level: string;
  readonly notificationEmail?: string | null;
  readonly events: readonly { readonly event: string; readonly enabled: boolean }[];
}

const levelSchema: JsonSchema = { type: 'string', enum: levels };
const eventsSchema: JsonSchema = {
  ...objectSchema(Object.fromEntries(events.map((event) => [event, { type: 'boolean' }])), ['new_epic']),
  description: 'There while the level is `custom`. `new_epic` only for users on the higher tier.',
};

/** Names on the wire by those of the schema. */
const onTheWire = new Map<string, string>(events.map((event) => [event.toUpperCase(), event]));

/** `events` is shown at the level `custom` only. */
function presentEvents({ level, events }: SettingData): object | undefined {
  if (level !== 'CUSTOM') return undefined;
  const shown: { [event: string]: boolean } = {};
  for (const { event, enabled } of events) shown[onTheWire.get(event)!] = enabled;
  return shown;
}

export const GlobalNotificationSettings: Record<SettingData> = {
  name: 'GlobalNotificationSettings',
  schema: objectSchema(
    { level: levelSchema, events: eventsSchema, notification_email: { type: 'string', format: 'email' } },
    ['events'],
  ),
  present: (setting) => ({
    level: setting.level.toLowerCase(),
    events: presentEvents(setting),
    notification_email: setting.notificationEmail,
  }),
};

export const NotificationSettings: Record<SettingData> = {
  name: 'NotificationSettings',
  schema: objectSchema({ level: levelSchema, events: eventsSchema }, ['events']),
  present: (setting) => ({ level: setting.level.toLowerCase(), events: presentEvents(setting) }),
};
