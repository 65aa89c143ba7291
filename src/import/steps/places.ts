import { groupAttributes } from '../../values/attributes/group-attributes.ts';
import { projectAttributes } from '../../values/attributes/project-attributes.ts';
import type { ImportedKind } from '../../values/kinds/imported-kinds.ts';
import type { Given, Query } from '../client.ts';
import {
  attributesIn,
  dayIn,
  flagIn,
  idIn,
  idOf,
  innerList,
  innerOf,
  numberIn,
  textIn,
  textsIn,
  timeIn,
  visibilityIn,
} from '../fields.ts';
import type { Importer, Place } from '../importer.ts';

/** Groups, each after the one that contains it, and projects, each after the one that it is a fork of; then who may what. */

const epoch = new Date(0).toISOString();

/** What later steps read of the record of a place. The whole records of all projects would fill the memory. */
const needed = [
  'shared_with_groups',
  'default_branch',
  'empty_repo',
  'repository_access_level',
  'builds_access_level',
  'issues_enabled',
  'merge_requests_enabled',
  'snippets_enabled',
] as const;

const neededLater = (record: Given): Given => Object.fromEntries(needed.map((name) => [name, record[name]]));

/**
 * Groups are read in order of their depth: all of them first, each by its full path.
 * @param isWritten otherwise they are only found, for later steps
 */
export async function importGroups(importer: Importer, isWritten: boolean): Promise<void> {
  const { client, group, progress } = importer.options;
  const listed: Given[] = [];
  if (group === undefined) {
    for await (const page of client.list('/groups', { all_available: true, order_by: 'id', sort: 'asc' }))
      listed.push(...page);
  } else {
    const path = `/groups/${encodeURIComponent(group)}`;
    listed.push(await client.get(path, { with_projects: false }), ...(await client.all(`${path}/descendant_groups`)));
  }
  if (!isWritten) {
    for (const record of listed) notePlace(importer.groups, record, 'full_path');
    return;
  }
  const depthOf = (record: Given) => (textIn(record, 'full_path') ?? '').split('/').length;
  const deepest = Math.max(0, ...new Set(listed.map(depthOf)));
  let done = 0;
  await importer.whileReading('groups', async (add) => {
    for (let depth = 1; depth <= deepest; depth++) {
      const level = listed.filter((record) => depthOf(record) === depth);
      const found = await importer.each(level, (record) => groupFrom(importer, record));
      await add(found.filter((one) => one !== undefined));
      progress('groups', (done += level.length), listed.length);
    }
  });
}

async function groupFrom(importer: Importer, listed: Given) {
  const key = idIn(listed);
  const fullPath = textIn(listed, 'full_path');
  if (key === undefined || fullPath === undefined) return void importer.unreadable('groups');
  // Attributes and shares are in the single record only.
  const record = await importer.orMissing('attributes of groups', listed, () =>
    importer.options.client.get(`/groups/${key}`, { with_projects: false }),
  );
  notePlace(importer.groups, record, 'full_path');
  const isRoot = importer.options.group === fullPath;
  const parentKey = isRoot ? undefined : idIn(record, 'parent_id');
  return {
    key,
    name: fullPath,
    record: {
      key,
      parentKey,
      // Compared with the record of an import of everything, only this group has it.
      ...(isRoot && { keepsParent: true }),
      path: textIn(record, 'path') ?? fullPath.split('/').at(-1)!,
      name: textIn(record, 'name') ?? fullPath,
      description: textIn(record, 'description') ?? '',
      visibility: visibilityIn(record),
      createdAt: timeIn(record, 'created_at') ?? epoch,
      ...attributesIn(groupAttributes, record, (name) =>
        importer.differs('groups', record, `${name} isn’t valid here: it has its default.`),
      ),
    },
  };
}

/** Notes a place for later steps. */
function notePlace(places: Place[], record: Given, pathName: string): void {
  const key = idIn(record);
  const path = textIn(record, pathName);
  if (key !== undefined && path !== undefined) places.push({ key, path, record: neededLater(record) });
}

/**
 * Projects in the order of their ids, so that what a fork comes from is there before it.
 * @param isWritten otherwise they are only found, for later steps
 */
export async function importProjects(importer: Importer, isWritten: boolean): Promise<void> {
  const { client, group, progress } = importer.options;
  const inOrder: Query = { order_by: 'id', sort: 'asc', pagination: 'keyset' };
  const [path, query]: [string, Query] =
    group === undefined
      ? ['/projects', inOrder]
      : [`/groups/${encodeURIComponent(group)}/projects`, { include_subgroups: true, order_by: 'id', sort: 'asc' }];
  const all = await client.count(path, group === undefined ? {} : { include_subgroups: true }).catch(() => undefined);
  let read = 0;
  await importer.whileReading('projects', async (add) => {
    for await (const page of client.list(path, query)) {
      for (const record of page) notePlace(importer.projects, record, 'path_with_namespace');
      if (isWritten)
        await add(page.flatMap((record) => projectFrom(importer, record) ?? importer.unreadable('projects')));
      progress('projects', (read += page.length), Math.max(read, all ?? 0));
    }
  });
}

function projectFrom(importer: Importer, record: Given) {
  const key = idIn(record);
  const path = textIn(record, 'path');
  const fullPath = textIn(record, 'path_with_namespace');
  const namespace = innerOf(record, 'namespace');
  if (key === undefined || path === undefined || fullPath === undefined || !namespace) return undefined;
  const isPersonal = textIn(namespace, 'kind') === 'user';
  return {
    key,
    name: fullPath,
    record: {
      key,
      groupKey: isPersonal ? undefined : idIn(namespace),
      ownerKey: isPersonal ? (idOf(record, 'owner') ?? idIn(record, 'creator_id')) : undefined,
      creatorKey: idIn(record, 'creator_id'),
      forkedFromKey: idOf(record, 'forked_from_project'),
      isCopied: textIn(record, 'import_status') === 'finished',
      path,
      name: textIn(record, 'name') ?? path,
      description: textIn(record, 'description') ?? '',
      visibility: visibilityIn(record),
      archived: flagIn(record, 'archived'),
      // `tag_list` before version 14.
      topics: Array.isArray(record.topics) ? textsIn(record, 'topics') : textsIn(record, 'tag_list'),
      createdAt: timeIn(record, 'created_at') ?? epoch,
      lastActivityAt: timeIn(record, 'last_activity_at') ?? timeIn(record, 'created_at') ?? epoch,
      updatedAt: timeIn(record, 'updated_at') ?? timeIn(record, 'last_activity_at') ?? epoch,
      ...attributesIn(projectAttributes, record, (name) =>
        importer.differs('projects', record, `${name} isn’t valid here: it has its default.`),
      ),
    },
  };
}

const scopes = { group: 'groups', project: 'projects' } as const;

/** The direct members of every place. */
export const importMembers = (importer: Importer): Promise<void> =>
  importPeopleOf(importer, { kind: 'members', path: 'members', field: 'members' }, (record, personKey) => {
    const accessLevel = numberIn(record, 'access_level');
    if (accessLevel === undefined) return undefined;
    const [createdAt, expiresAt] = [timeIn(record, 'created_at'), dayIn(record, 'expires_at')];
    return { personKey, accessLevel, createdAt, expiresAt };
  });

/** Who asks for a role in every place. */
export const importAccessRequests = (importer: Importer): Promise<void> =>
  importPeopleOf(
    importer,
    { kind: 'accessRequests', path: 'access_requests', field: 'requests' },
    (record, personKey) => ({ personKey, requestedAt: timeIn(record, 'requested_at') }),
  );

interface ListOfPeople {
  readonly kind: ImportedKind;
  /** The end of its path there. */
  readonly path: string;
  /** Its name in the record. */
  readonly field: string;
}

/** A list of people of every place, as a whole, in the order of their ids. */
async function importPeopleOf(
  importer: Importer,
  { kind, path: end, field }: ListOfPeople,
  toEntry: (record: Given, personKey: string) => { readonly personKey: string } | undefined,
): Promise<void> {
  for (const [scope, all] of Object.entries(scopes) as ['group' | 'project', 'groups' | 'projects'][]) {
    const what = `${end.replace('_', ' ')} of ${all}`;
    const read = async ({ key: id, path }: Place) => {
      const listed = await importer.orMissing(what, undefined, () =>
        importer.options.client.all(`/${all}/${id}/${end}`),
      );
      if (listed === undefined) return [];
      const people = listed.flatMap((record) => {
        const personKey = idIn(record);
        return (personKey === undefined ? undefined : toEntry(record, personKey)) ?? [];
      });
      people.sort((one, other) => Number(one.personKey) - Number(other.personKey));
      const key = `${scope}/${id}`;
      return [{ key, name: path, record: { key, [field]: people } }];
    };
    await importer.gather(kind, importer[all], read, what);
  }
}

/** The groups that places are shared with; they stand in the records of the places. */
export async function importShares(importer: Importer): Promise<void> {
  for (const [scope, all] of Object.entries(scopes) as ['group' | 'project', 'groups' | 'projects'][]) {
    const found = importer[all].flatMap(({ key: id, path, record }) => {
      // Older instances have no such list, nor does a list of groups.
      if (!Array.isArray(record.shared_with_groups)) return [];
      const shares = innerList(record, 'shared_with_groups').flatMap((share) => {
        const groupKey = idIn(share, 'group_id');
        const accessLevel = numberIn(share, 'group_access_level');
        if (groupKey === undefined || accessLevel === undefined) return [];
        return [{ groupKey, accessLevel, expiresAt: dayIn(share, 'expires_at') }];
      });
      const key = `${scope}/${id}`;
      // Also an empty list, where shares were ended since the last import.
      return [{ key, name: path, record: { key, shares } }];
    });
    await importer.write('shares', found);
  }
}
