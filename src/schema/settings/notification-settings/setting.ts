import type { SettingRow } from './statements.ts';
import type { Context } from '../../../context.ts';
import { defaultLevel, type Level, type Scope } from '../../../values/kinds/notification-levels.ts';
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
  /** Null if none was chosen. */
  readonly level: Level | null;
  readonly events: StoredEvents;
  /** Of the global setting, and of a group if one was chosen. */
  readonly notificationEmail: string | null;
  /** Set if it was read with the setting. */
  readonly effective?: EffectiveLevel | undefined;
}

/** A setting from its row; without a row, nothing was ever set. */
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
  description: 'The effective level, and where it comes from.',
  fields: (t) => ({
    level: t.expose('level', { type: LevelType, description: 'Never `GLOBAL`.' }),
    source: t.expose('source', { type: SourceType }),
    sourceGroup: t.field({
      type: Group,
      nullable: true,
      description: 'The group whose level applies; null if it comes from elsewhere or you can’t see the group.',
      resolve: ({ group }, _args, context) =>
        group && holds(seePlace, context.viewer, group.facts) ? namespaceById(context, group.id) : null,
    }),
  }),
});

/** The place is read only if selected; one statement reads those of a page. */
const isFor = (scope: Scope, setting: Setting) => setting.scope === scope && setting.id !== null;

export const SettingType = builder.objectRef<Setting>('NotificationSettings').implement({
  description: 'A notification setting of a person: the global one, or that of a group or a project.',
  fields: (t) => ({
    scope: t.expose('scope', { type: ScopeType }),
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
      direct: true,
      resolve: ({ level, scope }) => level ?? defaultLevel[scope],
    }),
    isLevelSet: t.boolean({
      description: 'Whether a level was ever chosen in this setting.',
      direct: true,
      resolve: ({ level }) => level !== null,
    }),
    effective: t.field({
      type: EffectiveType,
      description: 'The effective level, and where it comes from.',
      resolve: (setting, _args, context) => setting.effective ?? effectiveLevel(context, setting),
    }),
    inherited: t.field({
      type: EffectiveType,
      nullable: true,
      description: 'What would be effective if this setting had no level of its own; null for the global one.',
      resolve: ({ person, scope, id }, _args, context) =>
        scope === 'GLOBAL' ? null : effectiveLevel(context, { person, scope, id, above: true }),
    }),
    events: t.field({
      type: [EventSettingType],
      description: 'The switches of this setting. They apply only while its level is `CUSTOM`, but are always stored.',
      resolve: ({ person, events }) => eventSettings(person, events),
    }),
    notificationEmail: t.exposeString('notificationEmail', {
      nullable: true,
      description:
        'The address that notifications are sent to. Of a group: null unless one was chosen for it. Projects have none.',
    }),
  }),
});

/** The person whose settings a credential reads and changes: always its own. */
export function ownPerson(context: Context): Person {
  const { person } = context.viewer;
  // Admission refuses requests without a person, except those of the operator.
  if (!person) throw new TypeError('Notification settings belong to a person.');
  return person;
}
