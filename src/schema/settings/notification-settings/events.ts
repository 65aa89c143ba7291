import {
  describeEvent,
  eventNames,
  notificationEvents,
  type EventName,
} from '../../../values/kinds/notification-events.ts';
import type { Person } from '../../../policy/index.ts';
import { builder } from '../../engine/builder.ts';

/** Stored events: only those that were ever set. */
export type StoredEvents = { readonly [E in EventName]?: boolean | null };

/** The events that exist for a person. */
export function eventsFor(person: Pick<Person, 'premium'>): EventName[] {
  return eventNames.filter((name) => person.premium || !notificationEvents[name].premium);
}

/** One event of a setting: whether it is on, and whether that was chosen. */
export interface EventSetting {
  readonly event: EventName;
  readonly enabled: boolean;
  readonly isSet: boolean;
}

export function eventSettings(person: Pick<Person, 'premium'>, stored: StoredEvents): EventSetting[] {
  return eventsFor(person).map((event) => {
    const value = stored[event] ?? null;
    return { event, enabled: value ?? notificationEvents[event].unset === 'on', isSet: value !== null };
  });
}

export const EventType = builder.enumType('NotificationEvent', {
  description: 'A notification event. Each has a switch, which applies at the level `CUSTOM`.',
  values: Object.fromEntries(eventNames.map((name) => [name, { description: describeEvent(name) }])) as {
    [E in EventName]: { description: string };
  },
});

export const EventSettingType = builder.objectRef<EventSetting>('NotificationEventSetting').implement({
  description: 'The switch of one event.',
  fields: (t) => ({
    event: t.expose('event', { type: EventType }),
    enabled: t.exposeBoolean('enabled', { description: 'Whether it is on.' }),
    isSet: t.exposeBoolean('isSet', {
      description: 'Whether it was ever set; if not, `enabled` is the default.',
    }),
  }),
});
