import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { sweep } from '../src/jobs/sweep.ts';
import { testGateway, type TestGateway } from './support/gateway.ts';
import {
  codeForm,
  asksFor,
  basic,
  decide,
  pkce,
  prospect,
  refreshForm,
  registerApplication,
  session,
  sessionOf,
  withChallenge,
  type Form,
  type Pkce,
  type RegisteredApplication,
  type Session,
  type Tokens,
} from './support/oauth.ts';
import { runs } from './support/runs.ts';

/**
 * The authorization server as a person would describe it: who allowed what to
 * whom, and when. Random acts are done to it and to the real one, at one of two
 * gateways; the two must never disagree.
 */

/** Seconds. */
const lives = { code: 60, access: 7_200, refresh: 90 * 86_400, window: 30, twin: 10, afterglow: 86_400 };

interface User {
  readonly session: Session;
  /** What was allowed before counts no more: the number of an act. */
  validFrom: number;
}

interface App {
  registered: RegisteredApplication;
  validFrom: number;
  deleted: boolean;
}

interface Family {
  readonly user: User;
  readonly app: App;
  readonly allowed: number;
  readonly begun: number;
  endedAt: number | null;
}

interface Access {
  readonly secret: string;
  readonly family: Family;
  readonly scopes: readonly string[];
  readonly expires: number;
  revokedAt: number | null;
}

interface Refresh {
  readonly secret: string;
  readonly family: Family;
  readonly access: Access;
  readonly expires: number;
  scopes: readonly string[];
  rotatedAt: number | null;
  /** What its first rotation was answered. */
  answer: string | null;
}

interface Code {
  readonly secret: string;
  readonly user: User;
  readonly app: App;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  readonly proof: Pkce | null;
  readonly allowed: number;
  readonly issued: number;
  redeemedAt: number | null;
  family: Family | null;
}

class Model {
  now = 0;
  acts = 0;
  readonly apps: App[] = [];
  readonly codes: Code[] = [];
  readonly accesses: Access[] = [];
  readonly refreshes: Refresh[] = [];
  /** Since when a pair's authorizations count, and what was approved, by their places in the lists. */
  readonly pairs = new Map<string, number>();
  readonly consents = new Map<string, readonly string[]>();
  readonly users: User[];
  constructor(users: User[]) {
    this.users = users;
  }

  counts(allowed: number, user: User, app: App): boolean {
    return !app.deleted && allowed > user.validFrom && allowed > app.validFrom && allowed > (this.pairs.get(this.pair(user, app)) ?? 0);
  }
  pair = (user: User, app: App) => `${this.users.indexOf(user)} ${this.apps.indexOf(app)}`;
  familyLives = (family: Family) => family.endedAt === null && this.counts(family.allowed, family.user, family.app);
  accessLives = ({ family, expires, revokedAt }: Access) => this.familyLives(family) && expires > this.now && (revokedAt === null || revokedAt > this.now);
  refreshLives = ({ family, expires, rotatedAt }: Refresh) => this.familyLives(family) && expires > this.now && rotatedAt === null;
  end(family: Family): void {
    family.endedAt ??= this.now;
  }
  /** What has had its time may be gone already, and then nobody recognises it. */
  mayBeGone = (since: number) => since <= this.now - lives.afterglow;
  familyMayBeGone = ({ endedAt, begun, app }: Family) =>
    app.deleted || this.mayBeGone(endedAt ?? Number.POSITIVE_INFINITY) || this.mayBeGone(begun + lives.refresh + lives.access);
}

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly body: Record<string, unknown>;
}

const uris = ['https://one.example/cb', 'https://two.example/cb'];
const scopeSets = [['api'], ['read_user'], ['api', 'read_user'], ['api', 'read_user', 'profile'], ['profile', 'read_user']] as const;
const within = (some: readonly string[], all: readonly string[]) => some.every((one) => all.includes(one));

let gateways: [TestGateway, TestGateway];
let people: Session[];
beforeAll(async () => {
  const first = await testGateway();
  gateways = [first, await testGateway({}, first)];
  people = [await session(first, 'one'), await session(first, 'two')];
});

let turn = 0;
async function post(path: string, form: Form, headers: Record<string, string> = {}): Promise<Answer> {
  const response = await fetch(`${gateways[turn++ % 2]!.url}${path}`, { method: 'POST', headers, body: new URLSearchParams(form) });
  const text = await response.text();
  return { status: response.status, text, body: JSON.parse(text) as Record<string, unknown> };
}
const saidBy = ({ status, body }: Answer) => [status, body.error];
const token = (form: Form) => post('/oauth/token', form);

/** Who presents something: its own client, another one, or one that can't prove itself. */
type Presenter = { form: Form; as: 'own' | 'other' | 'nobody' };
function presenter(model: Model, own: App, how: number): Presenter {
  const credentials = ({ registered: { clientId, secret } }: App): Form => ({ client_id: clientId, ...(secret && { client_secret: secret }) });
  const living = model.apps.filter((app) => app !== own && !app.deleted);
  // Small numbers are drawn more often than others: they stand for what is right.
  if (how % 8 === 7 && living.length > 0) return { form: credentials(living[how % living.length]!), as: 'other' };
  if (how % 8 === 6) return { form: { ...credentials(own), client_secret: 'wrong' }, as: 'nobody' };
  return { form: credentials(own), as: own.deleted ? 'nobody' : 'own' };
}

type Draw = readonly [number, number, number, number];
interface Act {
  readonly ready?: (model: Model) => boolean;
  readonly weight: number;
  readonly run: (model: Model, draw: Draw) => Promise<void>;
}
const pick = <T>(list: readonly T[], index: number): T => list[index % list.length]!;
/** The latest ones more often than those before them. */
const recent = <T>(list: readonly T[], index: number): T => list[list.length - 1 - (index % 3 === 0 ? index % list.length : index % Math.min(4, list.length))]!;
/** What still is good for something, mostly. */
function promising<T>(list: readonly T[], good: (one: T) => boolean, index: number): T {
  const among = index % 5 < 4 ? list.filter(good) : [];
  return recent(among.length > 0 ? among : list, index);
}
const someApp = (model: Model) => model.apps.some(({ deleted }) => !deleted);
const livingApp = (model: Model, index: number) => pick(model.apps.filter(({ deleted }) => !deleted), index);

const acts: Record<string, Act> = {
  register: {
    weight: 2,
    ready: ({ apps }) => apps.filter(({ deleted }) => !deleted).length < 3,
    async run(model, [kind]) {
      const registered = await registerApplication(people[0]!, { confidential: kind % 3 > 0, redirectUris: uris, scopes: ['api', 'read_user', 'profile'] });
      model.apps.push({ registered, validFrom: 0, deleted: false });
    },
  },
  approve: {
    weight: 8,
    ready: someApp,
    async run(model, [u, a, s, more]) {
      const [user, app, scopes, redirectUri] = [pick(model.users, u), livingApp(model, a), pick(scopeSets, s), pick(uris, more % 4 === 3 ? 1 : 0)];
      const proof = app.registered.confidential && more % 2 === 0 ? null : pkce();
      const parameters = asksFor(app.registered, { redirectUri, scope: scopes.join(' '), ...(proof && withChallenge(proof)) });
      const location = await decide(user.session, parameters);
      const allowed = ++model.acts;
      model.codes.push({
        secret: location.searchParams.get('code')!, user, app, redirectUri, scopes, proof, allowed, issued: model.now, redeemedAt: null, family: null,
      });
      if (!app.registered.confidential) return;
      const key = `${model.pair(user, app)} ${redirectUri}`;
      if (!within(scopes, model.consents.get(key) ?? [])) model.consents.set(key, scopes);
    },
  },
  refuse: {
    weight: 1,
    ready: someApp,
    async run(model, [u, a]) {
      const location = await decide(pick(model.users, u).session, asksFor(livingApp(model, a).registered, { ...withChallenge(pkce()) }), false);
      expect([location.searchParams.get('error'), location.searchParams.has('code')]).toEqual(['access_denied', false]);
    },
  },
  'is the consent remembered': {
    weight: 3,
    ready: someApp,
    async run(model, [u, a, s, uri]) {
      const [user, app, scopes, redirectUri] = [pick(model.users, u), livingApp(model, a), pick(scopeSets, s), pick(uris, uri)];
      const { remembered } = await prospect(pick(gateways, uri), user.session.secret, asksFor(app.registered, { redirectUri, scope: scopes.join(' '), ...withChallenge(pkce()) }));
      const approved = app.registered.confidential ? (model.consents.get(`${model.pair(user, app)} ${redirectUri}`) ?? []) : [];
      expect(remembered).toBe(approved.length > 0 && within(scopes, approved));
    },
  },
  redeem: {
    weight: 14,
    ready: ({ codes }) => codes.length > 0,
    async run(model, [c, who, how, uri]) {
      const code = promising(model.codes, ({ redeemedAt, app }) => redeemedAt === null && !app.deleted, c);
      const by = presenter(model, code.app, who);
      const redirectUri = uri % 10 === 9 ? uris.find((one) => one !== code.redirectUri)! : code.redirectUri;
      const right = code.proof?.verifier ?? '';
      const verifier = how % 12 === 11 ? pkce().verifier : how % 12 === 10 ? 'malformed' : how % 12 === 9 ? '' : right;
      const answer = await token({ ...codeForm(code.app.registered, code.secret, { redirect_uri: redirectUri, code_verifier: verifier }), client_secret: '', ...by.form });

      if (by.as === 'nobody') return expect(saidBy(answer)).toEqual([401, 'invalid_client']);
      const own = by.as === 'own';
      const fits = own && redirectUri === code.redirectUri && verifier === right;
      if (fits && code.redeemedAt === null && code.issued + lives.code > model.now && model.counts(code.allowed, code.user, code.app)) {
        expect([answer.status, answer.body.scope]).toEqual([200, code.scopes.join(' ')]);
        code.redeemedAt = model.now;
        code.family = { user: code.user, app: code.app, allowed: code.allowed, begun: code.issued, endedAt: null };
        issue(model, code.family, code.scopes, answer.body as unknown as Tokens, code.issued + lives.refresh);
        return;
      }
      const gone = code.family ? model.familyMayBeGone(code.family) : model.mayBeGone(code.issued + lives.code);
      const expected = own && code.proof && verifier === '' ? ['invalid_request', ...(gone ? ['invalid_grant'] : [])] : ['invalid_grant'];
      expect(answer.status).toBe(400);
      expect(expected).toContain(answer.body.error);
      const replayed = fits && code.family && (!code.proof || model.now - code.redeemedAt! > lives.twin);
      if (replayed) model.end(code.family!);
    },
  },
  refresh: {
    weight: 18,
    ready: ({ refreshes }) => refreshes.length > 0,
    async run(model, [r, who, s, narrow]) {
      const one = promising(model.refreshes, ({ family }) => model.familyLives(family), r);
      const { family } = one;
      const by = presenter(model, family.app, who);
      const asked = narrow % 3 === 2 ? pick(scopeSets, s) : null;
      const answer = await token({ ...refreshForm(family.app.registered, one.secret, asked ? { scope: asked.join(' ') } : {}), client_secret: '', ...by.form });

      if (by.as === 'nobody') return expect(saidBy(answer)).toEqual([401, 'invalid_client']);
      if (by.as === 'other') return expect(saidBy(answer)).toEqual([400, 'invalid_grant']);
      const lives_ = model.familyLives(family) && one.expires > model.now;
      const late = one.rotatedAt !== null && model.now - one.rotatedAt >= lives.window;
      const fits = asked === null || within(asked, one.scopes);
      if (lives_ && !late && fits) {
        expect(answer.status).toBe(200);
        if (one.rotatedAt !== null) return expect(answer.text).toBe(one.answer);
        one.rotatedAt = model.now;
        one.scopes = asked ?? one.scopes;
        one.answer = answer.text;
        one.access.revokedAt ??= model.now + lives.window;
        expect(answer.body.scope).toBe(one.scopes.join(' '));
        issue(model, family, one.scopes, answer.body as unknown as Tokens, one.expires);
        return;
      }
      const reused = lives_ && late;
      if (reused) model.end(family);
      expect(saidBy(answer)).toEqual([400, lives_ && !reused && !fits ? 'invalid_scope' : 'invalid_grant']);
    },
  },
  'use an access token': {
    weight: 10,
    ready: ({ accesses }) => accesses.length > 0,
    async run(model, [t]) {
      const one = promising(model.accesses, model.accessLives, t);
      const { url } = pick(gateways, turn++);
      const response = await fetch(`${url}/oauth/token/info`, { headers: { authorization: `Bearer ${one.secret}` } });
      const body = (await response.json()) as { scope?: string[]; application?: { uid: string } };
      const lives_ = model.accessLives(one);
      expect([response.status, body.scope, body.application?.uid]).toEqual(
        lives_ ? [200, one.scopes, one.family.app.registered.clientId] : [401, undefined, undefined],
      );
    },
  },
  introspect: {
    weight: 5,
    ready: ({ accesses, apps }) => accesses.length > 0 && apps.some(({ deleted, registered }) => !deleted && registered.confidential),
    async run(model, [t, kind, who]) {
      const one = kind % 2 ? promising(model.accesses, model.accessLives, t) : promising(model.refreshes, model.refreshLives, t);
      const { app } = one.family;
      const able = model.apps.filter(({ deleted, registered }) => !deleted && registered.confidential);
      const asking = who % 4 < 3 && able.includes(app) ? app : pick(able, who);
      const { status, body } = await post('/oauth/introspect', { token: one.secret }, basic(asking.registered).headers!);
      const active = asking === one.family.app && ('rotatedAt' in one ? model.refreshLives(one) : model.accessLives(one));
      expect([status, body.active, body.scope]).toEqual([200, active, active ? one.scopes.join(' ') : undefined]);
    },
  },
  revoke: {
    weight: 3,
    ready: ({ accesses }) => accesses.length > 0,
    async run(model, [t, kind, who]) {
      const one = kind % 2 ? recent(model.accesses, t) : recent(model.refreshes, t);
      const { family } = one;
      // One that may be forgotten already is revoked or not: nothing can be said of it afterwards.
      if ((!('rotatedAt' in one) && model.mayBeGone(one.expires)) || model.familyMayBeGone(family)) return;
      const by = presenter(model, family.app, who);
      const answer = await post('/oauth/revoke', { token: one.secret, ...by.form });
      if (by.as === 'nobody') return expect(saidBy(answer)).toEqual([401, 'invalid_client']);
      if (by.as === 'other') return expect(saidBy(answer)).toEqual([403, 'unauthorized_client']);
      expect([answer.status, answer.text]).toEqual([200, '{}']);
      model.end(family);
    },
  },
  'which applications are authorized': {
    weight: 4,
    async run(model, [u]) {
      const user = pick(model.users, u);
      const { authorizedApplications } = await user.session.run<{ authorizedApplications: { application: { clientId: string }; scopes: string[] }[] }>(
        '{ authorizedApplications { application { clientId } scopes } }',
      );
      const living = [...model.accesses.filter(model.accessLives), ...model.refreshes.filter(model.refreshLives)].filter(({ family }) => family.user === user);
      const expected = new Map<string, Set<string>>();
      for (const { family, scopes } of living) {
        const { clientId } = family.app.registered;
        expected.set(clientId, new Set([...(expected.get(clientId) ?? []), ...scopes]));
      }
      const listed = authorizedApplications.map(({ application, scopes }) => [application.clientId, scopes]);
      expect(Object.fromEntries(listed)).toEqual(Object.fromEntries([...expected].map(([clientId, scopes]) => [clientId, [...scopes].toSorted()])));
    },
  },
  'take a consent back': {
    weight: 1,
    ready: someApp,
    async run(model, [u, a]) {
      const [user, app] = [pick(model.users, u), livingApp(model, a)];
      await user.session.run('mutation ($id: ID!) { revokeAuthorization(applicationId: $id) }', { id: app.registered.id });
      model.pairs.set(model.pair(user, app), ++model.acts);
      for (const uri of uris) model.consents.delete(`${model.pair(user, app)} ${uri}`);
    },
  },
  'sign out everywhere': {
    weight: 1,
    async run(model, [u]) {
      const user = pick(model.users, u);
      await user.session.run('mutation { signOutEverywhere }');
      await expect(user.session.run('{ applications { id } }')).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
      // And in again.
      await gateways[0].sql('update sessions set valid_at = clock_timestamp() where user_id = (select id from users where username = $1)', [user.session.username]);
      user.validFrom = ++model.acts;
      for (const key of model.consents.keys()) if (key.startsWith(`${model.users.indexOf(user)} `)) model.consents.delete(key);
    },
  },
  'renew a secret': {
    weight: 1,
    ready: ({ apps }) => apps.some(({ deleted, registered }) => !deleted && registered.confidential),
    async run(model, [a]) {
      const app = pick(model.apps.filter(({ deleted, registered }) => !deleted && registered.confidential), a);
      const { renewApplicationSecret } = await people[0]!.run<{ renewApplicationSecret: { secret: string } }>(
        'mutation ($id: ID!) { renewApplicationSecret(id: $id) { secret } }',
        { id: app.registered.id },
      );
      const old = app.registered;
      app.registered = { ...old, secret: renewApplicationSecret.secret };
      app.validFrom = ++model.acts;
      const { status } = await post('/oauth/revoke', { token: 'x' }, basic(old).headers!);
      expect(status).toBe(401);
    },
  },
  'delete an application': {
    weight: 1,
    ready: someApp,
    async run(model, [a, sure]) {
      if (sure % 4 < 3) return;
      const app = livingApp(model, a);
      await people[0]!.run('mutation ($id: ID!) { deleteApplication(id: $id) }', { id: app.registered.id });
      app.deleted = true;
    },
  },
  'let time pass': {
    weight: 5,
    async run(model, [much]) {
      // Never close to a limit: a step of the test itself takes time too.
      const seconds = pick([20, 20, 20, 20, 40, 20, 20, 40, 40, lives.access, lives.access, lives.afterglow, lives.refresh], much);
      await pass(seconds);
      model.now += seconds;
    },
  },
  // Removing what has had its time changes nothing that anyone can see.
  sweep: {
    weight: 2,
    async run() {
      await sweep({ database: gateways[0].gateway.application.database, refreshReuseWindow: lives.window, auditDays: 365 });
    },
  },
};

function issue(model: Model, family: Family, scopes: readonly string[], tokens: Tokens, refreshExpires: number): void {
  const access: Access = { secret: tokens.access_token, family, scopes, expires: model.now + lives.access, revokedAt: null };
  model.accesses.push(access);
  model.refreshes.push({ secret: tokens.refresh_token, family, access, scopes, expires: refreshExpires, rotatedAt: null, answer: null });
}

/** Every moment that is written down, but for those that would end the sessions of this test. */
const moments: Record<string, string[]> = {
  users: ['valid_from'],
  applications: ['valid_from'],
  authorizations: ['valid_from'],
  sessions: ['valid_at'],
  grants: ['authorized_at', 'ended_at', 'expires_at'],
  access_tokens: ['created_at', 'expires_at', 'revoked_at'],
  refresh_tokens: ['created_at', 'expires_at', 'rotated_at'],
  authorization_codes: ['authorized_at', 'expires_at', 'redeemed_at'],
};

async function pass(seconds: number): Promise<void> {
  const updates = Object.entries(moments).map(
    ([table, columns]) => `update ${table} set ${columns.map((column) => `${column} = ${column} - interval '${seconds} seconds'`).join(', ')}`,
  );
  await gateways[0].sql(updates.join('; '));
}

let steps = 0;
const command = ([name, act]: [string, Act]) =>
  fc.tuple(fc.nat(9_999), fc.nat(9_999), fc.nat(9_999), fc.nat(9_999)).map((draw): fc.AsyncCommand<Model, null> => ({
    check: (model) => act.ready?.(model) ?? true,
    async run(model) {
      steps++;
      await act.run(model, draw);
    },
    toString: () => `${name} ${draw.join(' ')}`,
  }));

const times = 60 * runs;
test(`some ${5_000 * runs} random acts at two gateways: the server does what the model does`, { timeout: 60_000 + runs * 120_000 }, async () => {
  const weighed = Object.entries(acts).flatMap((entry) => Array.from({ length: entry[1].weight }, () => command(entry)));
  await fc.assert(
    fc.asyncProperty(fc.commands(weighed, { maxCommands: 250, size: 'max' }), async (commands) => {
      await gateways[0].sql(`delete from applications; delete from grants; update users set valid_from = 'epoch'; update sessions set valid_at = clock_timestamp()`);
      await fc.asyncModelRun(() => ({ model: new Model(people.map((one) => ({ session: sessionOf(gateways[0], one.username, one.secret), validFrom: 0 }))), real: null }), commands);
    }),
    { numRuns: times },
  );
  expect(steps).toBeGreaterThan(4_000 * runs);
});
