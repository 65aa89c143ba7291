import { newToken } from '../../../src/auth/index.ts';
import { openSession } from '../../../src/auth/statements/sessions.ts';
import { DomainError, OAuthError } from '../../../src/errors.ts';
import type { TestGateway } from '../../support/gateway.ts';
import { asPage, basic, inBody, somewhere, type Form } from '../../support/oauth/oauth.ts';
import {
  remaining,
  type AccessToken,
  type Client,
  type Model,
  type Person,
  type RefreshToken,
  type Token,
} from './model.ts';

/** What an operation came to: its data, or the name of its error. */
export type Outcome<Data> =
  | { readonly data: Data; readonly error: null }
  | { readonly data: null; readonly error: string };

/** What stays of a person from run to run. */
export interface Account {
  readonly name: string;
  readonly username: string;
  readonly id: string;
  readonly password: string;
  readonly passwordHash: string;
}

/** What a client is answered. */
export interface Answered {
  readonly status: number;
  readonly text: string;
  readonly body: Record<string, unknown>;
}

/** The words by which the API says what is the matter with an access token. */
const complaints = { expired: 'Token is expired', revoked: 'Token was revoked', unknown: '401 Unauthorized' } as const;

/** What a model is compared with: gateways at one database, which are asked in turn. */
export class Server {
  readonly #gateways: readonly TestGateway[];
  #turn = 0;
  /** When time was last made to pass. */
  #passedAt = Date.now();
  /** How many commands it was given. */
  steps = 0;
  /** What they were, in words. */
  readonly story: string[] = [];

  constructor(gateways: readonly TestGateway[]) {
    this.#gateways = gateways;
  }

  /** Another one each time. */
  get gateway(): TestGateway {
    return this.#gateways[this.#turn++ % this.#gateways.length]!;
  }

  /** As if nothing had ever happened, with these accounts for people who have just come. */
  async beginAnew(accounts: readonly Account[]): Promise<Person[]> {
    const ids = accounts.map(({ id }) => Number(id));
    await this.gateway.sql('delete from applications; delete from grants; delete from sessions');
    await this.gateway.sql(
      `update users set valid_from = 'epoch', state = 'ACTIVE', password_hash = p.hash
         from unnest($1::int[], $2::text[]) p(id, hash) where users.id = p.id`,
      [ids, accounts.map(({ passwordHash }) => passwordHash)],
    );
    return accounts.map(({ name, username, id, password }) => ({
      name,
      username,
      id,
      password,
      blocked: false,
      session: null,
    }));
  }

  /** Opens a session, as it happens once a password was found right. @returns null where the person may not */
  async openSession({ id }: Person): Promise<string | null> {
    const [clock] = await this.gateway.sql<{ at: string }>('select clock_timestamp()::text as at');
    const { secret, digest } = newToken('session');
    const values = [Number(id), digest, somewhere.address, 'a test', clock!.at];
    const opened = await this.gateway.gateway.application.database.rows(openSession, values);
    return opened.length > 0 ? secret : null;
  }

  /** Runs an operation with the last session of a person, whether it still counts or not. */
  async operation<Data>(
    { session }: Person,
    source: string,
    variables: Record<string, unknown> = {},
  ): Promise<Outcome<Data>> {
    try {
      return { data: await asPage<Data>(this.gateway, session?.secret ?? null, source, variables), error: null };
    } catch (error) {
      if (error instanceof OAuthError) return { data: null, error: error.error };
      if (error instanceof DomainError) return { data: null, error: error.code };
      throw error;
    }
  }

  /** @returns whether that changed anything */
  async setBlocked({ id }: Person, blocked: boolean): Promise<boolean> {
    const mutation = blocked ? 'blockUser' : 'unblockUser';
    const answer = await this.gateway.operator<Record<string, { changed: boolean }>>(
      `mutation ($id: ID!) { ${mutation}(input: { userId: $id }) { changed } }`,
      { id },
    );
    return answer[mutation]!.changed;
  }

  /** A request of a client, which proves itself in one way or the other. */
  async request(path: string, { application, secret }: Client, byBasic: boolean, form: Form): Promise<Answered> {
    const credentials = { clientId: application.clientId, secret };
    const headers = byBasic ? basic(credentials).headers! : {};
    return await this.#send(path, {
      method: 'POST',
      headers,
      body: new URLSearchParams(byBasic ? form : { ...form, ...inBody(credentials) }),
    });
  }

  /** A request with an access token. */
  get(path: string, { secret }: AccessToken): Promise<Answered> {
    return this.#send(path, { headers: { authorization: `Bearer ${secret}` } });
  }

  /** As bare as it can be: thousands of them are sent. */
  async #send(path: string, init: RequestInit): Promise<Answered> {
    const response = await fetch(`${this.gateway.url}${path}`, init);
    const text = await response.text();
    return { status: response.status, text, body: JSON.parse(text) as Record<string, unknown> };
  }

  /**
   * Lets time pass for everything of these people and applications, without waiting: every moment that was
   * written down is moved back, so that all of it lies so many seconds further in the past. What really passed
   * since the last time counts: else a slow machine's tokens would be older than those of the model.
   */
  async pass(
    seconds: number,
    people: readonly { id: string }[],
    applications: readonly { id: string }[],
  ): Promise<void> {
    const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => Number(id));
    const now = Date.now();
    const left = Math.max(0, seconds - (now - this.#passedAt) / 1_000);
    this.#passedAt = now;
    await this.gateway.sql(passing(left), [ids(people), ids(applications)]);
  }

  /** @throws Error where the server takes a token for alive that the model takes for dead, or the other way round */
  async compare(model: Model, tokens: readonly Token[]): Promise<void> {
    const differences = await Promise.all(
      tokens.map(async (token) => {
        const difference = await (token.kind === 'access'
          ? this.#atTheApi(model, token)
          : this.#introspected(model, token));
        return difference && `${token.name}: ${difference}`;
      }),
    );
    const found = differences.filter((difference) => difference !== null);
    if (found.length > 0) throw new Error(found.join('\n'));
  }

  async #atTheApi(model: Model, token: AccessToken): Promise<string | null> {
    const expected = model.health(token);
    // Token information says what is left of a live token's scopes, and of a dead one no reasons; those the API tells its owner.
    const ofPerson = token.family.person !== null;
    const path = expected === 'live' || !ofPerson ? '/oauth/token/info' : '/api/v4/user';
    const { status, text, body } = await this.get(path, token);
    const said = (one: keyof typeof complaints) => text.includes(complaints[one]);
    const left = remaining(token, token.family.application);
    const asExpected =
      expected === 'live'
        ? status === 200 && (body.scope as string[]).join(' ') === left.join(' ')
        : status === 401 && (!ofPerson || said(expected) || (model.mayBeGone(token) && said('unknown')));
    return asExpected ? null : `${expected} with ${left.join(' ')} in the model, at the API ${status} ${text}`;
  }

  async #introspected(model: Model, token: RefreshToken): Promise<string | null> {
    const { application } = token.family;
    // No other client can introspect it.
    if (application.deleted || !application.confidential) return null;
    const { body } = await this.request('/oauth/introspect', { application, secret: application.secret }, true, {
      token: token.secret,
    });
    return body.active === model.isLive(token)
      ? null
      : `${body.active ? 'dead' : 'alive'} in the model, introspected as ${body.active ? 'alive' : 'dead'}`;
  }
}

/** One statement that moves every moment back which anything is compared with. $1 people, $2 applications. */
function passing(seconds: number): string {
  const ofParties = 'user_id = any($1::int[]) or application_id = any($2::int[])';
  const ofGrants = `grant_id in (select id from grants where ${ofParties})`;
  const moves: [table: string, columns: string[], where: string][] = [
    ['users', ['valid_from'], 'id = any($1::int[])'],
    ['applications', ['valid_from'], 'id = any($2::int[])'],
    ['authorizations', ['valid_from'], ofParties],
    ['sessions', ['valid_at'], 'user_id = any($1::int[])'],
    ['authorization_codes', ['authorized_at', 'expires_at', 'redeemed_at'], ofParties],
    ['grants', ['authorized_at', 'ended_at', 'expires_at'], ofParties],
    ['access_tokens', ['created_at', 'expires_at', 'revoked_at'], ofGrants],
    ['refresh_tokens', ['created_at', 'expires_at', 'rotated_at', 'sealed_until'], ofGrants],
  ];
  const moved = (columns: string[]) =>
    columns.map((column) => `${column} = ${column} - make_interval(secs => ${seconds})`).join(', ');
  const updates = moves.map(
    ([table, columns, where]) => `moved_${table} as (update ${table} set ${moved(columns)} where ${where})`,
  );
  return `with ${updates.join(', ')} select 1`;
}
