import {
  describeEvent,
  eventNames,
  notificationEvents,
  toWireEvent,
  type EventName,
  type WireEvent,
} from '../../../values/kinds/notification-events.ts';
import { levels, toWireLevel, type Level } from '../../../values/kinds/notification-levels.ts';
import { objectSchema, type JsonSchema, type Record } from '../../engine/record.ts';

/** The data of `settingFields`. */
export interface SettingData {
  readonly level: Level;
  readonly notificationEmail?: string | null;
  readonly events: readonly { readonly event: EventName; readonly enabled: boolean; readonly isSet: boolean }[];
}
export const settingFields = 'level notificationEmail events { event enabled isSet }';

const levelSchema: JsonSchema = { type: 'string', enum: levels.map(toWireLevel) };
const eventsSchema: JsonSchema = {
  ...objectSchema(
    Object.fromEntries(
      eventNames.map((event) => [toWireEvent(event), { type: 'boolean', description: describeEvent(event) }]),
    ),
    eventNames.filter((event) => notificationEvents[event].premium).map(toWireEvent),
  ),
  description: 'Only at the level `custom`. `new_epic` only for users on the higher tier.',
};

/** The events of a setting; undefined unless the level is `custom`. */
function presentEvents({ level, events }: SettingData): { [E in WireEvent]?: boolean } | undefined {
  if (level !== 'CUSTOM') return undefined;
  const shown: { [E in WireEvent]?: boolean } = {};
  for (const { event, enabled, isSet } of events) {
    shown[toWireEvent(event)] = enabled && (isSet || notificationEvents[event].shownUnset !== 'off');
  }
  return shown;
}

export const GlobalNotificationSettings: Record<SettingData> = {
  name: 'GlobalNotificationSettings',
  schema: objectSchema(
    { level: levelSchema, events: eventsSchema, notification_email: { type: 'string', format: 'email' } },
    ['events'],
  ),
  present: (setting) => ({
    level: toWireLevel(setting.level),
    events: presentEvents(setting),
    notification_email: setting.notificationEmail,
  }),
};

export const NotificationSettings: Record<SettingData> = {
  name: 'NotificationSettings',
  schema: objectSchema({ level: levelSchema, events: eventsSchema }, ['events']),
  present: (setting) => ({ level: toWireLevel(setting.level), events: presentEvents(setting) }),
};
