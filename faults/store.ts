import { createHash, randomBytes } from 'node:crypto';
import pg from 'pg';
import { command } from './gateways.ts';

/** A person of the load, with their credentials at the start. */
export interface Person {
  readonly id: number;
  /** A personal access token with the scope `api`. */
  readonly token: string;
  /** The first refresh token of a family of OAuth tokens. */
  readonly refreshToken: string;
  readonly group: number;
  readonly grant: number;
}

export const application = { uid: 'faults-application', secret: 'cwcs_a-secret-for-faults-only-0123456789' };

/** How many people there are: those of the load first, then those for the faults. */
const peopleCount = 40;

export const digestOf = (secret: string): Buffer => createHash('sha256').update(secret).digest();
export const newSecret = (prefix: string): string => prefix + randomBytes(32).toString('base64url');

/** Nothing of issues, for a disk that is too small for as many as seeding makes. */
export const withoutIssues = { labels: 0, milestones: 0, issues: 0, notes: 0 } as const;

/** Migrates and fills an empty database. @param where settings that name it @param counts that aren't as usual */
export async function seed(
  root: string,
  where: Record<string, string>,
  counts: Readonly<Record<string, number>> = {},
): Promise<void> {
  const people = { users: peopleCount, groups: peopleCount, projects: 10, memberships: 40 };
  const plan = { ...people, settings: 0, tokens: 0, ...counts };
  const options = Object.entries(plan).flatMap(([name, count]) => [`--${name}`, String(count)]);
  await command(root, ['seed', ...options], where);
}

/** Gives every person a group, a token and a family of OAuth tokens. */
export async function furnish(connection: pg.ClientConfig): Promise<Person[]> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    await client.query(
      `insert into applications (name, uid, secret_digest, redirect_uris, scopes, grant_types)
       values ('Faults', $1, $2, '{}', '{api,read_api,read_user}', '{refresh_token,client_credentials,password}') on conflict do nothing`,
      [application.uid, digestOf(application.secret)],
    );
    const { rows } = await client.query<{ id: number; group: number }>(
      `select u.id, g.id as group
         from (select id, row_number() over (order by id) as n from users where username like 'seed-%' order by id) u
         join (select id, row_number() over (order by id) as n from namespaces where kind = 'GROUP' order by id) g using (n)`,
    );
    const people: Person[] = [];
    for (const { id, group } of rows) {
      const [token, refreshToken] = [newSecret('cwpat_'), newSecret('cwrt_')];
      await client.query(
        `insert into group_members (user_id, group_id, access_level) values ($1, $2, 30) on conflict do nothing`,
        [id, group],
      );
      await client.query(
        `insert into personal_access_tokens (user_id, name, digest, scopes, expires_at) values ($1, 'load', $2, '{api}', current_date + 300)`,
        [id, digestOf(token)],
      );
      const { rows: grants } = await client.query<{ id: number }>(
        `with g as (insert into grants (kind, application_id, user_id, authorized_at)
           select 'PASSWORD', id, $1, now() from applications where uid = $2 returning id)
         insert into refresh_tokens (grant_id, digest, scopes, expires_at) select id, $3, '{api}', now() + interval '30 days' from g
         returning grant_id as id`,
        [id, application.uid, digestOf(refreshToken)],
      );
      people.push({ id, token, refreshToken, group, grant: grants[0]!.id });
    }
    return people;
  } finally {
    await client.end();
  }
}
