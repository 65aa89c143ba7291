import { describe, expect, test } from 'vitest';
import { digest } from '../../../src/auth/index.ts';
import type { Statement } from '../../../src/database/index.ts';
import type { ClientRow } from '../../../src/oauth/statements/clients.ts';
import { authenticateClient, namesClient, type ClientCredentials } from '../../../src/oauth/client.ts';
import type { Engine } from '../../../src/oauth/engine.ts';
import { Refusals } from '../../../src/oauth/refusals.ts';

/** Who a client is found to be, and who isn't let in, as a table (RFC 6749 §2.3, RFC 7617). */

const secrets: Record<string, string | null> = {
  'a-client': 'its-secret',
  public: null,
  // Whose names try the edges of the encoding.
  x: 'xy',
  'my client': 'se cret',
  'per%cent': 'a:b:c',
};
const rows = Object.entries(secrets).map(([uid, secret]) => ({
  uid,
  confidential: secret !== null,
  secret_digest: secret === null ? null : digest(secret),
})) as ClientRow[];

/** A database that knows these clients, and notes what it is asked. */
function engine() {
  const asked: [name: string, first: unknown][] = [];
  const sql = {
    rows: <Row>({ name }: Statement<Row>, values: readonly unknown[]) => {
      asked.push([name, values[0]]);
      return Promise.resolve((name === 'find_client' ? rows.filter(({ uid }) => uid === values[0]) : []) as Row[]);
    },
  };
  return {
    asked,
    engine: {
      sql,
      refusals: new Refusals(sql),
      origin: { address: '192.0.2.1', requestId: 'a-test' },
    } as unknown as Engine,
  };
}

const invalidClient = {
  error: 'invalid_client',
  message:
    'Client authentication failed due to unknown client, no client authentication included, or unsupported authentication method.',
};
const twoMethods = {
  error: 'invalid_request',
  message: 'The client must not use more than one authentication method.',
};
const twoNames = {
  error: 'invalid_request',
  message: 'The client_id differs from the one in the Authorization header.',
};

const base64 = (text: string) => Buffer.from(text).toString('base64');
const basic = (text: string, scheme = 'Basic') => ({ authorization: `${scheme} ${base64(text)}` });

test.each<[what: string, credentials: ClientCredentials, uid: string]>([
  ['its secret in the body', { clientId: 'a-client', clientSecret: 'its-secret' }, 'a-client'],
  ['no secret, where it has none', { clientId: 'public' }, 'public'],
  ['an empty secret, where it has none', { clientId: 'public', clientSecret: '' }, 'public'],
  ['HTTP Basic', basic('a-client:its-secret'), 'a-client'],
  ['HTTP Basic in small letters', basic('a-client:its-secret', 'basic'), 'a-client'],
  ['HTTP Basic with blanks around it', { authorization: `Basic   ${base64('a-client:its-secret')} ` }, 'a-client'],
  ['HTTP Basic with an empty password, where it has no secret', basic('public:'), 'public'],
  [
    'HTTP Basic and the same name in the body',
    { ...basic('a-client:its-secret'), clientId: 'a-client', clientSecret: '' },
    'a-client',
  ],
  ['HTTP Basic, form-encoded with +', basic('my+client:se+cret'), 'my client'],
  ['HTTP Basic, form-encoded with %20', basic('my%20client:se%20cret'), 'my client'],
  ['HTTP Basic, with colons in the secret', basic('per%25cent:a:b:c'), 'per%cent'],
  [
    'a body beside another scheme',
    { authorization: 'Bearer x', clientId: 'a-client', clientSecret: 'its-secret' },
    'a-client',
  ],
  [
    'a body beside a scheme that only ends in basic',
    { authorization: 'xbasic x', clientId: 'a-client', clientSecret: 'its-secret' },
    'a-client',
  ],
  [
    'a body beside a scheme that only begins with basic',
    { authorization: 'Basics x', clientId: 'a-client', clientSecret: 'its-secret' },
    'a-client',
  ],
  [
    'a body beside no header at all',
    { authorization: null, clientId: 'a-client', clientSecret: 'its-secret' },
    'a-client',
  ],
])('%s identifies the client', async (_what, credentials, uid) => {
  const world = engine();
  expect((await authenticateClient(world.engine, credentials)).uid).toBe(uid);
  expect(world.asked).toEqual([['find_client', uid]]);
});

describe('authentication fails', () => {
  const refuse = async (credentials: ClientCredentials) => {
    const world = engine();
    const problem: unknown = await authenticateClient(world.engine, credentials).then(
      () => 'let in',
      ({ error, message }: { error: string; message: string }) => ({ error, message }),
    );
    return { problem, asked: world.asked };
  };

  test.each<[what: string, credentials: ClientCredentials]>([
    ['a wrong secret', { clientId: 'a-client', clientSecret: 'another-secret' }],
    ['no secret, where it has one', { clientId: 'a-client' }],
    ['an empty secret, where it has one (row 11)', { clientId: 'a-client', clientSecret: '' }],
    ['a secret, where it has none', { clientId: 'public', clientSecret: 'its-secret' }],
    ['a wrong password of HTTP Basic', basic('a-client:another-secret')],
    ['an empty password of HTTP Basic, where it has a secret', basic('a-client:')],
    ['the secret of another', { clientId: 'x', clientSecret: 'its-secret' }],
  ])('with %s; that is counted', async (_what, credentials) => {
    const { problem, asked } = await refuse(credentials);
    expect(problem).toEqual(invalidClient);
    expect(asked.map(([name]) => name)).toEqual(['find_client', 'count_refusal']);
    expect(asked[1]).toEqual(['count_refusal', 'client_refused']);
  });

  test.each(['unknown', 'A-CLIENT', 'a-client '])('by the unknown name %j, after the same work', async (clientId) => {
    for (const clientSecret of ['', 'its-secret']) {
      const { problem, asked } = await refuse({ clientId, clientSecret });
      expect([problem, asked]).toEqual([
        invalidClient,
        [
          ['find_client', clientId],
          ['count_refusal', 'client_refused'],
        ],
      ]);
    }
  });

  test.each<[what: string, credentials: ClientCredentials]>([
    ['nothing', {}],
    ['empty members', { clientId: '', clientSecret: '' }],
    ['nothing but null', { authorization: null, clientId: null, clientSecret: null }],
    ['a secret without a name', { clientSecret: 'its-secret' }],
    ['HTTP Basic without a name', basic(':its-secret')],
    ['HTTP Basic without anything', { authorization: 'Basic' }],
    ['HTTP Basic with nothing but blanks', { authorization: 'Basic   ' }],
    ['HTTP Basic without anything beside a body', { authorization: 'Basic', clientId: 'a-client' }],
    ['HTTP Basic without a colon', basic('xy')],
    ['characters that base64 hasn’t, in front', { authorization: `Basic !${base64('a-client:its-secret')}` }],
    ['characters that base64 hasn’t, behind', { authorization: `Basic ${base64('a-client:its-secret')}!` }],
    [
      'characters that base64 hasn’t, in between',
      { authorization: `Basic ${base64('a-client:its-secret').replace('6', '6 ')}` },
    ],
    ['too much padding', { authorization: `Basic ${base64('a-client:its-secret').replace(/=*$/, '===')}` }],
    ['the alphabet of base64url', { authorization: 'Basic a-_b' }],
    ['a broken escape', basic('a-client:%zz')],
    ['half an escape', basic('a-client:%')],
    ['bytes that are no UTF-8', basic('a-client:%ff')],
    ['a control character', basic('a-client:its-secret\u0000')],
    ['an escaped control character', basic('a-client%0a:its-secret')],
    ['a letter beyond ASCII', basic('a-client:%C3%A9')],
  ])('with %s, without a look-up', async (_what, credentials) => {
    expect(await refuse(credentials)).toEqual({ problem: invalidClient, asked: [] });
  });

  test('with two methods at once, or two names (§2.3)', async () => {
    const right = basic('a-client:its-secret');
    expect((await refuse({ ...right, clientSecret: 'its-secret' })).problem).toEqual(twoMethods);
    expect((await refuse({ ...right, clientId: 'a-client', clientSecret: 'x' })).problem).toEqual(twoMethods);
    expect((await refuse({ ...right, clientId: 'public' })).problem).toEqual(twoNames);
    expect((await refuse({ ...basic(':its-secret'), clientId: 'a-client' })).problem).toEqual(twoNames);
  });
});

test('a request names a client by its name, by a secret, or by HTTP Basic, and by nothing else', () => {
  const naming: ClientCredentials[] = [
    { clientId: 'x' },
    { clientSecret: 'x' },
    { authorization: 'Basic x' },
    { authorization: 'basic' },
    { authorization: 'Bearer x', clientId: 'x' },
  ];
  const silent: ClientCredentials[] = [
    {},
    { clientId: '', clientSecret: '' },
    { authorization: 'Bearer x' },
    { authorization: '' },
    { authorization: null, clientId: null, clientSecret: undefined },
  ];
  expect([naming.map(namesClient), silent.map(namesClient)]).toEqual([naming.map(() => true), silent.map(() => false)]);
});
