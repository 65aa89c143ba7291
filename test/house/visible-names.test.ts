import { beforeAll, describe, expect, test } from 'vitest';
import { nameProblems } from '../../src/values/text/visible-names.ts';
import { testGateway, type TestGateway } from '../support/gateway.ts';
import { callback, registerApplication, sessionOf, type Session } from '../support/oauth/oauth.ts';
import { signIn } from '../support/pages/browser-session.ts';

/** The rule for names that other people see, and that it holds for every name. */

const blank = ["can't be blank"];
const control = ["can't contain control characters"];
const invisible = ["can't contain invisible characters"];
const named = (name: string) =>
  [...name].map((letter) => `U+${letter.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`).join(' ');

describe('the rule', () => {
  test.each(
    ['', ' ', '\t', '\u00a0', '\u1680', '\u2003\u3000', '\u2800', '\ufeff', ' \u2800 '].map((name) => [
      named(name),
      name,
    ]),
  )('refuses what is blank: %s', (_what, name) => {
    expect(nameProblems(name)).toEqual(blank);
  });

  test.each(
    ['\0', '\u0007', '\n', '\u007f', '\u0085', '\u2028', '\u2029', '\u202e', '\u2066'].map((letter) => [
      named(letter),
      letter,
    ]),
  )('refuses what controls its line: %s', (_what, letter) => {
    expect(nameProblems(`a${letter}b`)).toEqual(control);
  });

  test.each(
    [
      '\u00ad',
      '\u034f',
      '\u061c',
      '\u115f',
      '\u1160',
      '\u17b4',
      '\u180b',
      '\u180e',
      '\u200b',
      '\u200c',
      '\u200d',
      '\u200e',
      '\u2060',
      '\u2064',
      '\u206a',
      '\u3164',
      '\ufe00',
      '\ufe0f',
      '\ufeff',
      '\uffa0',
      '\ufff0',
      '\ufff9',
      '\u{1bca0}',
      '\u{1d173}',
      '\u{e0001}',
      '\u{e0041}',
      '\u{e0100}',
      '\ue000',
      '\u0378',
      '\u{10ffff}',
      '\ud800',
    ].map((letter) => [named(letter), letter]),
  )('refuses what can’t be seen: %s, alone and between letters', (_what, letter) => {
    expect(nameProblems(`a${letter}b`)).toEqual(invisible);
    expect([blank, invisible]).toContainEqual(nameProblems(letter));
  });

  test.each([
    'Jane Doe',
    'Ünïcödé 名前',
    '이름',
    'שם',
    'नाम',
    'A\u0301',
    '<b>"x"</b>',
    '❤️',
    'Ship it 🚀',
    '👩‍💻 Ada',
    '🏴󠁧󠁢󠁥󠁮󠁧󠁿',
    'a\u00a0b',
    'x'.repeat(255),
  ])('accepts %.40s', (name) => {
    expect(nameProblems(name)).toEqual([]);
  });

  test('bounds the length', () => {
    expect([nameProblems('x'.repeat(256)), nameProblems('xx', 1)]).toEqual([
      ['is too long (maximum is 255 characters)'],
      ['is too long (maximum is 1 characters)'],
    ]);
  });
});

describe('holds everywhere', () => {
  let gateway: TestGateway;
  let person: Session;
  beforeAll(async () => {
    gateway = await testGateway();
    person = sessionOf(gateway, 'maintainer', (await signIn(gateway, 'maintainer')).cookies.get('causeway_session')!);
  });

  let made = 0;
  const rest = async (method: string, path: string, json: object, token = gateway.tokens.root) => {
    const { status, text } = await gateway.rest(method, `/api/v4${path}`, { token, json });
    return status < 400 ? null : text;
  };
  const errorsOf = (promise: Promise<unknown>) =>
    promise.then(
      () => null,
      (error: { fields?: object }) => JSON.stringify(error.fields),
    );

  /** The ways to set a name. Each returns the error, or null. */
  const ways: Record<string, (name: string) => Promise<string | null>> = {
    'an application of the instance': (name) =>
      rest('POST', '/applications', { name, redirect_uri: callback, scopes: 'api' }),
    'a person’s application': (name) => errorsOf(registerApplication(person, { name })),
    'a user': (name) =>
      rest('POST', '/users', {
        name,
        username: `visible-${++made}`,
        email: `visible-${made}@example.com`,
        password: 'a long pass phrase of theirs',
      }),
    'a user who is renamed': async (name) =>
      rest(
        'PUT',
        `/users/${(await gateway.sql<{ id: number }>(`select id from users where username = 'guest'`))[0]!.id}`,
        { name },
      ),
    'a person’s own name': (name) =>
      errorsOf(
        person.run('mutation ($input: UpdateProfileInput!) { updateProfile(input: $input) { user { id } } }', {
          input: { name },
        }),
      ),
    'a group': (name) => rest('POST', '/groups', { name, path: `visible-${++made}` }),
    'a group that is renamed': (name) => rest('PUT', '/groups/demo', { name }),
    'a project': (name) => rest('POST', '/projects', { name, path: `visible-${++made}` }),
    'a project that is renamed': (name) => rest('PUT', '/projects/demo%2Fstorefront', { name }),
    'a token': (name) =>
      errorsOf(
        person.run(
          'mutation ($input: CreatePersonalAccessTokenInput!) { createPersonalAccessToken(input: $input) { token } }',
          { input: { name, scopes: ['api'] } },
        ),
      ),
  };

  test.each(Object.entries(ways))('%s', async (_what, as) => {
    for (const [name, [problem]] of [
      ['\u3164', invisible],
      ['Caus\u200beway', invisible],
      ['\u2800', blank],
      ['a\u202eb', control],
    ] as const) {
      expect((await as(name))?.replaceAll('\\', '')).toContain(problem);
    }
    expect(await as('Ada 👩‍💻')).toBeNull();
  });
});
