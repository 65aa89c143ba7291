import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { getNamedType } from 'graphql';
import { afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { ChangeFeed, maxSubscriptions, type Change } from '../../src/changes/index.ts';
import { eventStream, type HttpServer, type ServerEvent } from '../../src/http/index.ts';
import { scopes } from '../../src/policy/index.ts';
import { publicSchema } from '../../src/schema/public.ts';
import { createLog } from '../../src/observability/index.ts';
import { examples } from '../../src/web/documentation/examples.ts';
import { eventSource, subscribe, type EventReader, type Listening } from '../support/requests/event-stream.ts';
import { testGateway, type TestGateway } from '../support/gateway.ts';
import { post, registerApplication, session, tokensFor } from '../support/oauth/oauth.ts';
import { rootFields, shortOperationOf, type RootField } from '../support/requests/operations.ts';
import { listenBefore } from '../support/requests/listen.ts';
import { newUser } from '../support/places/people.ts';
import { hasRedis, redisServer } from '../support/databases/redis.ts';

/** Subscriptions to changes, over `text/event-stream`. */

let gateway: TestGateway;
let other: TestGateway;
beforeAll(async () => {
  gateway = await testGateway();
  other = await testGateway({}, gateway);
});

const settings = 'subscription { notificationSettingsChanged { scope level group { fullPath } project { fullPath } } }';
const tokens = `subscription { tokenChanged { kind act
  personalAccessToken { id name scopes active revoked rotated } application { name } } }`;

/** Subscribes for the length of a test. */
async function listen(query: string, listening: Listening, at = gateway): Promise<EventReader> {
  const reader = await subscribe(at, query, listening);
  onTestFinished(() => reader.leave());
  return reader;
}

const change = (token: string, path: string, level: string, at = gateway) =>
  at.rest('PUT', `/api/v4${path}notification_settings`, { token, json: { level } });

describe('changes of a person’s settings', () => {
  test('reach the subscriber from every door, with the settings as they are then', async () => {
    const { token } = await newUser(gateway, 'ada');
    const reader = await listen(settings, { token });
    expect(reader.status).toBe(200);
    expect(Object.fromEntries(reader.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-request-id': expect.any(String),
    });

    const told = async () => {
      const { event, data } = (await reader.next())!;
      expect(event).toBe('next');
      return data.data.notificationSettingsChanged as object;
    };
    await change(token, '/projects/demo%2Fstorefront/', 'watch');
    expect(await told()).toEqual({
      scope: 'PROJECT',
      level: 'WATCH',
      group: null,
      project: { fullPath: 'demo/storefront' },
    });
    await change(token, '/', 'mention');
    expect(await told()).toEqual({ scope: 'GLOBAL', level: 'MENTION', group: null, project: null });
    await gateway.graphql(
      'mutation { bulkUpdateNotificationSettings(input: { settings: [{ group: "demo", level: DISABLED }], reset: [{ project: "demo/storefront" }] }) { notificationSettings { level } } }',
      { token },
    );
    expect(await told()).toMatchObject({ level: 'DISABLED', group: { fullPath: 'demo' } });
    expect(await told()).toMatchObject({ level: 'GLOBAL', project: { fullPath: 'demo/storefront' } });
    await gateway.graphql(
      'mutation { resetNotificationSettings(input: { group: "demo" }) { notificationSettings { level } } }',
      { token },
    );
    expect(await told()).toMatchObject({ level: 'GLOBAL', group: { fullPath: 'demo' } });
  });

  test('reach an EventSource, which can only send a GET', async () => {
    const { token } = await newUser(gateway, 'bob');
    const reader = await eventSource(gateway, settings, token);
    onTestFinished(() => reader.leave());
    await change(token, '/', 'watch');
    expect(await reader.next()).toMatchObject({
      event: 'next',
      data: { data: { notificationSettingsChanged: { level: 'WATCH' } } },
    });
  });

  test('reach subscribers of another process too, and no other person', async () => {
    const { token } = await newUser(gateway, 'cyd');
    const reader = await listen(settings, { token }, other);
    const stranger = await listen(settings, { token: gateway.tokens.guest }, other);
    await change(token, '/', 'watch');
    expect(await reader.next()).toMatchObject({ data: { data: { notificationSettingsChanged: { level: 'WATCH' } } } });
    await change(gateway.tokens.guest, '/', 'mention');
    expect(await stranger.next()).toMatchObject({
      data: { data: { notificationSettingsChanged: { level: 'MENTION' } } },
    });
  });

  test('are null for a place that the person no longer sees', async () => {
    const { id, token } = await newUser(gateway, 'dee');
    const reader = await listen(settings, { token });
    const { id: projectId } = (
      await gateway.sql<{ id: number }>(`select id from projects where full_path = 'demo/platform/api'`)
    )[0]!;
    gateway.gateway.application.changes.publish({
      personId: Number(id),
      subject: 'PROJECT',
      id: projectId,
      act: 'CHANGED',
    });
    expect(await reader.next()).toEqual({ event: 'next', data: { data: { notificationSettingsChanged: null } } });
  });
});

describe.skipIf(!hasRedis)('with a Redis', () => {
  test('changes reach another process through it', async () => {
    const redis = await redisServer();
    await redis.start();
    onTestFinished(() => redis.kill());
    const [one, another] = [
      await testGateway({ REDIS_URL: redis.url }, gateway),
      await testGateway({ REDIS_URL: redis.url }, gateway),
    ];
    const { token } = await newUser(gateway, 'rae');
    const reader = await listen(settings, { token }, another);
    // Until both are connected, no change arrives.
    const telling = setInterval(() => void change(token, '/', 'watch', one), 200);
    onTestFinished(() => clearInterval(telling));
    expect(await reader.next()).toMatchObject({ data: { data: { notificationSettingsChanged: { level: 'WATCH' } } } });
  });
});

describe('changes of a person’s tokens', () => {
  test('reach the subscriber when a token is made, rotated or revoked, without its secret', async () => {
    const person = await newUser(gateway, 'eve');
    const reader = await listen(tokens, { token: person.token });
    const told = async () => (await reader.next())!.data.data.tokenChanged as Record<string, unknown>;

    const secret = await gateway.personalToken('eve', ['api']);
    const made = await told();
    expect(made).toEqual({
      kind: 'PERSONAL_ACCESS_TOKEN',
      act: 'CREATED',
      application: null,
      personalAccessToken: expect.objectContaining({
        id: expect.stringMatching(/^gid:\/\/gitlab\/PersonalAccessToken\/\d+$/),
        name: 'test',
        scopes: ['api'],
        active: true,
      }),
    });
    const {
      body: { token: successor },
    } = await gateway.rest('POST', '/api/v4/personal_access_tokens/self/rotate', { token: secret });
    expect(await told()).toMatchObject({
      act: 'ROTATED',
      personalAccessToken: { ...(made.personalAccessToken as object), active: false, revoked: true, rotated: true },
    });
    expect(await told()).toMatchObject({ act: 'CREATED', personalAccessToken: { active: true } });
    await gateway.rest('DELETE', '/api/v4/personal_access_tokens/self', { token: successor });
    const last = await told();
    expect(last).toMatchObject({ act: 'REVOKED', personalAccessToken: { active: false } });
    expect(JSON.stringify([made, last])).not.toContain('cwpat_');
  });

  test('reach the subscriber when an application gets tokens or loses them', async () => {
    const person = await session(gateway, 'fay');
    const application = await registerApplication(person, { name: 'Dashboard' });
    const reader = await listen(tokens, { token: await gateway.personalToken('fay', ['read_api']) });
    const told = async () => (await reader.next())!.data.data.tokenChanged as object;
    const authorization = { kind: 'AUTHORIZATION', application: { name: 'Dashboard' }, personalAccessToken: null };

    const issued = await tokensFor(person, application, 'read_api');
    expect(await told()).toEqual({ ...authorization, act: 'CREATED' });
    await post(gateway, '/oauth/revoke', {
      token: issued.access_token,
      client_id: application.clientId,
      client_secret: application.secret,
    });
    expect(await told()).toEqual({ ...authorization, act: 'REVOKED' });
    await person.run('mutation ($id: ID!) { revokeAuthorization(applicationId: $id) }', { id: application.id });
    expect(await told()).toEqual({ ...authorization, act: 'REVOKED' });
    await person.run('mutation { signOutEverywhere }');
    expect(await told()).toEqual({ ...authorization, act: 'REVOKED', application: null });
  });

  test('reach an OAuth token without the fields that no OAuth token can read', async () => {
    const reader = await listen(tokens, { token: await gateway.accessToken('developer', ['read_api']) });
    await gateway.personalToken('developer', ['api']);
    const { data } = (await reader.next())!;
    expect(data.data.tokenChanged).toEqual({
      kind: 'PERSONAL_ACCESS_TOKEN',
      act: 'CREATED',
      personalAccessToken: null,
      application: null,
    });
    expect(data.errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }, { extensions: { code: 'FORBIDDEN' } }]);
  });
});

describe('a subscription', () => {
  const fields = rootFields(publicSchema).filter(({ kind }) => kind === 'subscription');
  /** A record that isn't there, for each type of id that a field needs. */
  const missing: Record<string, string> = {
    IssuableID: 'gid://gitlab/Issue/99999',
    IssueID: 'gid://gitlab/Issue/99999',
    MergeRequestID: 'gid://gitlab/MergeRequest/99999',
    CiPipelineID: 'gid://gitlab/Ci::Pipeline/99999',
    JobID: 'gid://gitlab/Ci::Build/99999',
  };
  const idsFor = ({ args }: RootField) =>
    Object.fromEntries(args.map(({ name, type }) => [name, missing[getNamedType(type).name]]));
  /** The one event of a stream that says why there are no more. */
  async function refusal(reader: EventReader) {
    const [first, ...more] = await reader.rest();
    expect(more).toEqual([{ event: 'complete', data: undefined }]);
    expect(first!.data.data ?? null).toBeNull();
    return first!.data.errors[0] as { message: string; extensions: { code: string } };
  }

  test.each(fields.map(({ field }) => [field.name, shortOperationOf('subscription', field), idsFor(field)] as const))(
    'to %s is opened with api or read_api, and with nothing less',
    async (_name, query, variables) => {
      for (const scope of scopes) {
        const reader = await listen(query, { variables, token: await gateway.personalToken('maintainer', [scope]) });
        if (scope === 'api' || scope === 'read_api') reader.leave();
        else expect(await refusal(reader)).toMatchObject({ extensions: { code: 'INSUFFICIENT_SCOPE' } });
      }
      expect(await refusal(await listen(query, { variables }))).toMatchObject({
        extensions: { code: 'UNAUTHENTICATED' },
      });
      expect(
        await refusal(await listen(query, { variables, token: await gateway.accessToken(null, ['api']) })),
      ).toMatchObject({
        extensions: { code: 'UNAUTHENTICATED' },
      });
      const unknown = await listen(query, { variables, token: 'cwat_unknown' });
      expect(unknown.status).toBe(401);
    },
  );

  test.each(examples.filter(({ query }) => query.startsWith('subscription')))(
    'like the example “$name” is served',
    async ({ query }) => {
      const reader = await listen(query, { token: gateway.tokens.developer });
      await change(gateway.tokens.developer, '/', 'watch');
      expect(await reader.next()).toEqual({
        event: 'next',
        data: { data: { notificationSettingsChanged: expect.any(Object) } },
      });
    },
  );

  test('is refused where its answer isn’t accepted, in a batch, and beyond the limits of documents', async () => {
    const token = gateway.tokens.maintainer;
    const asJson = await gateway.graphql(settings, { token, headers: { accept: 'application/json' } });
    expect([asJson.status, asJson.errors?.[0]?.message]).toEqual([406, expect.stringContaining('text/event-stream')]);

    const headers = {
      accept: 'application/json',
      'content-type': 'application/json',
      authorization: `Bearer ${token}`,
    };
    const batch = await fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers,
      body: JSON.stringify([{ query: settings }, { query: tokens }]),
    });
    expect(await batch.json()).toMatchObject([
      { errors: [{ message: expect.stringContaining('batch') }] },
      { errors: [{ message: expect.stringContaining('batch') }] },
    ]);

    const ofGroup = (inner: string) => `subscription { notificationSettingsChanged { group { ${inner} } } }`;
    const members = (inner: string) => `groupMembers(first: 100) { nodes { user { ${inner} } } }`;
    for (const [query, message] of [
      [ofGroup(`${'parent { '.repeat(20)} id ${'}'.repeat(20)}`), 'exceeds max depth'],
      [ofGroup(Array.from({ length: 31 }, (_, index) => `a${index}: id`).join(' ')), 'aliases'],
      [
        ofGroup(
          members(
            'auditEvents(first: 100) { nodes { id kind at count scopes userId username actorId actorUsername requestId } }',
          ),
        ),
        'max complexity',
      ],
    ] as const) {
      expect(await refusal(await listen(query, { token }))).toMatchObject({
        message: expect.stringContaining(message),
      });
    }
    expect((await listen(ofGroup('x'.repeat(10_000)), { token })).status).toBe(422);
  });

  test('is one of twenty of a person’s in a process, and leaves room when its client goes', async () => {
    const { token } = await newUser(gateway, 'gus');
    const readers = await Promise.all(
      Array.from({ length: maxSubscriptions.person }, () => listen(settings, { token })),
    );
    expect(readers.map(({ status }) => status)).toEqual(readers.map(() => 200));
    const refused = await listen(settings, { token });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60']);
    expect(await refusal(refused)).toMatchObject({
      extensions: { code: 'BUSY' },
      message: expect.stringContaining('20'),
    });

    readers[0]!.leave();
    await vi.waitFor(async () => expect((await listen(settings, { token })).status).toBe(200), {
      timeout: 20_000,
      interval: 200,
    });
  });

  const ends: Record<string, readonly [act: (username: string, token: string) => Promise<unknown>, code: string]> = {
    revoked: [
      (_username, token) => gateway.rest('DELETE', '/api/v4/personal_access_tokens/self', { token }),
      'INVALID_TOKEN',
    ],
    expired: [
      (username) =>
        gateway.sql(
          'update personal_access_tokens set expires_at = current_date - 1 where user_id = (select id from users where username = $1)',
          [username],
        ),
      'INVALID_TOKEN',
    ],
    blocked: [
      (username) => gateway.sql(`update users set state = 'BLOCKED' where username = $1`, [username]),
      'FORBIDDEN',
    ],
    gone: [(username) => gateway.sql('delete from users where username = $1', [username]), 'INVALID_TOKEN'],
  };

  test('ends, and says why, when its token is revoked or expires, or its person is blocked or gone', async () => {
    await Promise.all(
      Object.entries(ends).map(async ([username, [act, code]]) => {
        const { token } = await newUser(gateway, username);
        const reader = await listen(settings, { token }, other);
        await act(username, token);
        expect([username, (await refusal(reader)).extensions.code]).toEqual([username, code]);
      }),
    );
  });

  test('of an OAuth token ends when its person takes it back, and with the application', async () => {
    const person = await session(gateway, 'ida');
    const application = await registerApplication(person);
    const removed = await registerApplication(person);
    const readers = await Promise.all(
      [application, removed].map(
        async (one) => await listen(settings, { token: (await tokensFor(person, one, 'read_api')).access_token }),
      ),
    );
    await person.run('mutation ($id: ID!) { revokeAuthorization(applicationId: $id) }', { id: application.id });
    await person.run('mutation ($id: ID!) { deleteApplication(id: $id) }', { id: removed.id });
    for (const reader of readers)
      expect(await refusal(reader)).toMatchObject({ extensions: { code: 'INVALID_TOKEN' } });
  });

  test('sends nothing more to a token that was revoked a moment ago', async () => {
    const { id, token } = await newUser(gateway, 'jim');
    const reader = await listen(settings, { token });
    await gateway.sql('update personal_access_tokens set revoked_at = now() where user_id = $1', [id]);
    gateway.gateway.application.changes.publish({ personId: Number(id), subject: 'GLOBAL', id: null, act: 'CHANGED' });
    expect(await refusal(reader)).toMatchObject({ extensions: { code: 'INVALID_TOKEN' } });
  });

  test('ends incomplete, so that its client comes back, when the gateway stops, which needn’t wait for it', async () => {
    const stopping = await testGateway({ CAUSEWAY_DRAIN_TIMEOUT: '600000' }, gateway);
    const reader = await listen(settings, { token: gateway.tokens.maintainer }, stopping);
    await stopping.gateway.stop();
    expect(await reader.rest()).toEqual([]);
  });

  test('ends incomplete when changes could be missed, and can be opened again at once', async () => {
    const { token } = await newUser(gateway, 'kim');
    const reader = await listen(settings, { token }, other);
    await gateway.sql(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'causeway listening'`,
    );
    expect(await reader.rest()).toEqual([]);
    const again = await listen(settings, { token }, other);
    await change(token, '/', 'watch');
    expect(await again.next()).toMatchObject({
      event: 'next',
      data: { data: { notificationSettingsChanged: { level: 'WATCH' } } },
    });
  });
});

describe('a process', () => {
  const silent = { debug() {}, info() {}, warn() {}, error() {} };
  /** Two processes with one fan-out between them, in memory. */
  function processes() {
    const handlers = new Set<(message: string) => void>();
    const published: string[] = [];
    const pubSub = {
      publish: async (message: string) => {
        published.push(message);
        for (const handler of handlers) handler(message);
      },
      subscribe: (handler: (message: string) => void) => (handlers.add(handler), () => void handlers.delete(handler)),
      close: async () => handlers.clear(),
    };
    return { published, feeds: [new ChangeFeed(pubSub, silent), new ChangeFeed(pubSub, silent)] as const };
  }
  const ofPerson = (personId: number, id: number): Change => ({ personId, subject: 'GROUP', id, act: 'CHANGED' });
  const anything = () => true;

  test('publishes many changes in few messages, each small enough for PostgreSQL', async () => {
    const {
      published,
      feeds: [feed],
    } = processes();
    for (let id = 0; id < 1_000; id++)
      feed.publish({ ...ofPerson(2 ** 31 - 1 - id, 2 ** 31 - 1), subject: 'PERSONAL_ACCESS_TOKEN' });
    await feed.close();
    expect(published).toHaveLength(10);
    for (const message of published) expect(Buffer.byteLength(message)).toBeLessThan(7_900);
  });

  test('publishes a change once if it is repeated while its reader is busy', async () => {
    const {
      published,
      feeds: [here, there],
    } = processes();
    const [near, far] = [await here.subscribe(1, anything), await there.subscribe(1, anything)];
    for (let time = 0; time < 100; time++) here.publish(ofPerson(1, 7));
    here.publish(ofPerson(1, 8));
    await here.close();
    expect(published).toHaveLength(1);
    expect([await far.next(), await far.next()]).toMatchObject([{ value: { id: 7 } }, { value: { id: 8 } }]);
    expect(await near.next()).toEqual({ done: true, value: undefined });
  });

  test('lets go of a reader for whom too much waits, rather than keep it', async () => {
    const {
      feeds: [feed],
    } = processes();
    const slow = await feed.subscribe(1, anything);
    for (let id = 0; id < 1_000; id++) feed.publish(ofPerson(1, id));
    expect(await slow.next()).toEqual({ done: true, value: undefined });
    const again = await feed.subscribe(1, anything);
    feed.publish(ofPerson(1, 1));
    expect(await again.next()).toMatchObject({ value: { id: 1 } });
  });

  test('takes no more subscriptions than it can serve, and none once it stops', async () => {
    const {
      feeds: [feed],
    } = processes();
    const all = await Promise.all(
      Array.from({ length: maxSubscriptions.process }, (_, person) => feed.subscribe(person, anything)),
    );
    await expect(feed.subscribe(-1, anything)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    all[0]!.end();
    expect(await feed.subscribe(-1, anything)).toBeDefined();
    feed.endSubscriptions();
    expect(await all[1]!.next()).toEqual({ done: true, value: undefined });
    await expect(feed.subscribe(0, anything)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });

  test('isn’t ended by a message that it can’t read', async () => {
    const {
      published,
      feeds: [here, there],
    } = processes();
    const reader = await there.subscribe(1, anything);
    here.publish({ ...ofPerson(1, 7), subject: 'SOMETHING_NEW' as never });
    here.publish(ofPerson(1, 8));
    expect(await reader.next()).toMatchObject({ value: { subject: 'SOMETHING_NEW' } });
    expect(await reader.next()).toMatchObject({ value: { id: 8 } });
    expect(published).toHaveLength(1);
  });
});

describe('a stream', () => {
  let server: HttpServer;
  afterEach(async () => {
    vi.useRealTimers();
    await server.drain(0);
  });

  /** Serves one stream to a client that reads only when it is told to. */
  async function serve(events: () => AsyncIterable<ServerEvent>) {
    const left = vi.fn();
    server = await listenBefore((exchange) => eventStream(exchange, {}, events(), left), { log: createLog('error') });
    const client = connect(server.port, '127.0.0.1').pause();
    onTestFinished(() => void client.destroy());
    vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval'] });
    client.write('GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
    return { client, left };
  }

  test('gives a sign of life every twelve seconds', async () => {
    let end = () => {};
    const { client } = await serve(async function* () {
      await new Promise<void>((resolve) => (end = resolve));
      yield* [];
    });
    let text = '';
    client
      .setEncoding('utf8')
      .on('data', (some: string) => (text += some))
      .resume();
    const signs = () => text.split(':\n\n').length - 1;
    while (signs() < 1) await pause(10);
    for (const expected of [2, 3]) {
      vi.advanceTimersByTime(12_000);
      while (signs() < expected) await pause(10);
      expect(signs()).toBe(expected);
    }
    end();
    await once(client, 'end');
  });

  test('waits for a client that doesn’t read, and cuts it off after half a minute', async () => {
    let made = 0;
    const { client, left } = await serve(async function* () {
      for (;;) yield { event: 'next', data: `${made++} ${'x'.repeat(100_000)}` };
    });
    for (let before = -1; made === 0 || made > before;) {
      before = made;
      await pause(300);
    }
    expect(left).not.toHaveBeenCalled();
    const stuckAt = made;
    vi.advanceTimersByTime(29_000);
    await pause(50);
    expect(left).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1_000);
    while (left.mock.calls.length === 0) await pause(10);
    expect(made).toBe(stuckAt);
    expect(client.destroyed).toBe(false);
  });

  test('frees what it holds for a client that has left before it began', async () => {
    const left = vi.fn();
    server = await listenBefore(
      (exchange) =>
        new Promise<Response>((resolve) => {
          exchange.request.signal.addEventListener('abort', () =>
            resolve(eventStream(exchange, {}, (async function* () {})(), left)),
          );
          exchange.connection.destroy();
        }),
      { log: createLog('error') },
    );
    await expect(fetch(`http://127.0.0.1:${server.port}`)).rejects.toThrow();
    while (left.mock.calls.length === 0) await pause(10);
  });
});
