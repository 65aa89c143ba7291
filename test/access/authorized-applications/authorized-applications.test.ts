import { expect, test } from 'vitest';
import { signIn } from '../../support/pages/browser-session.ts';
import { testGateway } from '../../support/gateway.ts';
import {
  account,
  basic,
  post,
  registerApplication,
  session,
  sessionOf,
  statusOf,
  tokensFor,
} from '../../support/oauth/oauth.ts';
import { statementsOf } from '../../support/databases/statements.ts';

/** The pages of applications that a user has authorized. */

const gateway = await testGateway();

test('authorized applications are listed with their scopes, and revoking ends their tokens (row 21)', async () => {
  const { username, password } = await account(gateway, 'generous');
  const generous = await signIn(gateway, username, password);
  expect((await generous.get('/profile/authorized_applications')).text).toContain(
    'You haven’t authorized any applications.',
  );
  const person = sessionOf(gateway, username, generous.cookies.get('causeway_session')!);
  const owner = await session(gateway, 'owner');
  const [one, other] = [
    await registerApplication(owner, { name: 'First' }),
    await registerApplication(owner, { name: 'Second' }),
  ];
  const tokens = await tokensFor(person, one, 'read_user email');
  const others = await tokensFor(person, other, 'api');

  const page = await generous.get('/profile/authorized_applications');
  expect(page.text).toMatch(
    /First Authorized on \d+ \w+ 20\d\d , last got a token on \d+ \w+ 20\d\d \. It can: .*read_user.*Revoke First/,
  );
  const asking = await generous.get(/href="([^"]*)">Revoke<span class="hidden"> First</.exec(page.html)![1]!);
  expect(asking.text).toContain('Revoke First? Its tokens stop working at once.');
  expect(await statusOf(gateway, tokens.access_token)).toBe(200);
  const answer = await generous.press(asking.form('Revoke'));
  expect([answer.status, answer.location]).toEqual([303, '/profile/authorized_applications']);
  const after = await generous.get(answer.location!);
  expect(after.text).toContain('can no longer act for you');
  expect(after.html.match(/Revoke<span class="hidden"> [^<]*/g)).toEqual(['Revoke<span class="hidden"> Second']);
  expect(await statusOf(gateway, tokens.access_token)).toBe(401);
  expect(
    (
      await post(
        gateway,
        '/oauth/token',
        { grant_type: 'refresh_token', refresh_token: tokens.refresh_token },
        basic(one),
      )
    ).status,
  ).toBe(400);
  expect(await statusOf(gateway, others.access_token)).toBe(200);
});

test('many are shown page by page, with as many statements as one, and each can be revoked', async () => {
  const { id, username, password } = await account(gateway, 'very-generous');
  const person = await signIn(gateway, username, password);
  const list = '/profile/authorized_applications';
  const authorize = (first: number, last: number) =>
    gateway.sql(
      `with made as (
         insert into applications (name, uid, redirect_uris, scopes)
         select 'Number ' || n, 'given-' || n, '{}', '{api}' from generate_series($2::int, $3::int) n returning id, name
       ), granted as (
         insert into grants (kind, application_id, user_id, authorized_at)
         select 'PASSWORD', id, $1, now() - (100 - split_part(name, ' ', 2)::int) * interval '1 second' from made returning id
       )
       insert into access_tokens (grant_id, digest, scopes, expires_at)
       select id, sha256(('given ' || id)::bytea), '{api}', now() + interval '1 hour' from granted`,
      [id, first, last],
    );
  const statements = async () => (await statementsOf(() => person.get(list))).length;
  await authorize(1, 1);
  const few = await statements();
  await authorize(2, 45);
  expect(await statements()).toBe(few);
  const pages = [await person.get(list), await person.get(`${list}?page=2`), await person.get(`${list}?page=3`)];
  const named = pages.flatMap(({ html }) =>
    [...html.matchAll(/<bdi>Number (\d+)</g)].map(([, number]) => Number(number)),
  );
  expect(named).toEqual(Array.from({ length: 45 }, (_, index) => 45 - index));
  expect(pages.map(({ html }) => [html.includes('rel="prev"'), html.includes('rel="next"')])).toEqual([
    [false, true],
    [true, true],
    [true, false],
  ]);
  const asking = await person.get(/href="([^"]*)">Revoke<span class="hidden"> Number 1</.exec(pages[2]!.html)![1]!);
  expect(asking.text).toContain('Revoke Number 1?');
  expect((await person.press(asking.form('Revoke'))).status).toBe(303);
  expect((await person.get(`${list}?page=3`)).html).not.toContain('<bdi>Number 1<');
});

test('an unknown one can’t be revoked', async () => {
  const person = await session(gateway, 'careful');
  for (const id of ['999999', 'x', '0']) {
    await expect(person.run('mutation ($id: ID!) { revokeAuthorization(applicationId: $id) }', { id })).rejects.toThrow(
      'Application not found.',
    );
  }
});

test('revoking requires the CSRF token of the page', async () => {
  const browser = await signIn(gateway, 'maintainer');
  expect((await browser.post('/profile/authorized_applications/1/revoke', {})).status).toBe(403);
  expect((await browser.get('/profile/authorized_applications/999999/revoke')).status).toBe(404);
});
