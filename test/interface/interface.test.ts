import { createHash } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { parseCall } from '../../src/rest/version-3/calls.ts';
import { changes } from '../../src/rest/version-3/changes.ts';
import { withSecondFactor } from '../support/oauth/authenticator.ts';
import { signIn } from '../support/pages/browser-session.ts';
import { testGateway } from '../support/gateway.ts';
import { registerApplication, sessionOf } from '../support/oauth/oauth.ts';
import { addMember, newUser } from '../support/places/people.ts';
import { idOf } from '../support/places/places.ts';
import { changesOfPeople } from './changes-of-people.ts';
import { changesOfPipelines } from './changes-of-pipelines.ts';
import { changesOfPlanning } from './changes-of-planning.ts';
import { changesOfProjects, changesOfTemplates } from './changes-of-projects.ts';
import { changesOfRepositories } from './changes-of-repositories.ts';
import { errorTrackingRows } from './error-tracking.ts';
import { limitRows } from './limits.ts';
import { notificationRows } from './notifications.ts';
import { oauthRows } from './oauth.ts';
import type { Row } from './row.ts';
import { run, type World } from './run.ts';

/** All rows, by chapter of GitLab's API documentation. */
const chapters: readonly [chapter: string, rows: readonly Row[]][] = [
  ['OAuth 2.0', oauthRows],
  ['notification settings', notificationRows],
  ['error tracking settings', errorTrackingRows],
  ['changes of projects', changesOfProjects],
  ['changes of templates', changesOfTemplates],
  ['changes of people', changesOfPeople],
  ['changes of planning', changesOfPlanning],
  ['changes of repositories', changesOfRepositories],
  ['changes of pipelines', changesOfPipelines],
  ['errors, limits and versions', limitRows],
];

const gateway = await testGateway();
const production = await testGateway(
  { CAUSEWAY_BASE_URL: 'https://causeway.example', NODE_ENV: 'production' },
  gateway,
);

let world: World;
beforeAll(async () => {
  const browser = await signIn(gateway, 'maintainer');
  const owner = sessionOf(gateway, 'maintainer', browser.cookies.get('causeway_session')!);
  const confidential = await registerApplication(owner);
  const open = await registerApplication(owner, { confidential: false });
  const narrow = await registerApplication(owner, { scopes: ['read_user'] });
  const premium = await newUser(gateway, 'premium', { tier: 'PREMIUM' });
  await addMember(gateway, premium, 'DEVELOPER', { group: 'demo' });
  const stranger = await newUser(gateway, 'stranger');
  const second = await withSecondFactor(gateway, 'protected');
  const challengeOf = (verifier: string) => createHash('sha256').update(verifier).digest('base64url');
  const { id: maintainer } = (await gateway.rest('GET', '/api/v4/user', { token: gateway.tokens.maintainer })).body as {
    id: number;
  };
  world = {
    url: gateway.url,
    productionUrl: `http://127.0.0.1:${new URL(production.gateway.listening).port}`,
    tokens: { ...gateway.tokens, premium: premium.token, stranger: stranger.token },
    browser,
    values: {
      storefront: 'demo%2Fstorefront',
      storefront_id: await idOf(gateway, 'project', 'demo/storefront'),
      demo: await idOf(gateway, 'group', 'demo'),
      maintainer: String(maintainer),
      stranger: stranger.id,
      client_id: confidential.clientId,
      client_secret: confidential.secret,
      public_id: open.clientId,
      narrow_id: narrow.clientId,
      password: inject('passwords').demo,
      protected_name: second.username,
      protected_password: second.password,
      personal_token: gateway.tokens.maintainer,
      eternal_token: await gateway.accessToken('maintainer', ['api'], { expiresIn: null }),
      api_token: await gateway.accessToken('maintainer', ['api']),
      read_user_token: await gateway.accessToken('maintainer', ['read_user']),
      profile_token: await gateway.accessToken('maintainer', ['profile']),
      challenge_of_42: challengeOf('a'.repeat(42)),
      challenge_of_128: challengeOf('a'.repeat(128)),
      challenge_of_129: challengeOf('a'.repeat(129)),
      challenge_of_all: challengeOf(`${'a'.repeat(36)}AZ09-._~`),
      challenge_of_other: challengeOf(`${'a'.repeat(42)}+`),
    },
  };
});

// Forget consents, so that each row starts with the consent page.
beforeEach(() => gateway.sql('delete from consents'));

describe.each(chapters)('%s', (_chapter, rows) => {
  const built = rows.filter(({ awaits }) => awaits === undefined);
  test.each(built.map((row) => [row.name, row] as const))('%s', async (_name, row) => run(row, world));

  const awaited = rows.filter(({ awaits }) => awaits !== undefined);
  // Only a failed assertion counts; any other error is a bug in the row.
  if (awaited.length > 0) {
    test.each(awaited.map((row) => [row.awaits!, row.name, row] as const))(
      'awaits %s: %s',
      async (_feature, _name, row) => {
        const outcome = await run(row, world).then(
          () => 'passes: remove its `awaits`',
          (problem: Error) => (problem.name === 'AssertionError' ? 'fails' : problem),
        );
        expect(outcome).toBe('fails');
      },
    );
  }
});

/** Each call in the table of changes must be requested by a row, by its literal path. */
test.each(changes.flatMap(({ title, old, now }) => [...old, ...now].map((call) => [call, title])))(
  'there is a row for %s (%s)',
  (call) => {
    const { method, path } = parseCall(call);
    const requests = chapters.flatMap(([, rows]) => rows.flatMap((row) => [row.request, ...(row.given ?? [])]));
    const found = requests.some(({ call: written }) => {
      const [by, literal = ''] = written.split(' ');
      return (method === '*' || by === method) && path.test(literal);
    });
    expect(found).toBe(true);
  },
);

/** A row that awaits a feature stops at its first request, so this checks the names in its other requests. */
test('every name in braces is known', () => {
  const namesIn = (part: object) => [...JSON.stringify(part).matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  const unknown = chapters.flatMap(([, rows]) =>
    rows.flatMap(({ name, given = [], request, response }) => {
      const known = new Set([...Object.keys(world.values), 'row']);
      const wrong = given.flatMap((step) => {
        const missing = namesIn(step).filter((one) => !known.has(one));
        for (const one of Object.keys(step.keeps ?? {})) known.add(one);
        return missing;
      });
      return [
        ...wrong,
        ...namesIn(request)
          .concat(namesIn(response))
          .filter((one) => !known.has(one)),
      ].map((one) => `${name}: {${one}}`);
    }),
  );
  expect(unknown).toEqual([]);
});

test('row names are unique', () => {
  const names = chapters.flatMap(([chapter, rows]) => rows.map(({ name }) => `${chapter}: ${name}`));
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});
