import { expect, test } from 'vitest';
import { testGateway } from '../support/gateway.ts';
import { addMember, newUser } from '../support/people.ts';
import { emptyTarget } from './support/target.ts';

const origin = await testGateway();
const target = await emptyTarget();
const from = { url: origin.url, token: await origin.personalToken('root', ['api', 'sudo', 'read_repository']) };

/** What both sides answer, without the address of the instance. */
async function both(path: string) {
  const [there, here] = await Promise.all([
    origin.rest('GET', `/api/v4${path}`, { token: from.token }),
    target.rest('GET', `/api/v4${path}`, { token: target.token }),
  ]);
  const plain = (text: string, url: string) => JSON.parse(text.replaceAll(url, 'instance')) as unknown;
  return [plain(there.text, origin.url), plain(here.text, target.url)] as const;
}

test('people, groups, projects and members are where they were; a second import writes nothing', async () => {
  const eve = await newUser(origin, 'eve');
  await addMember(origin, eve, 'REPORTER', { project: 'demo/storefront' });
  const dry = await target.take(from, { dryRun: true });
  expect(dry.counts).toMatchObject({ people: { created: 4 }, groups: { created: 2 }, projects: { created: 2 } });
  expect((await target.sql('select id from users')).length).toBe(1);

  const report = await target.take(from);
  expect(report.toJSON().differences).toEqual([]);
  const ids = [2, 3, 4, eve.id].map((id) => `/users/${id}`);
  for (const path of [...ids, '/groups', '/projects', '/groups/demo/members/all', '/groups/demo']) {
    const [there, here] = await both(path);
    expect(here).toEqual(there);
  }
  const again = await target.take(from);
  for (const counts of Object.values(again.counts))
    expect(counts).toMatchObject({ created: 0, updated: 0, refused: 0 });
});
