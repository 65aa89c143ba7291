import type { Person } from '../../policy/index.ts';
import { builder } from '../builder.ts';

interface EventFacts {
  readonly description: string;
  /** What counts while it was never set. */
  readonly unset: boolean;
  /** Exists only for people on the higher tier. */
  readonly premium?: true;
}

/**
 * Every event that can be switched at the level CUSTOM, in the interface's order.
 * A new event is a new line here: the database stores what was set, by name.
 */
const facts = {
  NEW_NOTE: { description: 'A comment is written.', unset: false },
  NEW_ISSUE: { description: 'An issue is opened.', unset: false },
  REOPEN_ISSUE: { description: 'An issue is opened again.', unset: false },
  CLOSE_ISSUE: { description: 'An issue is closed.', unset: false },
  REASSIGN_ISSUE: { description: 'An issue is given to someone else.', unset: false },
  ISSUE_DUE: { description: 'An issue is due tomorrow.', unset: false },
  NEW_MERGE_REQUEST: { description: 'A merge request is opened.', unset: false },
  PUSH_TO_MERGE_REQUEST: { description: 'Someone pushes to a merge request.', unset: false },
  REOPEN_MERGE_REQUEST: { description: 'A merge request is opened again.', unset: false },
  CLOSE_MERGE_REQUEST: { description: 'A merge request is closed.', unset: false },
  REASSIGN_MERGE_REQUEST: { description: 'A merge request is given to someone else.', unset: false },
  MERGE_MERGE_REQUEST: { description: 'A merge request is merged.', unset: false },
  FAILED_PIPELINE: { description: 'A pipeline fails.', unset: false },
  FIXED_PIPELINE: { description: 'A pipeline that failed succeeds again.', unset: false },
  SUCCESS_PIPELINE: { description: 'A pipeline succeeds.', unset: false },
  MOVED_PROJECT: { description: 'A project moves. On unless switched off.', unset: true },
  NEW_EPIC: { description: 'An epic is opened. Only for people on the higher tier; left out for others.', unset: false, premium: true },
} as const satisfies Record<string, EventFacts>;

export type EventName = keyof typeof facts;
export const eventNames = Object.keys(facts) as EventName[];

/** What is stored: only the events that were ever set. */
export type StoredEvents = { readonly [E in EventName]?: boolean | null };

/** The events that exist for a person. */
export function eventsFor(person: Pick<Person, 'premium'>): EventName[] {
  return eventNames.filter((name) => person.premium || !('premium' in facts[name]));
}

/** One event of a setting, with what counts and whether anyone chose that. */
export interface EventSetting {
  readonly event: EventName;
  readonly enabled: boolean;
  readonly isSet: boolean;
}

export function eventSettings(person: Pick<Person, 'premium'>, stored: StoredEvents): EventSetting[] {
  return eventsFor(person).map((event) => {
    const value = stored[event] ?? null;
    return { event, enabled: value ?? facts[event].unset, isSet: value !== null };
  });
}

export const EventType = builder.enumType('NotificationEvent', {
  description: 'What an e-mail can be sent for. Each has a switch that counts at the level `CUSTOM`.',
  values: Object.fromEntries(
    Object.entries(facts).map(([name, { description }]) => [name, { description }]),
  ) as { [E in EventName]: { description: string } },
});

export const EventSettingType = builder.objectRef<EventSetting>('NotificationEventSetting').implement({
  description: 'The switch of one event.',
  fields: (t) => ({
    event: t.expose('event', { type: EventType }),
    enabled: t.exposeBoolean('enabled', { description: 'Whether it counts as on.' }),
    isSet: t.exposeBoolean('isSet', { description: 'Whether anyone ever switched it; otherwise `enabled` is the default.' }),
  }),
});
