import { statement } from '../../database/index.ts';
import { auditKind, auditKindIf } from './audit.ts';
import { shownState, type PersonState } from '../../database/access/people.ts';

export interface SudoRow {
  user_id: number;
  username: string;
  administrator: boolean;
  tier: 'FREE' | 'PREMIUM';
  external: boolean;
  state: PersonState;
}

/**
 * Finds the user whom an administrator acts as, and writes the audit event in the same statement. Each change
 * gets a row of its own. Reads by the same administrator as the same user share one row a minute, so that polling
 * can't fill the disk.
 * $1 id or null, $2 if null: the username, in lower case, $3 the administrator, $4 whether it
 * only reads, $5 application or null, $6 address, $7 request id, $8 method and path.
 */
export const actAsUser = statement<SudoRow>(
  'act_as_user',
  `with target as (
     select u.id as user_id, u.username, u.administrator, u.tier, u.external, ${shownState} as state
       from users u
      where u.deleting_since is null
        and u.id = coalesce($1::int, (select n.owner_id from routes r join namespaces n on n.id = r.namespace_id where r.path = $2::text))
   ), noted as (
     insert into audit_events (kind, actor_id, user_id, application_id, scopes, address, request_id, detail, minute_key)
     select ${auditKindIf('$4::boolean', 'read_as_user', 'acted_as_user')}, $3::int, t.user_id, $5::int, '{}', $6, $7,
            case when $4::boolean then null else $8::text end,
            case when $4::boolean then concat_ws(' ', ${auditKind('read_as_user')}, $3::int, t.user_id, coalesce($5::int, 0),
                                                 to_char(now() at time zone 'utc', 'YYYY-MM-DD HH24:MI')) end
       from target t where t.state = 'ACTIVE'
     on conflict (minute_key) do update set
       count = audit_events.count + 1, address = excluded.address, request_id = excluded.request_id
   )
   select * from target`,
);
