import { setTimeout as pause } from 'node:timers/promises';
import { Agent } from 'undici';
import { wrongIn, type Dialect } from './dialects.ts';
import type { Gateway } from './gateways.ts';
import { rootToken } from './gateways.ts';
import { Ledger, type Family } from './ledger.ts';
import { application, type Person } from './store.ts';

/** A request and its outcome. */
export interface Outcome {
  readonly dialect: Dialect;
  readonly gateway: Gateway;
  /** By `performance.now()`. */
  readonly startedAt: number;
  readonly milliseconds: number;
  /** 0: the connection was refused or cut. */
  readonly status: number;
  readonly text: string;
  readonly wanted: boolean;
  /** What is wrong, when it is neither expected nor a 503 in its dialect. */
  readonly wrong: string | undefined;
}

export interface Call {
  readonly dialect: Dialect;
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  /** Statuses that are no failure. */
  readonly wanted: readonly number[];
  /** Those by which the client is asked to come again, besides 503. */
  readonly busy?: readonly number[];
}

export interface Load {
  readonly ledger: Ledger;
  readonly outcomes: readonly Outcome[];
  /** How many requests of it are under way at most. */
  readonly lanes: number;
  /** Sends one request more, to the gateways in turn. */
  send(call: Call): Promise<Outcome>;
  /** Sends one request besides the load; it isn't among the outcomes. */
  ask(gateway: Gateway, call: Call): Promise<Outcome>;
  /** Outcomes of requests that started between two times. */
  between(from: number, to: number): Outcome[];
  stop(): Promise<void>;
  close(): Promise<void>;
}

/** Milliseconds that the load waits for a response: longer than any promise. */
const responseTimeout = 15_000;
/** Most requests per second of one lane. */
const pace = 10;

const bearing = (token: string) => ({ authorization: `Bearer ${token}` });
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const clientForm = (fields: Record<string, string>) =>
  new URLSearchParams({ client_id: application.uid, client_secret: application.secret, ...fields }).toString();

/** The events that encode a number, lowest bit first. */
const bits = [
  'new_note',
  'new_issue',
  'reopen_issue',
  'close_issue',
  'reassign_issue',
  'issue_due',
  'new_merge_request',
  'push_to_merge_request',
  'reopen_merge_request',
  'close_merge_request',
  'reassign_merge_request',
  'merge_merge_request',
] as const;

export const calls = {
  user: (token: string): Call => ({ dialect: 'REST', path: '/api/v4/user', headers: bearing(token), wanted: [200] }),
  setting: ({ token, group }: Person): Call => ({
    dialect: 'REST',
    path: `/api/v4/groups/${group}/notification_settings`,
    headers: bearing(token),
    wanted: [200],
  }),
  setSetting({ token, group }: Person, value: number): Call {
    const events = Object.fromEntries(bits.map((bit, index) => [bit, String(((value >> index) & 1) === 1)]));
    const query = new URLSearchParams({ level: 'custom', ...events }).toString();
    return {
      dialect: 'REST',
      method: 'PUT',
      path: `/api/v4/groups/${group}/notification_settings?${query}`,
      headers: bearing(token),
      wanted: [200],
    };
  },
  setSettingOverGraphQL({ token, group }: Person, value: number): Call {
    const events = bits.map((bit, index) => ({ event: bit.toUpperCase(), enabled: ((value >> index) & 1) === 1 }));
    const query =
      'mutation ($input: UpdateNotificationSettingsInput!) { updateNotificationSettings(input: $input) { notificationSettings { level } } }';
    return graphql(token, query, { input: { group: String(group), level: 'CUSTOM', events } });
  },
  readOverGraphQL: ({ token }: Person): Call =>
    graphql(token, '{ currentUser { username } notificationSettings { level } }'),
  refresh: ({ refreshToken }: Family): Call => ({
    dialect: 'OAuth',
    method: 'POST',
    path: '/oauth/token',
    headers: form,
    wanted: [200],
    body: clientForm({ grant_type: 'refresh_token', refresh_token: refreshToken }),
  }),
  clientCredentials: (): Call => ({
    dialect: 'OAuth',
    method: 'POST',
    path: '/oauth/token',
    headers: form,
    wanted: [200],
    body: clientForm({ grant_type: 'client_credentials', scope: 'api' }),
  }),
  revoke: (token: string): Call => ({
    dialect: 'OAuth',
    method: 'POST',
    path: '/oauth/revoke',
    headers: form,
    wanted: [200],
    body: clientForm({ token }),
  }),
  makeToken: ({ id }: Person, name: string): Call => ({
    dialect: 'REST',
    method: 'POST',
    path: `/api/v4/users/${id}/personal_access_tokens`,
    wanted: [201],
    headers: { ...bearing(rootToken), ...form },
    body: new URLSearchParams([
      ['name', name],
      ['scopes[]', 'api'],
    ]).toString(),
  }),
  listTokens: ({ id }: Person): Call => ({
    dialect: 'REST',
    path: `/api/v4/personal_access_tokens?user_id=${id}&per_page=100`,
    headers: bearing(rootToken),
    wanted: [200],
  }),
  revokeToken: (id: number): Call => ({
    dialect: 'REST',
    method: 'DELETE',
    path: `/api/v4/personal_access_tokens/${id}`,
    headers: bearing(rootToken),
    wanted: [204, 404],
  }),
  /** Works with an application's own token and with anyone's. */
  tokenInformation: (token: string): Call => ({
    dialect: 'REST',
    path: '/oauth/token/info',
    headers: bearing(token),
    wanted: [200],
  }),
  pageThatGrantsPower: (session: string): Call => ({
    dialect: 'page',
    path: '/profile/applications/new',
    headers: { cookie: `causeway_session=${session}` },
    wanted: [200, 303],
  }),
  /** A request of the administrator. @param path after `/api/v4/` */
  asRoot: (method: 'GET' | 'POST', path: string, wanted: readonly number[], body?: object): Call => ({
    dialect: 'REST',
    method,
    path: `/api/v4/${path}`,
    headers: { ...bearing(rootToken), ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
    wanted,
  }),
  /** Looks up an unknown session in the database, and redirects to the sign-in. */
  page: (): Call => ({
    dialect: 'page',
    path: '/profile/applications',
    headers: { cookie: `causeway_session=cwss_${'x'.repeat(43)}` },
    wanted: [200, 302, 303],
  }),
} as const;

function graphql(token: string, query: string, variables: Record<string, unknown> = {}): Call {
  return {
    dialect: 'GraphQL',
    method: 'POST',
    path: '/graphql',
    wanted: [200],
    headers: { ...bearing(token), 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  };
}

/** How many numbers a setting's events encode. */
export const encoded = 2 ** bits.length;

/** The number that a setting's events encode, without those above `encoded`. */
export function numberOf(text: string): number {
  const { events } = JSON.parse(text) as { events: Record<string, boolean> };
  return bits.reduce((sum, bit, index) => sum + (events[bit] ? 2 ** index : 0), 0);
}

/** The request that tests a credential: a person's, or an application's own. */
export const tryOf = (token: string): Call => ({
  ...(token.startsWith('cwpat_') ? calls.user(token) : calls.tokenInformation(token)),
  wanted: [200, 401],
});

/** People of the load, by what they do. */
const writers = 6;
const readers = 6;
const rotators = 5;
const makers = 2;
/** How many people the load uses. */
export const peopleOfLoad = writers + readers + rotators + makers;

/**
 * Sends a few hundred requests per second and records what the gateways acknowledge. Each lane sends one at a time, to
 * the gateways in turn, and retries as a client would.
 */
export function startLoad(gateways: readonly Gateway[], people: readonly Person[]): Load {
  const agent = new Agent({
    headersTimeout: responseTimeout,
    bodyTimeout: responseTimeout,
    connectTimeout: responseTimeout,
  });
  const ledger = new Ledger();
  const outcomes: Outcome[] = [];
  const run = String(Math.round(performance.timeOrigin));
  let stopped = false;

  async function ask(
    gateway: Gateway,
    { dialect, method = 'GET', path, headers = {}, body = '', wanted, busy = [] }: Call,
  ): Promise<Outcome> {
    const startedAt = performance.now();
    const end = (status: number, text: string, fine: boolean, wrong: string | undefined): Outcome => {
      return {
        dialect,
        gateway,
        startedAt,
        milliseconds: performance.now() - startedAt,
        status,
        text,
        wanted: fine,
        wrong,
      };
    };
    try {
      const answer = await agent.request({ origin: gateway.origin, method, path, headers, body: body || null });
      const text = await answer.body.text();
      const { statusCode: status } = answer;
      const fine = wanted.includes(status) && !(dialect === 'GraphQL' && text.includes('"errors"'));
      const expected = fine || busy.includes(status);
      return end(status, text, fine, expected ? undefined : wrongIn(dialect, status, answer.headers, text));
    } catch (error) {
      return end(0, (error as Error).message, false, undefined);
    }
  }

  let turn = 0;
  async function send(call: Call): Promise<Outcome> {
    const outcome = await ask(gateways[turn++ % gateways.length]!, call);
    outcomes.push(outcome);
    return outcome;
  }

  /** Tests a credential at both gateways after its revocation was acknowledged. */
  async function tryRevoked(token: string): Promise<void> {
    for (const _gateway of gateways) {
      const { status, text } = await send(tryOf(token));
      if (status === 401) ledger.triedAfterwards++;
      if (status === 200) ledger.usedAfterwards.push(text.slice(0, 100));
    }
  }

  async function revoke(token: string, call: Call): Promise<void> {
    ledger.doubtful.add(token);
    for (let tries = 0; tries < 3 && !stopped; tries++) {
      if (!(await send(call)).wanted) continue;
      ledger.revoked.add(token);
      return await tryRevoked(token);
    }
  }

  const lanes: ((round: number) => Promise<unknown>)[] = [];
  const [people1, people2, people3, people4] = [0, writers, writers + readers, writers + readers + rotators].map(
    (begin, index) => people.slice(begin, begin + [writers, readers, rotators, makers][index]!),
  ) as [Person[], Person[], Person[], Person[]];

  for (const person of people1) {
    const setting = { attempted: 0, acknowledged: 0 };
    ledger.settings.set(person, setting);
    lanes.push(async (round) => {
      const value = ++setting.attempted;
      const { wanted } = await send(
        round % 2 ? calls.setSetting(person, value) : calls.setSettingOverGraphQL(person, value),
      );
      if (wanted) setting.acknowledged = value;
    });
  }
  for (const person of people2) {
    lanes.push((round) =>
      send([calls.setting(person), calls.readOverGraphQL(person), calls.user(person.token)][round % 3]!),
    );
  }
  for (const person of people3) {
    const family: Family = {
      person,
      refreshToken: person.refreshToken,
      refreshTokens: new Set(),
      accessToken: undefined,
    };
    ledger.families.push(family);
    lanes.push(async (round) => {
      if (round % 3 && family.accessToken) return void (await send(calls.user(family.accessToken)));
      await rotate(family, send);
    });
  }
  for (const [lane, person] of people4.entries()) {
    lanes.push(async (round) => {
      const made = {
        name: `${run}-${lane}-${round}`,
        token: undefined as string | undefined,
        id: undefined as number | undefined,
      };
      ledger.made.push(made);
      const { wanted, text } = await send(calls.makeToken(person, made.name));
      if (!wanted) return;
      Object.assign(made, JSON.parse(text) as { token: string; id: number });
      if (round % 2) await revoke(made.token!, calls.revokeToken(made.id!));
    });
  }
  lanes.push(
    async () => {
      const { wanted, text } = await send(calls.clientCredentials());
      if (!wanted) return;
      const { access_token: token } = JSON.parse(text) as { access_token: string };
      await revoke(token, calls.revoke(token));
    },
    () => send(calls.page()),
    () => send(calls.page()),
  );

  const running = lanes.map(async (lane, index) => {
    await pause((index * 1_000) / pace / lanes.length);
    for (let round = 0; !stopped; round++) {
      const next = performance.now() + 1_000 / pace;
      await lane(round);
      await pause(Math.max(next - performance.now(), 5));
    }
  });

  return {
    ledger,
    outcomes,
    lanes: lanes.length,
    send,
    ask,
    between: (from, to) => outcomes.filter(({ startedAt }) => startedAt >= from && startedAt < to),
    async stop() {
      stopped = true;
      await Promise.all(running);
    },
    close: () => agent.destroy(),
  };
}

/** Rotates a family's refresh token once, and records the new pair. */
export async function rotate(family: Family, send: (call: Call) => Promise<Outcome>): Promise<Outcome> {
  const outcome = await send(calls.refresh(family));
  if (outcome.wanted) {
    const { refresh_token: refreshToken, access_token: accessToken } = JSON.parse(outcome.text) as {
      refresh_token: string;
      access_token: string;
    };
    family.refreshTokens.add(refreshToken);
    Object.assign(family, { refreshToken, accessToken });
  }
  return outcome;
}
