import { Gitlab } from '@gitbeaker/rest';
import { beforeAll, expect, test } from 'vitest';
import { testGateway, type TestGateway } from '../../support/gateway.ts';
import { newUser, type TestUser } from '../../support/places/people.ts';
import { newProject } from '../../support/places/places.ts';

/** gitbeaker, an unmodified client, manages groups and members. */

let gateway: TestGateway;
let olga: TestUser;
let client: InstanceType<typeof Gitlab<false>>;
beforeAll(async () => {
  gateway = await testGateway();
  olga = await newUser(gateway, 'olga');
  client = new Gitlab({ host: gateway.url, token: olga.token });
});

/** The error that the client threw. */
async function refused(work: Promise<unknown>): Promise<{ status: number; description: string }> {
  const error = (await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )) as { cause: { response: Response; description: string } };
  return { status: error.cause.response.status, description: error.cause.description };
}

test('gitbeaker creates, lists, updates and deletes groups and subgroups', async () => {
  const { Groups } = client;
  const firm = await Groups.create('The Firm', 'firm', { visibility: 'internal', description: 'All of it.' });
  expect(firm).toMatchObject({ full_path: 'firm', visibility: 'internal', parent_id: null });
  const team = await Groups.create('Team', 'team', { parentId: firm.id });
  await Groups.create('Squad', 'squad', { parentId: team.id });
  await newProject(gateway, { group: 'firm/team', path: 'shop', visibility: 'PRIVATE' });

  const paths = (groups: { full_path: unknown }[]) => groups.map(({ full_path: path }) => path);
  expect(paths(await Groups.all())).toEqual(['firm/team/squad', 'firm/team', 'firm']);
  expect(paths(await Groups.all({ topLevelOnly: true, perPage: 1, maxPages: 3 }))).toEqual(['firm']);
  expect(paths(await Groups.search('squad'))).toEqual(['firm/team/squad']);
  expect(paths(await Groups.allSubgroups('firm'))).toEqual(['firm/team']);
  expect(paths(await Groups.allDescendantGroups('firm', { orderBy: 'id' }))).toEqual(['firm/team', 'firm/team/squad']);
  expect(
    (await Groups.allProjects('firm', { includeSubgroups: true })).map(({ path_with_namespace: path }) => path),
  ).toEqual(['firm/team/shop']);
  expect(await Groups.show('firm/team')).toMatchObject({ full_name: 'The Firm / Team', projects: [{ path: 'shop' }] });
  // All pages.
  expect(paths(await Groups.all({ perPage: 1 }))).toHaveLength(3);

  expect(await refused(Groups.create('Firm', 'FIRM'))).toEqual({
    status: 400,
    description: 'Failed to save group {:path=>["has already been taken"]}',
  });
  expect(await Groups.edit(team.id, { name: 'The Team', path: 'crew' })).toMatchObject({
    name: 'The Team',
    full_path: 'firm/crew',
  });
  await Groups.remove('firm/crew');
  expect(await refused(Groups.show('firm/crew/squad'))).toMatchObject({
    status: 404,
    description: '404 Group Not Found',
  });

  const { Namespaces } = client;
  expect(paths(await Namespaces.all())).toEqual(['olga', 'firm']);
  expect(await Namespaces.show('firm')).toMatchObject({ kind: 'group', path: 'firm' });
  expect(await Namespaces.exists('firm')).toEqual({ exists: true, suggests: ['firm1'] });
});

test.each(['GroupMembers', 'ProjectMembers'] as const)('gitbeaker manages %s', async (resource) => {
  const place = resource === 'GroupMembers' ? 'crew' : 'crew/boat';
  if (resource === 'GroupMembers') {
    await client.Groups.create('Crew', 'crew');
    await newProject(gateway, { group: 'crew', path: 'boat', visibility: 'PRIVATE' });
  }
  const { [resource]: members } = client;
  const dan = await newUser(gateway, `dan-${resource.toLowerCase()}`);
  const userId = Number(dan.id);

  expect(await members.add(place, 30, { userId, expiresAt: '2999-01-01' })).toMatchObject({
    username: dan.username,
    access_level: 30,
    expires_at: '2999-01-01',
  });
  expect(await refused(members.add(place, 30, { username: dan.username }))).toEqual({
    status: 409,
    description: 'Member already exists',
  });
  expect(await members.edit(place, userId, 20)).toMatchObject({ access_level: 20 });
  expect(await members.show(place, userId)).toMatchObject({ access_level: 20 });
  const all = await members.all(place, { includeInherited: true, perPage: 1 });
  expect(all.map(({ username }) => username)).toEqual(['olga', dan.username]);
  expect(await members.show(place, Number(olga.id), { includeInherited: true })).toMatchObject({ access_level: 50 });
  await members.remove(place, userId);
  expect(await refused(members.show(place, userId))).toMatchObject({ status: 404, description: '404 Not found' });
});
