import { beforeAll, expect, test } from 'vitest';
import { testGateway } from '../support/gateway.ts';
import { addMember, newUser } from '../support/places/people.ts';
import { runs } from '../support/run/runs.ts';
import { sshKeyPair } from '../support/oauth/ssh-key-pair.ts';
import { both } from './support/compare.ts';
import { emptyTarget } from './support/target.ts';

/** Importing people and places from one gateway into another. */

const origin = await testGateway();
const token = await origin.personalToken('root', ['api', 'sudo', 'read_repository']);
const from = { url: origin.url, token };

const post = async (path: string, json: object, as = token) => {
  const { status, body, text } = await origin.rest('POST', `/api/v4${path}`, { token: as, json });
  if (status >= 300) throw new Error(`${path}: ${status} ${text}`);
  return body as { id: number };
};

/** What is compared. */
const paths: string[] = [];

beforeAll(async () => {
  const eve = await newUser(origin, 'eve');
  const pat = await newUser(origin, 'pat');
  await post(`/users/${pat.id}/block`, {});
  await origin.rest('PUT', `/api/v4/users/${eve.id}`, {
    token,
    json: { bio: 'Sails', external: true, projects_limit: 3, extern_uid: 'Eve S', provider: 'ldapmain' },
  });
  await post(`/users/${eve.id}/emails`, { email: 'eve@second.example', skip_confirmation: true });
  await origin.rest('PUT', `/api/v4/users/${eve.id}`, { token, json: { commit_email: 'eve@second.example' } });
  await origin.rest('PUT', `/api/v4/users/${pat.id}`, { token, json: { commit_email: '_private' } });
  const { public: key } = sshKeyPair();
  await post(`/users/${eve.id}/keys`, { title: 'Laptop', key, expires_at: '2999-01-31T00:00:00Z' });
  await addMember(origin, eve, 'REPORTER', { project: 'demo/storefront' });

  const group = await post('/groups', { name: 'Fleet', path: 'fleet', visibility: 'internal', description: 'Ships.' });
  const below = await post('/groups', {
    name: 'Tugs',
    path: 'tugs',
    parent_id: group.id,
    project_creation_level: 'maintainer',
  });
  await post(`/groups/${group.id}/members`, { user_id: eve.id, access_level: 30, expires_at: '2999-02-28' });
  const guests = await post('/groups', { name: 'Guests', path: 'guests', visibility: 'public' });
  const project = await post('/projects', {
    name: 'Harbour',
    path: 'harbour',
    namespace_id: below.id,
    topics: ['sea', 'port'],
    merge_method: 'ff',
    wiki_access_level: 'disabled',
  });
  await post(`/projects/${project.id}/share`, { group_id: guests.id, group_access: 20, expires_at: '2999-03-31' });
  const own = await post('/projects', { name: 'Notes', path: 'notes', visibility: 'public' }, origin.tokens.maintainer);
  await post(`/projects/${own.id}/star`, {}, eve.token);
  const fork = await post(`/projects/${own.id}/fork`, { path: 'copy' }, origin.tokens.developer);
  await post(`/groups/${group.id}/share`, { group_id: guests.id, group_access: 10 });
  for (const place of [`/groups/${guests.id}`, `/projects/${own.id}`])
    await post(`${place}/access_requests`, {}, origin.tokens.developer);
  await post(`/projects/${project.id}/archive`, {});
  paths.push(
    ...[2, 3, 4, eve.id, pat.id].flatMap((id) => [`/users/${id}`, `/users/${id}/emails`, `/users/${id}/keys`]),
    ...[group.id, below.id].flatMap((id) => [`/groups/${id}`, `/groups/${id}/members`, `/groups/${id}/projects`]),
    ...[project.id, own.id, fork.id].flatMap((id) => [`/projects/${id}`, `/projects/${id}/members/all`]),
    ...[`/groups/${guests.id}`, `/projects/${own.id}`].map((place) => `${place}/access_requests`),
    `/users/${eve.id}/starred_projects`,
    '/groups',
    '/projects?order_by=id',
    '/groups/demo/members/all',
  );
});

test('people, groups, projects and members are where they were; a second import writes nothing', async () => {
  const target = await emptyTarget();
  const dry = await target.take(from, { dryRun: true });
  expect(dry.counts).toMatchObject({ people: { created: 5 }, groups: { created: 5 }, projects: { created: 5 } });
  expect((await target.sql('select id from users')).length).toBe(1);

  const report = await target.take(from);
  expect(report.toJSON().differences).toEqual([]);
  for (const path of paths) {
    const { there, here } = await both(origin, token, target, path);
    expect(here, path).toEqual(there);
  }
  const again = await target.take(from);
  for (const counts of Object.values(again.counts))
    expect(counts).toMatchObject({ created: 0, updated: 0, refused: 0 });
});

test('an import that is interrupted again and again ends as one that isn’t', async () => {
  const target = await emptyTarget();
  for (let round = 0; round < 3 * runs; round++) {
    const stop = new AbortController();
    let left = 1 + Math.floor(Math.random() * 12);
    const run: typeof target.run = async (source, variables) => {
      if (--left === 0) stop.abort(new Error('killed'));
      return await target.run(source, variables);
    };
    await target.take(from, { signal: stop.signal, run }).catch((error: Error) => expect(error.message).toBe('killed'));
  }
  await target.take(from);
  for (const path of paths) {
    const { there, here } = await both(origin, token, target, path);
    expect(here, path).toEqual(there);
  }
});

test('what is renamed or moved there is renamed and moved here, and its former path leads on', async () => {
  const put = async (path: string, json: object) => {
    const { status, text } = await origin.rest('PUT', `/api/v4${path}`, { token, json });
    expect(status, text).toBe(200);
  };
  const mover = await newUser(origin, 'mover');
  const group = async (path: string, more: object = {}) =>
    (await post('/groups', { name: path, path, visibility: 'public', ...more })).id;
  const project = async (path: string, namespaceId: number, more: object = {}) =>
    (await post('/projects', { name: path, path, namespace_id: namespaceId, ...more })).id;
  const [old, narrow, stays] = [
    await group('old-fleet'),
    await group('narrow', { visibility: 'private' }),
    await group('pier'),
  ];
  const below = await group('below', { parent_id: old });
  const deep = await project('deep', below, { visibility: 'public' });
  const renamed = await project('renamed', old);
  const moved = await project('moved', old, { visibility: 'public' });
  const own = await post('/projects', { name: 'Own', path: 'own' }, mover.token);
  await post(`/groups/${old}/labels`, { name: 'tide', color: '#112233' });
  await post(`/projects/${moved}/issues`, { title: 'Has a label of the group', labels: 'tide' });

  const target = await emptyTarget();
  await target.take(from);
  const validFrom = async () =>
    (await target.sql<{ at: Date }>('select valid_from as at from users where id = $1', [mover.id]))[0]!.at;
  const valid = await validFrom();
  // Here, something else has the path that one gets there.
  await target.rest('POST', '/api/v4/groups', { token: target.token, json: { name: 'Dock', path: 'dock' } });

  await put(`/users/${mover.id}`, { username: 'moved-on', name: 'Moved On' });
  await post(`/users/${mover.id}/block`, {});
  await put(`/groups/${old}`, { path: 'new-fleet', name: 'New fleet' });
  await put(`/projects/${renamed}`, { path: 'renamed-too' });
  await put(`/projects/${moved}/transfer`, { namespace: narrow });
  await post(`/groups/${below}/transfer`, { group_id: narrow });
  await put(`/groups/${stays}`, { path: 'dock' });

  const before = await target.take(from, { dryRun: true });
  const stayed = { kind: 'groups', key: String(stays), name: 'dock', text: 'The path dock is taken: it stays pier.' };
  expect(before.toJSON().differences).toEqual([stayed]);
  expect((await target.take(from)).toJSON().differences).toEqual([stayed]);

  const same = [
    `/users/${mover.id}`,
    ...[old, narrow, below].flatMap((id) => [`/groups/${id}`, `/groups/${id}/members/all`]),
    ...[deep, renamed, moved, own.id].flatMap((id) => [`/projects/${id}`, `/projects/${id}/members/all`]),
    `/projects/${moved}/issues/1`,
  ];
  for (const path of same) {
    const { there, here } = await both(origin, token, target, path);
    expect(here, path).toEqual(there);
  }
  for (const path of [
    'groups/old-fleet',
    'groups/old-fleet%2Fbelow',
    'projects/old-fleet%2Fmoved',
    'projects/mover%2Fown',
  ])
    expect((await target.rest('GET', `/api/v4/${path}`, { token: target.token })).status, path).toBe(301);

  // Sessions and tokens of applications of a person who was blocked are ended, as by an administrator here.
  expect((await validFrom()).getTime()).toBeGreaterThan(valid.getTime());

  const again = await target.take(from);
  for (const counts of Object.values(again.counts))
    expect(counts).toMatchObject({ created: 0, updated: 0, refused: 0 });

  // The group alone, wherever it is there, stays where it is here.
  await put(`/groups/${below}`, { path: 'alone' });
  await target.take(from, { group: 'narrow/alone' });
  expect((await target.rest('GET', `/api/v4/groups/${below}`, { token: target.token })).body).toMatchObject({
    full_path: 'narrow/alone',
  });
});
