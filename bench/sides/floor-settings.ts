import { createHash } from 'node:crypto';
import { accessToken, answer, bearer, bodyOf, live, one, unauthorized, type Asked } from './by-hand.ts';

/** The floor of settings: those of a person, a group or a project, over both doors. */

const member = (table: string, column: string, place: string) =>
  `exists (select 1 from ${table} m where m.user_id = u.id and m.${column} = ${place})`;

const statements = {
  global: `select s.level::text as level, s.events, coalesce(c.address, o.address) as email
    from ${bearer} left join global_notification_settings s on s.user_id = u.id
    left join emails c on c.id = s.notification_email_id left join emails o on o.primary_of = u.id where ${live}`,
  // For one answer, both: a server without a joined statement looks up the person first, and then the setting.
  owner: `select u.id from ${accessToken} and t.scopes && '{api,read_api}'`,
  globalOf: `select s.level::text as level, s.events, coalesce(c.address, o.address) as email
    from users u left join global_notification_settings s on s.user_id = u.id
    left join emails c on c.id = s.notification_email_id left join emails o on o.primary_of = u.id where u.id = $1`,
  group: `select s.level::text as level, s.events from ${bearer}
    join namespaces n on n.id = $2 and (n.visibility = 'PUBLIC' or exists (
      select 1 from group_members m where m.user_id = u.id and m.group_id = any(n.ancestry)))
    left join group_notification_settings s on s.user_id = u.id and s.group_id = n.id where ${live}`,
  project: `select s.level::text as level, s.events from ${bearer}
    join projects p on p.id = $2 and (p.visibility = 'PUBLIC' or ${member('project_members', 'project_id', 'p.id')})
    left join project_notification_settings s on s.user_id = u.id and s.project_id = p.id where ${live}`,
  tracking: `select s.active, s.api_url, s.project_name from ${bearer}
    join projects p on p.id = $2 join project_members m on m.project_id = p.id and m.user_id = u.id and m.access_level >= 40
    join error_tracking_settings s on s.project_id = p.id where ${live}`,
  update: `insert into global_notification_settings as s (user_id, level)
    select u.id, $2::"NotificationLevel" from ${bearer} where ${live}
    on conflict (user_id) do update set level = excluded.level, updated_at = now()
    returning s.level::text as level, s.events,
      coalesce((select address from emails where id = s.notification_email_id), (select address from emails where primary_of = s.user_id)) as email`,
  dashboard: `with me as materialized (select u.id from ${bearer} where ${live}), listed as (select * from (
      select 'GLOBAL' as scope, '' as full_path, s.level, null::int as project_id, '{}'::int[] as ancestry
        from me left join global_notification_settings s on s.user_id = me.id
      union all
      select 'GROUP', n.full_path, s.level, null, n.ancestry from me
        cross join lateral (select group_id from group_members where user_id = me.id
                            union select group_id from group_notification_settings where user_id = me.id) mine
        join namespaces n on n.id = mine.group_id
        left join group_notification_settings s on s.user_id = me.id and s.group_id = n.id
        where n.visibility <> 'PRIVATE' or exists (select from group_members m where m.user_id = me.id and m.group_id = any(n.ancestry))
      union all
      select 'PROJECT', p.full_path, s.level, p.id, n.ancestry from me
        cross join lateral (select project_id from project_members where user_id = me.id
                            union select project_id from project_notification_settings where user_id = me.id
                            union select own.id from projects own join namespaces o on o.id = own.namespace_id where o.owner_id = me.id) mine
        join projects p on p.id = mine.project_id join namespaces n on n.id = p.namespace_id
        left join project_notification_settings s on s.user_id = me.id and s.project_id = p.id
        where p.visibility <> 'PRIVATE' or exists (select from project_members m where m.user_id = me.id and m.project_id = p.id)
           or exists (select from group_members m where m.user_id = me.id and m.group_id = any(n.ancestry))
      ) settings order by replace(full_path, '/', chr(1)) collate "C" limit 50)
    select listed.scope, listed.level::text as level, applies.level::text as applies, applies.source from me, listed
      left join lateral (
        select level, source from (
          select listed.level, 'PROJECT' as source, 1000 as nearness where listed.scope = 'PROJECT'
          union all
          select s.level, 'GROUP', a.depth::int from unnest(listed.ancestry) with ordinality a (id, depth)
            join group_notification_settings s on s.group_id = a.id and s.user_id = (select id from me)
          union all
          select s.level, 'GLOBAL', 0 from global_notification_settings s where s.user_id = (select id from me)
        ) c where level <> 'GLOBAL' order by nearness desc limit 1
      ) applies on true
      order by replace(listed.full_path, '/', chr(1)) collate "C"`,
};

const eventNames = [
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
  'failed_pipeline',
  'fixed_pipeline',
  'success_pipeline',
  'moved_project',
].map((name) => [name, name.toUpperCase()] as const);

interface SettingRow {
  level: string | null;
  events: Record<string, boolean> | null;
  email?: string;
}

/** The record of a setting, as in version 4. */
function settingOf({ level, events, email }: SettingRow, otherwise: string): object {
  return {
    level: level?.toLowerCase() ?? otherwise,
    ...(level === 'CUSTOM' && {
      events: Object.fromEntries(
        eventNames.map(([name, stored]) => [name, events?.[stored] ?? name === 'moved_project']),
      ),
    }),
    ...(email !== undefined && { notification_email: email }),
  };
}

/** Also hand-written: recognises the query by a word in it. */
async function graphql(asked: Asked): Promise<void> {
  const { request, response, secret } = asked;
  if ((await bodyOf(request)).includes('effective')) return await dashboard(asked);
  const row = await one<SettingRow>(asked, 'global', statements.global, [secret]);
  if (!row) return unauthorized(response);
  answer(response, 200, {
    data: { notificationSettings: { level: row.level ?? 'PARTICIPATING', notificationEmail: row.email } },
  });
}

/** Every setting of a person, with the effective level. */
async function dashboard({ pool, response, secret }: Asked): Promise<void> {
  const { rows } = await pool.query<{
    scope: string;
    level: string | null;
    applies: string | null;
    source: string | null;
  }>({
    name: 'dashboard',
    text: statements.dashboard,
    values: [secret],
  });
  if (rows.length === 0) return unauthorized(response);
  const nodes = rows.map(({ scope, level, applies, source }) => ({
    scope,
    level: level ?? (scope === 'GLOBAL' ? 'PARTICIPATING' : 'GLOBAL'),
    effective: { level: applies ?? 'PARTICIPATING', source: source ?? 'DEFAULT' },
  }));
  answer(response, 200, { data: { currentUser: { notificationSettings: { nodes } } } });
}

async function ofPerson(asked: Asked): Promise<void> {
  const { request, response, secret, url } = asked;
  const update = request.method === 'PUT';
  const level = url.slice(url.indexOf('?') + '?level='.length).toUpperCase();
  const row = update
    ? await one<SettingRow>(asked, 'update', statements.update, [secret, level])
    : await one<SettingRow>(asked, 'global', statements.global, [secret]);
  if (!row) return unauthorized(response);
  const record = settingOf(row, 'participating');
  return update ? answer(response, 200, record) : tagged(asked, record);
}

/** The setting of a person, in two statements. */
async function inTwoStatements(asked: Asked): Promise<void> {
  const owner = await one<{ id: number }>(asked, 'owner', statements.owner, [asked.secret]);
  const row = owner && (await one<SettingRow>(asked, 'globalOf', statements.globalOf, [owner.id]));
  return row ? tagged(asked, settingOf(row, 'participating')) : unauthorized(asked.response);
}

async function ofPlace(asked: Asked, scope: 'group' | 'project', id: string): Promise<void> {
  const row = await one<SettingRow>(asked, scope, statements[scope], [asked.secret, id]);
  return row ? tagged(asked, settingOf(row, 'global')) : unauthorized(asked.response);
}

async function ofTracking(asked: Asked, id: string): Promise<void> {
  const { response, secret } = asked;
  const row = await one<{ active: boolean; api_url: string; project_name: string }>(
    asked,
    'tracking',
    statements.tracking,
    [secret, id],
  );
  if (!row) return unauthorized(response);
  const tracker = row.api_url.replace('/api/0/projects', '');
  answer(response, 200, {
    active: row.active,
    project_name: row.project_name,
    tracker_external_url: tracker,
    sentry_external_url: tracker,
    api_url: row.api_url,
  });
}

/** Answers with a weak entity tag, for the work that sends conditional requests. */
function tagged({ request, response }: Asked, record: object): void {
  const text = JSON.stringify(record);
  const tag = `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`;
  if (request.headers['if-none-match'] === tag) return void response.writeHead(304, { etag: tag }).end();
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text), etag: tag });
  response.end(text);
}

/** Answers a request about settings. @returns whether it is such a request */
export async function settings(asked: Asked): Promise<boolean> {
  const { path } = asked;
  if (path === '/graphql') await graphql(asked);
  else if (path === '/api/v4/notification_settings') await ofPerson(asked);
  else if (path === '/two-statements/api/v4/notification_settings') await inTwoStatements(asked);
  else {
    const [, kind, id, what] =
      /^\/api\/v4\/(groups|projects)\/(\d+)\/(notification_settings|error_tracking\/settings)$/.exec(path) ?? [];
    if (!what) return false;
    if (what === 'notification_settings') await ofPlace(asked, kind === 'groups' ? 'group' : 'project', id!);
    else await ofTracking(asked, id!);
  }
  return true;
}
