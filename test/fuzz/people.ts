import pg from 'pg';
import { newToken } from '../../src/auth/credentials/tokens.ts';
import { callers, type Caller } from './request.ts';

/** The tokens and sessions of requests. Requests revoke them and delete their users; `renew` replaces them. */
export interface People {
  readonly tokens: Record<Caller, string>;
  readonly sessions: Record<Caller, string>;
  /** Gives a caller a working token and session, of a new user if necessary. Concurrent calls share one renewal. */
  renew(caller: Caller): Promise<void>;
  leave(): Promise<void>;
}

/** The access level of each in the demo workspace. */
const levels: Record<Caller, number> = { root: 50, maintainer: 40, developer: 30, guest: 10 };
/** The groups and projects that most requests name. They are created again after a request deleted them. */
const groups = [['demo'], ['platform', 'demo']] as const;
const projects = [
  ['storefront', 'demo'],
  ['api', 'demo/platform'],
] as const;

/** An application, and the address of its consent page. */
const application = { uid: 'an-application', redirectUri: 'https://client.example/callback' };
export const consent = `/oauth/authorize?${new URLSearchParams({ client_id: application.uid, redirect_uri: application.redirectUri, response_type: 'code', scope: 'read_user' }).toString()}`;

export async function enlist(databaseUrl: string, origin: string): Promise<People> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 });
  const ids: Partial<Record<Caller, number>> = {};
  let made = 0;

  async function someone(caller: Caller): Promise<number> {
    const administrator = caller === 'root';
    const kept = await pool.query<{ id: number }>(
      `update users set state = 'ACTIVE', administrator = $2 where id = $1 and deleting_since is null returning id`,
      [ids[caller] ?? 0, administrator],
    );
    if (kept.rows[0]) return kept.rows[0].id;
    const name = `fuzz-${caller}-${process.pid}-${made++}`;
    const { rows } = await pool.query<{ id: number }>(
      `with person as (insert into users (username, name, administrator) values ($1, $1, $2) returning id),
            number as (select nextval(pg_get_serial_sequence('namespaces', 'id'))::int as it),
            place as (
              insert into namespaces (id, kind, owner_id, path, name, full_path, visibility, ancestry)
              select it, 'USER', person.id, $1, $1, $1, 'PUBLIC', array[it] from person, number returning id),
            route as (insert into routes (path, namespace_id) select $1, id from place),
            email as (insert into emails (user_id, address, verified_at, primary_of) select id, $1 || '@example.com', now(), id from person)
       select id from person`,
      [name, administrator],
    );
    return rows[0]!.id;
  }

  /** One statement each, so that lanes which notice a missing row at the same time don't conflict. */
  async function renewNow(caller: Caller): Promise<void> {
    const id = (ids[caller] = await someone(caller));
    const [token, session] = [newToken('personal'), newToken('session')];
    await pool.query(
      `with token as (insert into personal_access_tokens (user_id, name, digest, scopes) values ($1, 'fuzz', $2, '{api}'))
       insert into sessions (user_id, digest, address, user_agent, authenticated_at, valid_at) values ($1, $3, '', '', clock_timestamp(), clock_timestamp())`,
      [id, token.digest, session.digest],
    );
    people.tokens[caller] = token.secret;
    people.sessions[caller] = session.secret;
    if (caller === 'root') {
      await furnish(token.secret);
      await pool.query(
        `insert into applications (name, uid, redirect_uris, scopes) values ('Fuzz', $1, array[$2], '{api,read_user}') on conflict (uid) do nothing`,
        [application.uid, application.redirectUri],
      );
    }
    await pool.query(
      `insert into group_members (user_id, group_id, access_level) select $1, namespace_id, $2 from routes where path = 'demo' and namespace_id is not null
       on conflict (user_id, group_id) do update set access_level = excluded.access_level, expires_at = null`,
      [id, levels[caller]],
    );
  }

  const under = new Map<Caller, Promise<void>>();
  function renew(caller: Caller): Promise<void> {
    const renewing = under.get(caller) ?? renewNow(caller).finally(() => under.delete(caller));
    under.set(caller, renewing);
    return renewing;
  }

  /** Creates what is missing, as an administrator. */
  async function furnish(token: string): Promise<void> {
    const wanted = [...groups, ...projects].map(([path, parent]) =>
      parent === undefined ? path : `${parent}/${path}`,
    );
    const { rowCount } = await pool.query('select from routes where path = any ($1)', [wanted]);
    if (rowCount === wanted.length) return;
    const post = (path: string, body: object) =>
      fetch(`${origin}/api/v4${path}`, {
        method: 'POST',
        headers: { 'private-token': token, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    const idOf = async (path: string | undefined) =>
      path === undefined
        ? undefined
        : (await pool.query<{ id: number }>('select namespace_id as id from routes where path = $1', [path])).rows[0]
            ?.id;
    for (const [path, parent] of groups)
      await (await post('/groups', { name: path, path, parent_id: await idOf(parent), visibility: 'public' })).text();
    for (const [path, parent] of projects)
      await (await post('/projects', { path, namespace_id: await idOf(parent), visibility: 'public' })).text();
  }

  const nothing = () => Object.fromEntries(callers.map((caller) => [caller, ''])) as Record<Caller, string>;
  const people: People = { tokens: nothing(), sessions: nothing(), renew, leave: () => pool.end() };
  for (const caller of callers) await renew(caller);
  return people;
}
