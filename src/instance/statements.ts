import { hasSecondFactor } from '../database/access/people.ts';
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
  without_second_factor: number;
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
                    as unconfirmed_users,
                  count(*) filter (where state = 'ACTIVE' and not ${hasSecondFactor('users.id')})::int
                    as without_second_factor
             from users where deleting_since is null) u,
          (select count(*)::int as projects from projects where deleting_since is null) p,
          (select count(*)::int as groups from namespaces where kind = 'GROUP' and deleting_since is null) n,
          (select count(*)::int as applications from applications) a,
          (select count(*)::int as personal_access_tokens from personal_access_tokens
            where revoked_at is null and session_id is null and (expires_at is null or expires_at > (now() at time zone 'utc')::date)) t`,
);

export interface WorkRow {
  waiting: number;
  dead: number;
}

/** The jobs that wait for their turn, and those that failed for good. */
export const countWork = statement<WorkRow>(
  'count_work',
  `select count(*) filter (where dead_at is null and run_at <= now())::int as waiting,
          count(*) filter (where dead_at is not null)::int as dead from jobs`,
);

export interface DayRow {
  sign_ins: number;
  refused_sign_ins: number;
}

/** What happened in the last 24 hours. */
export const countDay = statement<DayRow>(
  'count_day',
  `select coalesce(sum(e.count) filter (where e.kind = 'signed_in'), 0)::int as sign_ins,
          coalesce(sum(e.count) filter (where e.kind in ('sign_in_refused', 'second_factor_refused')), 0)::int as refused_sign_ins
     from audit_events e
    where e.at > now() - interval '1 day'`,
);
