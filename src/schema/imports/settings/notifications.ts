import { normalAddress } from '../../accounts/users/addresses.ts';
import { builder } from '../../engine/builder.ts';
import { EventType } from '../../settings/notification-settings/events.ts';
import { LevelType } from '../../settings/notification-settings/levels.ts';
import { importing, NotTaken } from '../origins/importing.ts';
import { storeGlobal, storeOfPlaces } from './statements.ts';

/** Importing what people chose to be notified of. */

const ImportedSetting = builder.inputType('ImportedNotificationSetting', {
  fields: (t) => ({
    projectKey: t.string(),
    groupKey: t.string(),
    level: t.field({ type: LevelType, required: true }),
    events: t.field({ type: [EventType], required: true, description: 'Those that are on at the level CUSTOM.' }),
  }),
});

const switches = (events: readonly string[]) => JSON.stringify(Object.fromEntries(events.map((name) => [name, true])));

importing('notificationSettings', {
  description:
    'Imports the notification settings of people, whose ids are the keys: the global one, and those of places.',
  record: (t) => ({
    level: t.field({ type: LevelType, required: true }),
    events: t.field({ type: [EventType], required: true }),
    address: t.string({ description: 'A confirmed one, if it isn’t the primary one.' }),
    places: t.field({ type: [ImportedSetting], required: true }),
  }),
  refersTo: ({ key, places }) => [
    ['people', key],
    ...places.flatMap(({ projectKey, groupKey }) => [['projects', projectKey] as const, ['groups', groupKey] as const]),
  ],
  examine: async ({ localOf }, { key, places }) => {
    const personId = localOf('people', key);
    if (personId === undefined) throw new NotTaken('The person wasn’t imported.');
    const found = places.flatMap(({ projectKey, groupKey, level, events }) => {
      const id = localOf('projects', projectKey) ?? localOf('groups', groupKey);
      return id === undefined
        ? []
        : [{ id, scope: projectKey == null ? ('group' as const) : ('project' as const), level, events }];
    });
    return { personId, found };
  },
  store: async ({ sql }, { level, events, address }, { personId, found }) => {
    await sql.rows(storeGlobal, [personId, level, switches(events), address ? normalAddress(address) : null]);
    for (const scope of ['group', 'project'] as const) {
      const its = found.filter((one) => one.scope === scope);
      await sql.rows(storeOfPlaces[scope], [
        personId,
        its.map(({ id }) => id),
        its.map((one) => one.level),
        its.map((one) => switches(one.events)),
      ]);
    }
    return null;
  },
});
