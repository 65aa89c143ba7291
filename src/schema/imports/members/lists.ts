import { roles } from '../../../policy/index.ts';
import { builder } from '../../engine/builder.ts';
import { importing, NotTaken, type Batch } from '../origins/importing.ts';
import {
  removeMembers,
  removeRequests,
  removeShares,
  storeMembers,
  storeRequests,
  storeShares,
  storeStars,
  type Scope,
} from './statements.ts';

/** Importing lists: members, requests for access and shares of a place, the stars of a person. Each is stored as a whole. */

const ImportedMember = builder.inputType('ImportedMember', {
  fields: (t) => ({
    personKey: t.string({ required: true }),
    accessLevel: t.int({ required: true }),
    createdAt: t.field({ type: 'Time' }),
    expiresAt: t.field({ type: 'Date' }),
  }),
});

const ImportedAccessRequest = builder.inputType('ImportedAccessRequest', {
  fields: (t) => ({ personKey: t.string({ required: true }), requestedAt: t.field({ type: 'Time' }) }),
});

const ImportedShare = builder.inputType('ImportedShare', {
  fields: (t) => ({
    groupKey: t.string({ required: true, description: 'The group that is invited.' }),
    accessLevel: t.int({ required: true }),
    expiresAt: t.field({ type: 'Date' }),
  }),
});

const known: ReadonlySet<number> = new Set(Object.values(roles));

/** The place of a list: its key is `group/7` or `project/7`. */
function placeOf({ localOf, dryRun }: Batch, key: string): { readonly scope: Scope; readonly id: number } {
  const [scope, id] = key.split('/');
  if (scope !== 'group' && scope !== 'project') throw new NotTaken(`${key} is no place.`);
  const found = localOf(scope === 'group' ? 'groups' : 'projects', id);
  if (found === undefined && !dryRun) throw new NotTaken('Its place wasn’t imported.');
  return { scope, id: found ?? 0 };
}

const placeReference = (key: string) =>
  [key.startsWith('group/') ? 'groups' : 'projects', key.slice(key.indexOf('/') + 1)] as const;

/** What is here of what a list names. The others are reported. */
function present<One extends { readonly accessLevel: number }>(
  batch: Batch,
  list: readonly One[],
  localOf: (one: One) => number | undefined,
  words: string,
): readonly (One & { readonly id: number })[] {
  const found = list.map((one) => ({ ...one, id: localOf(one) }));
  const missing = found.filter(({ id }) => id === undefined).length;
  if (missing > 0 && !batch.dryRun) batch.remark(`${missing} ${words} weren’t imported.`);
  const roleless = found.filter(({ accessLevel }) => !known.has(accessLevel)).length;
  if (roleless > 0) batch.remark(`${roleless} ${words} have a role that doesn’t exist here: they get none.`);
  return found.filter((one): one is typeof one & { id: number } => one.id !== undefined && known.has(one.accessLevel));
}

importing('members', {
  description:
    'Imports the members of places: key `group/7` or `project/7`. Those who are no members there any more are removed.',
  record: (t) => ({ members: t.field({ type: [ImportedMember], required: true }) }),
  refersTo: ({ key, members }) => [
    placeReference(key),
    ...members.map(({ personKey }) => ['people', personKey] as const),
  ],
  examine: async (batch, { key, members }) => ({
    ...placeOf(batch, key),
    members: present(batch, members, ({ personKey }) => batch.localOf('people', personKey), 'members'),
  }),
  store: async ({ sql, originId }, _list, { scope, id, members }) => {
    const people = members.map((member) => member.id);
    await sql.rows(storeMembers[scope], [
      id,
      people,
      members.map(({ accessLevel }) => accessLevel),
      members.map(({ expiresAt }) => expiresAt ?? null),
      members.map(({ createdAt }) => createdAt ?? new Date()),
    ]);
    await sql.rows(removeMembers[scope], [id, people, originId]);
    return null;
  },
});

interface AccessRequest {
  readonly personKey: string;
  readonly requestedAt?: Date | null | undefined;
}

/** A request of a list. Another one of its person for the same place, after an answer, has another key. */
const requestKey = (list: string, { personKey, requestedAt }: AccessRequest) =>
  `${list}/${personKey}/${requestedAt?.toISOString() ?? ''}`;

importing('accessRequests', {
  description:
    'Imports who asks for a role in places: key `group/7` or `project/7`. Imported requests that ended there end here; those that ended here stay ended. No message is sent.',
  record: (t) => ({ requests: t.field({ type: [ImportedAccessRequest], required: true }) }),
  refersTo: ({ key, requests }) => [
    placeReference(key),
    ...requests.flatMap((one) => [
      ['people', one.personKey] as const,
      ['accessRequests', requestKey(key, one)] as const,
    ]),
  ],
  examine: async (batch, { key, requests }) => {
    const found = requests.map((one) => ({ ...one, id: batch.localOf('people', one.personKey) }));
    const missing = found.filter(({ id }) => id === undefined).length;
    if (missing > 0 && !batch.dryRun) batch.remark(`${missing} people who ask weren’t imported.`);
    const isNew = (one: AccessRequest) => batch.localOf('accessRequests', requestKey(key, one)) === undefined;
    return {
      ...placeOf(batch, key),
      added: found.flatMap((one) => (one.id !== undefined && isNew(one) ? [{ ...one, id: one.id }] : [])),
    };
  },
  store: async ({ sql, originId, remember }, { key, requests }, { scope, id, added }) => {
    const stay = requests.map((one) => requestKey(key, one));
    await sql.rows(removeRequests[scope], [id, originId, `${key}/`, stay]);
    const keys = new Map(added.map((one) => [one.id, requestKey(key, one)]));
    const times = added.map(({ requestedAt }) => requestedAt ?? new Date());
    for (const made of await sql.rows(storeRequests[scope], [id, [...keys.keys()], times]))
      remember('accessRequests', keys.get(made.user_id)!, made.id);
    return null;
  },
});

importing('shares', {
  description:
    'Imports the groups that places are shared with: key `group/7` or `project/7`. Shares that ended there are ended.',
  record: (t) => ({ shares: t.field({ type: [ImportedShare], required: true }) }),
  refersTo: ({ key, shares }) => [placeReference(key), ...shares.map(({ groupKey }) => ['groups', groupKey] as const)],
  examine: async (batch, { key, shares }) => ({
    ...placeOf(batch, key),
    shares: present(batch, shares, ({ groupKey }) => batch.localOf('groups', groupKey), 'groups'),
  }),
  store: async ({ sql, originId }, _list, { scope, id, shares }) => {
    const groups = shares.map((share) => share.id);
    await sql.rows(storeShares[scope], [
      id,
      groups,
      shares.map(({ accessLevel }) => accessLevel),
      shares.map(({ expiresAt }) => expiresAt ?? null),
    ]);
    await sql.rows(removeShares[scope], [id, groups, originId]);
    return null;
  },
});

importing('stars', {
  description: 'Imports the stars of people, whose id is the key.',
  record: (t) => ({ projectKeys: t.stringList({ required: true }) }),
  refersTo: ({ key, projectKeys }) => [
    ['people', key],
    ...projectKeys.map((project) => ['projects', project] as const),
  ],
  examine: async (batch, { key, projectKeys }) => {
    const personId = batch.localOf('people', key);
    if (personId === undefined && !batch.dryRun) throw new NotTaken('The person wasn’t imported.');
    return { personId: personId ?? 0, projects: projectKeys.flatMap((one) => batch.localOf('projects', one) ?? []) };
  },
  store: async ({ sql }, _list, { personId, projects }) => {
    await sql.rows(storeStars, [personId, projects]);
    return null;
  },
});
