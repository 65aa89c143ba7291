import type { Context } from '../../../context.ts';
import { viewerId, type Prefetch, type Sql } from '../../../database/index.ts';
import { readGlobalSetting, readGroupSetting, readProjectSetting } from './statements.ts';
import { BadRequest } from '../../../errors.ts';
import { reads } from '../../../policy/index.ts';
import { builder } from '../../engine/builder.ts';
import { lookUp, prefetchPlace, lookUpMany } from '../../places/place/look-up.ts';
import { ownPerson, SettingType, toSetting, type Setting } from './setting.ts';

/** How a setting is named: by a group, by a project, or by neither for the global one. */
export interface Place {
  readonly group?: string | null | undefined;
  readonly project?: string | null | undefined;
}

/** The viewer's own setting for a place. It needs visibility, not membership. @throws NotFound, BadRequest */
export async function readSetting(context: Context, place: Place): Promise<Setting> {
  const person = ownPerson(context);
  refuseBoth(place);
  if (place.project != null) {
    const row = await lookUp(context, readProjectSetting, 'Project', place.project);
    return toSetting(person, 'PROJECT', row.id, row);
  }
  if (place.group != null) {
    const row = await lookUp(context, readGroupSetting, 'Group', place.group);
    return toSetting(person, 'GROUP', row.id, row);
  }
  return await readGlobal(context);
}

/** The prefetch of `readSetting`. @param place not validated yet */
export function prefetchSetting({ group, project }: { readonly [Name in keyof Place]: unknown }): Prefetch | undefined {
  if (project != null) return group == null ? prefetchPlace(readProjectSetting, 'Project', project) : undefined;
  return group != null
    ? prefetchPlace(readGroupSetting, 'Group', group)
    : { statement: readGlobalSetting, values: [viewerId] };
}

/** The global setting. @param sql the transaction that changed it, if any */
export async function readGlobal(context: Context, sql: Sql = context.database): Promise<Setting> {
  const person = ownPerson(context);
  const [row] = await sql.rows(readGlobalSetting, [person.id]);
  return toSetting(person, 'GLOBAL', null, row!);
}

/**
 * The viewer's own settings for several places, in the order given; at most one
 * statement for each scope among them.
 * @throws NotFound, BadRequest when a place is named twice
 */
export async function readSettings(context: Context, places: readonly Place[]): Promise<Setting[]> {
  const person = ownPerson(context);
  places.forEach(refuseBoth);
  const projects = places.flatMap(({ project }) => project ?? []);
  const groups = places.flatMap(({ group, project }) => (project == null ? (group ?? []) : []));
  const ofProjects = await lookUpMany(context, readProjectSetting, 'Project', projects);
  const ofGroups = await lookUpMany(context, readGroupSetting, 'Group', groups);
  const globals = places.length - projects.length - groups.length;
  const ofGlobal = globals > 0 ? await readGlobal(context) : null;

  const settings = places.map(({ group, project }) => {
    if (project != null) {
      const row = ofProjects.shift()!;
      return toSetting(person, 'PROJECT', row.id, row);
    }
    if (group != null) {
      const row = ofGroups.shift()!;
      return toSetting(person, 'GROUP', row.id, row);
    }
    return ofGlobal!;
  });
  const named = new Set(settings.map(({ scope, id }) => `${scope} ${id}`));
  if (named.size < settings.length) throw new BadRequest('A place can be named only once.');
  return settings;
}

function refuseBoth(place: Place): void {
  if (place.group != null && place.project != null) throw new BadRequest('Name a group or a project, not both.');
}

builder.queryField('notificationSettings', (t) =>
  t.field({
    type: SettingType,
    nullable: true,
    description: 'One of your own notification settings: of a group, of a project or, without either, the global one.',
    admission: { class: 'token', scopes: reads },
    prefetch: prefetchSetting,
    args: {
      group: t.arg.id({ description: 'Id or full path of a group.' }),
      project: t.arg.id({ description: 'Id or full path of a project.' }),
    },
    resolve: (_root, place, context) => readSetting(context, place),
  }),
);
