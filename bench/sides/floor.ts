import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { hashPassword, verifyPassword } from '../../src/auth/crypto.ts';
import { deriveSharedKeys, loadInstanceKeys } from '../../src/auth/instance-keys.ts';
import { seal } from '../../src/auth/seal.ts';
import { issue, redeemCode, rotate } from '../../src/oauth/statements/grants.ts';
import { findToken } from '../../src/oauth/statements/tokens.ts';
import { password } from '../store.ts';
import { accessToken, answer, bearer, bodyOf, live, unauthorized } from './by-hand.ts';
import { pipelines } from './floor-pipelines.ts';
import { planning } from './floor-planning.ts';
import { repository } from './floor-repository.ts';
import { reviews } from './floor-reviews.ts';

/**
 * The floor: the cost of the same answers written by hand, with node:http and pg alone. One joined, prepared statement
 * per request, the same tables, the same bodies; no validation, no log, no errors beyond a wrong token.
 */

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
const keys = loadInstanceKeys({ secretKeys: [process.env.CAUSEWAY_SECRET_KEY!], dataDir: '' })!;
const baseUrl = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

const digest = (secret: string) => createHash('sha256').update(secret).digest();

async function one<Row extends pg.QueryResultRow>(
  name: string,
  text: string,
  values: unknown[],
): Promise<Row | undefined> {
  return (await pool.query<Row>({ name, text, values })).rows[0];
}

const member = (table: string, column: string, place: string) =>
  `exists (select 1 from ${table} m where m.user_id = u.id and m.${column} = ${place})`;

const statements = {
  global: `select s.level::text as level, s.events, coalesce(c.address, o.address) as email
    from ${bearer} left join global_notification_settings s on s.user_id = u.id
    left join emails c on c.id = s.notification_email_id left join emails o on o.primary_of = u.id where ${live}`,
  // Both of one answer, as a server does that looks up who asks before it looks up what is asked.
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
  user: `select u.id, u.username, u.name, u.state::text as state, u.public_email, u.created_at, e.address as email, e.verified_at,
      u.attributes, u.external, u.private_profile, u.can_create_group, u.projects_limit, u.current_sign_in_at, u.last_sign_in_at,
      (select count(*) from projects p join namespaces n on n.id = p.namespace_id where n.owner_id = u.id) < u.projects_limit as has_room,
      (select json_agg(json_build_object('provider', i.provider, 'extern_uid', i.extern_uid)) from identities i where i.user_id = u.id) as identities,
      exists (select from second_factors f where f.user_id = u.id and f.confirmed_at is not null) as two_factor
    from ${bearer} left join emails e on e.primary_of = u.id where ${live}`,
  update: `insert into global_notification_settings as s (user_id, level)
    select u.id, $2::"NotificationLevel" from ${bearer} where ${live}
    on conflict (user_id) do update set level = excluded.level, updated_at = now()
    returning s.level::text as level, s.events,
      coalesce((select address from emails where id = s.notification_email_id), (select address from emails where primary_of = s.user_id)) as email`,
  tokenInfo: `select t.scopes, floor(extract(epoch from t.created_at))::int as created_at, floor(extract(epoch from t.expires_at - now()))::int as expires_in,
      g.user_id, a.uid
    from ${accessToken}`,
  projects: `with me as materialized (select u.id from ${bearer} where ${live}), mine as (
      select p.*, count(*) over () as total from projects p
       where p.deleting_since is null and p.id = any(array(
         select project_id from project_members where user_id = (select id from me)
         union select inside.id from projects inside where inside.namespace_id = any(array(
           select d.id from group_members m join namespaces d on d.ancestry @> array[m.group_id] where m.user_id = (select id from me)
           union all select id from namespaces where owner_id = (select id from me)))))
       order by p.created_at desc, p.id desc limit 20)
    select p.id, p.description, p.name, p.path, p.full_path, p.created_at, p.topics, p.forks_count, p.default_branch, p.readme_path, p.star_count, p.last_activity_at,
      lower(p.visibility::text) as visibility, p.total::int as total, n.id as namespace_id, n.name as namespace_name, n.path as namespace_path,
      lower(n.kind::text) as kind, n.full_path as namespace_full_path, n.parent_id, p.avatar, n.avatar as namespace_avatar,
      p.visibility <> 'PRIVATE' or n.owner_id = (select id from me) or coalesce(p.attributes ->> 'repositoryAccessLevel', '') <> 'disabled' and greatest(
        (select m.access_level from project_members m where m.user_id = (select id from me) and m.project_id = p.id),
        (select max(m.access_level) from group_members m where m.user_id = (select id from me) and m.group_id = any(n.ancestry))) >= 20 as reads_code,
      (select string_agg(a.name, ' / ' order by x.depth) from unnest(n.ancestry) with ordinality x (id, depth) join namespaces a on a.id = x.id) as full_name
    from mine p join namespaces n on n.id = p.namespace_id order by p.created_at desc, p.id desc`,
  account: `select u.id, u.password_hash from routes r join namespaces n on n.id = r.namespace_id join users u on u.id = n.owner_id and u.state = 'ACTIVE'
    where r.path = $1`,
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

/** The gateway's statement for grants without a code or token; the client's secret replaces its id. */
const issueToClient = issue.text
  .replace('$11::timestamptz', 'now()')
  .replaceAll('$2::int', `(select id from applications where uid = $2::text and secret_digest = $11::bytea)`);

/** A hash to verify a password against, to measure that alone. */
const someHash = hashPassword(password);

const newSecret = (prefix: string) => prefix + randomBytes(32).toString('base64url');

/** Parses the form that the load sends. */
async function token(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const form = new URLSearchParams(await bodyOf(request));
  const [uid, secret] = [form.get('client_id')!, digest(form.get('client_secret')!)];
  const [access, refresh] = [newSecret('cwat_'), newSecret('cwrt_')];
  const createdAt = Math.floor(Date.now() / 1000);
  const from = ['127.0.0.1', randomUUID()];
  const record = (scope: string, refreshToken?: string) => ({
    access_token: access,
    token_type: 'bearer',
    expires_in: 7200,
    ...(refreshToken && { refresh_token: refreshToken }),
    scope,
    created_at: createdAt,
  });
  let row: { scopes: string[] } | undefined;
  switch (form.get('grant_type')) {
    case 'refresh_token': {
      const presented = digest(form.get('refresh_token')!);
      const [sealing] = deriveSharedKeys(keys, 'refresh token successor', form.get('refresh_token')!);
      const sealed = seal(
        sealing!,
        presented.toString('base64url'),
        JSON.stringify({ accessToken: access, refreshToken: refresh, expiresIn: 7200, createdAt }),
      );
      row = await one('floor_refresh', rotate.text, [
        presented,
        uid,
        null,
        digest(access),
        digest(refresh),
        sealed,
        30,
        7200,
        ...from,
        secret,
      ]);
      break;
    }
    case 'authorization_code': {
      const challenge = createHash('sha256').update(form.get('code_verifier')!).digest('base64url');
      row = await one('floor_code', redeemCode.text, [
        digest(form.get('code')!),
        uid,
        form.get('redirect_uri'),
        challenge,
        digest(access),
        digest(refresh),
        7200,
        7_776_000,
        ...from,
        secret,
      ]);
      break;
    }
    case 'password': {
      const account = await one<{ id: number; password_hash: string }>('account', statements.account, [
        form.get('username'),
      ]);
      if (!account || !(await verifyPassword(account.password_hash, form.get('password')!))) break;
      row = await one('floor_client', issueToClient, [
        'PASSWORD',
        uid,
        account.id,
        ['api'],
        digest(access),
        digest(refresh),
        7200,
        7_776_000,
        ...from,
        secret,
      ]);
      break;
    }
    default:
      row = await one('floor_client', issueToClient, [
        'CLIENT_CREDENTIALS',
        uid,
        null,
        ['api'],
        digest(access),
        null,
        7200,
        7_776_000,
        ...from,
        secret,
      ]);
  }
  if (!row) return answer(response, 400, { error: 'invalid_grant' });
  answer(
    response,
    200,
    record(row.scopes.join(' '), form.get('grant_type') === 'client_credentials' ? undefined : refresh),
  );
}

async function introspect(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const form = new URLSearchParams(await bodyOf(request));
  const row = await one<{
    secret_digest: Buffer;
    live: boolean;
    scopes: string[];
    application_uid: string;
    username: string;
    user_id: number;
    created_at: Date;
    expires_at: Date | null;
  }>(
    'floor_introspect',
    `select found.*, c.secret_digest from (${findToken.text}) found join applications c on c.uid = $2 and c.id = found.application_id`,
    [digest(form.get('token')!), form.get('client_id')],
  );
  if (!row || !timingSafeEqual(row.secret_digest, digest(form.get('client_secret')!)))
    return answer(response, 401, { error: 'invalid_client' });
  if (!row.live) return answer(response, 200, { active: false });
  answer(response, 200, {
    active: true,
    scope: row.scopes.join(' '),
    client_id: row.application_uid,
    username: row.username,
    token_type: 'bearer',
    ...(row.expires_at && { exp: Math.floor(row.expires_at.getTime() / 1000) }),
    iat: Math.floor(row.created_at.getTime() / 1000),
    sub: String(row.user_id),
  });
}

/** Also hand-written: recognises the query by a word in it. */
async function graphql(request: IncomingMessage, response: ServerResponse, secret: Buffer): Promise<void> {
  if ((await bodyOf(request)).includes('effective')) return await dashboard(response, secret);
  const row = await one<SettingRow>('global', statements.global, [secret]);
  if (!row) return unauthorized(response);
  answer(response, 200, {
    data: { notificationSettings: { level: row.level ?? 'PARTICIPATING', notificationEmail: row.email } },
  });
}

/** Every setting of a person, with the effective level. */
async function dashboard(response: ServerResponse, secret: Buffer): Promise<void> {
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

interface ProjectRow {
  id: number;
  description: string;
  name: string;
  path: string;
  full_path: string;
  created_at: Date;
  topics: string[];
  forks_count: number;
  default_branch: string | null;
  readme_path: string | null;
  star_count: number;
  last_activity_at: Date;
  visibility: string;
  total: number;
  namespace_id: number;
  namespace_name: string;
  namespace_path: string;
  kind: string;
  namespace_full_path: string;
  parent_id: number | null;
  full_name: string;
  avatar: string | null;
  namespace_avatar: string | null;
  reads_code: boolean;
}

/** The first page of the projects that a person is a member of, newest first, with the total. */
async function projects(response: ServerResponse, secret: Buffer): Promise<void> {
  const { rows } = await pool.query<ProjectRow>({ name: 'projects', text: statements.projects, values: [secret] });
  const [first] = rows;
  if (!first) return unauthorized(response);
  const base = baseUrl();
  const text = JSON.stringify(
    rows.map((row) => ({
      id: row.id,
      description: row.description,
      name: row.name,
      name_with_namespace: `${row.full_name} / ${row.name}`,
      path: row.path,
      path_with_namespace: row.full_path,
      created_at: row.created_at,
      default_branch: row.reads_code ? row.default_branch : undefined,
      tag_list: row.topics,
      topics: row.topics,
      ssh_url_to_repo: null,
      http_url_to_repo: `${base}/${row.full_path}.git`,
      web_url: `${base}/${row.full_path}`,
      readme_url: row.reads_code
        ? row.readme_path && `${base}/${row.full_path}/-/blob/${row.default_branch}/${row.readme_path}`
        : undefined,
      forks_count: row.reads_code ? row.forks_count : undefined,
      avatar_url: row.avatar && `${base}/uploads/-/system/project/avatar/${row.id}/${row.avatar}`,
      star_count: row.star_count,
      last_activity_at: row.last_activity_at,
      visibility: row.visibility,
      namespace: {
        id: row.namespace_id,
        name: row.namespace_name,
        path: row.namespace_path,
        kind: row.kind,
        full_path: row.namespace_full_path,
        parent_id: row.parent_id,
        avatar_url:
          row.namespace_avatar && `${base}/uploads/-/system/group/avatar/${row.namespace_id}/${row.namespace_avatar}`,
        web_url: `${base}/${row.kind === 'group' ? 'groups/' : ''}${row.namespace_full_path}`,
      },
    })),
  );
  const pages = Math.ceil(first.total / 20);
  const page = (number: number) => `<${base}/api/v4/projects?membership=true&simple=true&page=${number}&per_page=20>`;
  response.writeHead(200, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    'x-total': first.total,
    'x-total-pages': pages,
    'x-page': 1,
    'x-per-page': 20,
    'x-next-page': pages > 1 ? 2 : '',
    'x-prev-page': '',
    link: `${pages > 1 ? `${page(2)}; rel="next", ` : ''}${page(1)}; rel="first", ${page(pages)}; rel="last"`,
  });
  response.end(text);
}

interface UserRow {
  id: number;
  username: string;
  name: string;
  state: string;
  public_email: string | null;
  created_at: Date;
  email: string;
  verified_at: Date;
  two_factor: boolean;
  attributes: Record<string, unknown>;
  external: boolean;
  private_profile: boolean;
  can_create_group: boolean;
  projects_limit: number;
  has_room: boolean;
  current_sign_in_at: Date | null;
  last_sign_in_at: Date | null;
  identities: object[] | null;
}

const userOf = ({ attributes: about, ...row }: UserRow): object => ({
  id: row.id,
  username: row.username,
  public_email: row.public_email ?? '',
  name: row.name,
  state: row.state.toLowerCase(),
  locked: false,
  avatar_url: null,
  web_url: `${baseUrl()}/${row.username}`,
  created_at: row.created_at,
  bio: about.bio ?? '',
  location: about.location ?? '',
  linkedin: about.linkedin ?? '',
  twitter: about.twitter ?? '',
  discord: about.discord ?? '',
  website_url: about.websiteUrl ?? '',
  github: about.github ?? '',
  job_title: about.jobTitle ?? '',
  pronouns: about.pronouns ?? null,
  organization: about.organization ?? '',
  bot: false,
  work_information: null,
  followers: 0,
  following: 0,
  local_time: null,
  last_sign_in_at: row.last_sign_in_at,
  confirmed_at: row.verified_at,
  last_activity_on: new Date().toISOString().slice(0, 10),
  email: row.email,
  theme_id: about.theme ?? 3,
  color_scheme_id: about.colorScheme ?? 1,
  projects_limit: row.projects_limit,
  current_sign_in_at: row.current_sign_in_at,
  identities: row.identities ?? [],
  can_create_group: row.can_create_group,
  can_create_project: row.has_room,
  two_factor_enabled: row.two_factor,
  external: row.external,
  private_profile: row.private_profile,
  commit_email: about.commitEmail ?? row.email,
  preferred_language: 'en',
});

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = request.url!;
  const secret = digest(
    (request.headers['private-token'] as string | undefined) ??
      request.headers.authorization?.slice('Bearer '.length) ??
      '',
  );
  const mark = url.indexOf('?');
  const path = mark < 0 ? url : url.slice(0, mark);
  if (path === '/favicon.ico') return void response.writeHead(204).end();
  if (path === '/bare') return answer(response, 200, {});
  if (path === '/argon2') return answer(response, 200, { right: await verifyPassword(await someHash, password) });
  if (path === '/oauth/token') return await token(request, response);
  if (path === '/oauth/introspect') return await introspect(request, response);
  if (path === '/graphql') return await graphql(request, response, secret);
  if (path === '/oauth/token/info') {
    const row = await one<{
      scopes: string[];
      created_at: number;
      expires_in: number | null;
      user_id: number;
      uid: string;
    }>('info', statements.tokenInfo, [secret]);
    if (!row) return unauthorized(response);
    const { scopes, expires_in } = row;
    return answer(response, 200, {
      resource_owner_id: row.user_id,
      scope: scopes,
      expires_in,
      application: { uid: row.uid },
      created_at: row.created_at,
      scopes,
      expires_in_seconds: expires_in,
    });
  }
  if (path === '/api/v4/notification_settings') {
    const update = request.method === 'PUT';
    const row = update
      ? await one<SettingRow>('update', statements.update, [secret, url.slice(mark + '?level='.length).toUpperCase()])
      : await one<SettingRow>('global', statements.global, [secret]);
    if (!row) return unauthorized(response);
    const record = settingOf(row, 'participating');
    return update ? answer(response, 200, record) : tagged(request, response, record);
  }
  if (path === '/two-statements/api/v4/notification_settings') {
    const owner = await one<{ id: number }>('owner', statements.owner, [secret]);
    const row = owner && (await one<SettingRow>('globalOf', statements.globalOf, [owner.id]));
    return row ? tagged(request, response, settingOf(row, 'participating')) : unauthorized(response);
  }
  if (path === '/api/v4/user') {
    const row = await one<UserRow>('user', statements.user, [secret]);
    return row ? answer(response, 200, userOf(row)) : unauthorized(response);
  }
  if (path === '/api/v4/projects') return await projects(response, secret);
  const [, kind, id, what] =
    /^\/api\/v4\/(groups|projects)\/(\d+)\/(notification_settings|error_tracking\/settings)$/.exec(path) ?? [];
  if (what === 'notification_settings') {
    const scope = kind === 'groups' ? 'group' : 'project';
    const row = await one<SettingRow>(scope, statements[scope], [secret, id]);
    return row ? tagged(request, response, settingOf(row, 'global')) : unauthorized(response);
  }
  if (what) {
    const row = await one<{ active: boolean; api_url: string; project_name: string }>('tracking', statements.tracking, [
      secret,
      id,
    ]);
    if (!row) return unauthorized(response);
    const tracker = row.api_url.replace('/api/0/projects', '');
    return answer(response, 200, {
      active: row.active,
      project_name: row.project_name,
      tracker_external_url: tracker,
      sentry_external_url: tracker,
      api_url: row.api_url,
    });
  }
  if (await repository({ pool, response, secret, url, baseUrl: baseUrl() })) return;
  if (await planning({ pool, request, response, secret, path, baseUrl: baseUrl() })) return;
  if (await reviews({ pool, response, secret, path, baseUrl: baseUrl() })) return;
  if (await pipelines({ pool, request, response, secret, path, baseUrl: baseUrl() })) return;
  answer(response, 404, { error: '404 Not Found' });
}

/** Answers with a weak entity tag, for the work that sends conditional requests. */
function tagged(request: IncomingMessage, response: ServerResponse, record: object): void {
  const text = JSON.stringify(record);
  const tag = `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`;
  if (request.headers['if-none-match'] === tag) return void response.writeHead(304, { etag: tag }).end();
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text), etag: tag });
  response.end(text);
}

const server = createServer((request, response) => {
  handle(request, response).catch((error: unknown) => {
    console.error(error);
    answer(response, 500, {});
  });
});
server.listen(0, '127.0.0.1', () => console.log(`floor on ${baseUrl()}`));
process.on('SIGTERM', () => process.exit(0));
