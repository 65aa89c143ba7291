import { beforeAll, expect, test } from 'vitest';
import { testGateway, type TestGateway } from '../support/gateway.ts';
import { newUser } from '../support/places/people.ts';

/** What is shown of the owner of a token, and what depends on the owner alone.  */

const settings = '/api/v4/notification_settings';
const kinds = ['personal', 'OAuth'] as const;
type Kind = (typeof kinds)[number];

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await testGateway();
  await newUser(gateway, 'premium', { tier: 'PREMIUM' });
});

const makeToken = (kind: Kind, username: string, scopes: string[]) =>
  kind === 'personal' ? gateway.personalToken(username, scopes) : gateway.accessToken(username, scopes);
const bearing = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

const user = async (scopes: string[], kind: Kind = 'OAuth', name = 'developer') =>
  await gateway.rest('GET', '/api/v4/user', bearing(await makeToken(kind, name, scopes)));
/** Of the members that scopes or rights decide on, those that a record has. */
const guarded = (body: object) =>
  ['confirmed_at', 'email', 'two_factor_enabled', 'external', 'projects_limit', 'is_admin'].filter(
    (member) => member in body,
  );
const addresses = ['confirmed_at', 'email'];
const ownAttributes = ['two_factor_enabled', 'external', 'projects_limit'];

test.each(
  kinds.flatMap((kind) =>
    [['api'], ['read_api'], ['read_user'], ['email'], ['profile', 'email']].map((scopes) => ({ kind, scopes })),
  ),
)('a $kind token with $scopes shows the address', async ({ kind, scopes }) => {
  const { status, body } = await user(scopes, kind);
  const more = scopes.includes('email') ? [] : ownAttributes;
  expect([status, guarded(body), body.email]).toEqual([200, [...addresses, ...more], 'developer@example.com']);
});

test.each(kinds)('a %s token with profile alone shows none', async (kind) => {
  const { status, body } = await user(['profile'], kind);
  expect([status, guarded(body), body.username]).toEqual([200, [], 'developer']);
});

test('only the record of an administrator has is_admin', async () => {
  const { body } = await user(['api'], 'personal', 'root');
  expect([guarded(body), body.is_admin]).toEqual([[...addresses, ...ownAttributes, 'is_admin'], true]);
});

test('the record is that of the person, with times in milliseconds', async () => {
  const { body } = await user(['api']);
  const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  expect(body).toMatchObject({
    id: expect.any(Number),
    username: 'developer',
    public_email: '',
    name: 'Dev Developer',
    state: 'active',
    locked: false,
    avatar_url: null,
    web_url: `${gateway.url}/developer`,
    created_at: moment,
    confirmed_at: moment,
    email: 'developer@example.com',
    two_factor_enabled: false,
  });
});

test.each(['/api/v4/user', settings])('a token of an application for itself has no person at %s', async (path) => {
  const { status, body, headers } = await gateway.rest('GET', path, bearing(await gateway.accessToken(null, ['api'])));
  expect([status, body, headers.get('www-authenticate')]).toEqual([
    401,
    { message: '401 Unauthorized' },
    'Bearer realm="Causeway"',
  ]);
});
test.each(kinds)(
  'epics, which exist on the higher tier, are among the events for the %s token of a person on it, and for no other',
  async (kind) => {
    const hasEpics = async (username: string) => {
      const token = await makeToken(kind, username, ['api']);
      const { status, body } = await gateway.rest('PUT', settings, { ...bearing(token), query: { level: 'custom' } });
      return [status, 'new_epic' in body.events];
    };
    expect([await hasEpics('premium'), await hasEpics('developer')]).toEqual([
      [200, true],
      [200, false],
    ]);
  },
);
