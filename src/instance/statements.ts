import { statement, type Prisma } from '../database/index.ts';

export const readInstance = statement<{ id: number; setUpAt: Date; settings: Prisma.JsonValue }>(
  'read_instance',
  'select id, set_up_at as "setUpAt", settings from instance where id = 1',
);

export const readSettings = statement<{ settings: Record<string, unknown> }>(
  'read_instance_settings',
  'select settings from instance where id = 1',
);

/** Sets some settings and resets others. $1 the new values as JSON, $2 the names of the settings to reset. */
export const changeSettings = statement<object>(
  'change_instance_settings',
  'update instance set settings = (settings || $1::jsonb) - $2::text[] where id = 1',
);

export interface CountsRow {
  users: number;
  blocked_users: number;
  administrators: number;
  unconfirmed_users: number;
  groups: number;
  projects: number;
  applications: number;
  personal_access_tokens: number;
}

/** Counts for the administrators' overview. Rows that are being deleted don't count. */
export const countEverything = statement<CountsRow>(
  'count_everything',
  `select u.*, p.*, n.groups, a.applications, t.personal_access_tokens
     from (select count(*)::int as users, count(*) filter (where state = 'BLOCKED')::int as blocked_users,
                  count(*) filter (where administrator and state = 'ACTIVE')::int as administrators,
                  count(*) filter (where not exists (select 1 from emails e where e.primary_of = users.id and e.verified_at is not null))::int
                    as unconfirmed_users
             from users where deleting_since is null) u,
          (select count(*)::int as projects from projects where deleting_since is null) p,
          (select count(*)::int as groups from namespaces where kind = 'GROUP' and deleting_since is null) n,
          (select count(*)::int as applications from applications) a,
          (select count(*)::int as personal_access_tokens from personal_access_tokens
            where revoked_at is null and (expires_at is null or expires_at > (now() at time zone 'utc')::date)) t`,
);
