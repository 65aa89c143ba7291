import type { SettingRow } from './statements.ts';
import type { Context } from '../../../context.ts';
import { defaultLevel, type Level, type Scope } from '../../../values/notification-levels.ts';
import { holds, seePlace, type Person } from '../../../policy/index.ts';
import { builder } from '../../engine/builder.ts';
import { namespaceById, projectById } from '../../places/place/read.ts';
import { Group, Project } from '../../places/place/types.ts';
import { effectiveLevel, SourceType, type EffectiveLevel } from './effective.ts';
import { EventSettingType, eventSettings, type StoredEvents } from './events.ts';
import { LevelType, ScopeType } from './levels.ts';

/** One setting of one person. `id` is the group's or project's; null for the global one. */
export interface Setting {
  readonly person: Person;
  readonly scope: Scope;
  readonly id: number | null;
  /** Null while none was chosen. */
  readonly level: Level | null;
  readonly events: StoredEvents;
  /** Only the global setting has one. */
  readonly notificationEmail: string | null;
  /** Where it was read along. */
  readonly effective?: EffectiveLevel | undefined;
}

/** A setting out of what is stored of it; without a row, nothing was ever set. */
export function toSetting(
  person: Person,
  scope: Scope,
  id: number | null,
  row: SettingRow & { notification_email?: string | null },
): Setting {
  return {
    person,
    scope,
    id,
    level: row.level,
    events: row.events ?? {},
    notificationEmail: row.notification_email ?? null,
  };
}

const EffectiveType = builder.objectRef<EffectiveLevel>('EffectiveNotificationLevel').implement({
  description: 'The level that really applies, and why.',
  fields: (t) => ({
    level: t.field({ type: LevelType, description: 'Never `GLOBAL`.', resolve: ({ level }) => level }),
    source: t.field({ type: SourceType, resolve: ({ source }) => source }),
    sourceGroup: t.field({
      type: Group,
      nullable: true,
      description: 'The group whose level applies, if it is one and you can see it.',
      resolve: ({ group }, _args, context) =>
        group && holds(seePlace, context.viewer, group.facts) ? namespaceById(context, group.id) : null,
    }),
  }),
});

/** The place is read only when asked for; many of a page are read in one statement. */
const isFor = (scope: Scope, setting: Setting) => setting.scope === scope && setting.id !== null;

export const SettingType = builder.objectRef<Setting>('NotificationSettings').implement({
  description: 'What one person wants to hear: everywhere, in a group, or in a project.',
  fields: (t) => ({
    scope: t.field({ type: ScopeType, resolve: ({ scope }) => scope }),
    group: t.field({
      type: Group,
      nullable: true,
      description: 'The group that this setting belongs to.',
      resolve: (setting, _args, context) => (isFor('GROUP', setting) ? namespaceById(context, setting.id!) : null),
    }),
    project: t.field({
      type: Project,
      nullable: true,
      description: 'The project that this setting belongs to.',
      resolve: (setting, _args, context) => (isFor('PROJECT', setting) ? projectById(context, setting.id!) : null),
    }),
    level: t.field({
      type: LevelType,
      description: 'The level as chosen, or the default: `PARTICIPATING` everywhere, `GLOBAL` in a group or project.',
      resolve: ({ level, scope }) => level ?? defaultLevel[scope],
    }),
    isLevelSet: t.boolean({
      description: 'Whether a level was ever chosen here.',
      resolve: ({ level }) => level !== null,
    }),
    effective: t.field({
      type: EffectiveType,
      description: 'The level that really applies here, and where it comes from.',
      resolve: (setting, _args, context) => setting.effective ?? effectiveLevel(context, setting),
    }),
    events: t.field({
      type: [EventSettingType],
      description:
        'The switches of this setting. They count while its level is `CUSTOM`, and are kept while it is not.',
      resolve: ({ person, events }) => eventSettings(person, events),
    }),
    notificationEmail: t.exposeString('notificationEmail', {
      nullable: true,
      description: 'Where e-mail goes. Only the global setting has one.',
    }),
  }),
});

/** The person whose settings a credential reads and changes: its own. */
export function ownPerson(context: Context): Person {
  const { person } = context.viewer;
  // Admission has refused everyone without one, but for the operator.
  if (!person) throw new TypeError('Notification settings belong to a person.');
  return person;
}
