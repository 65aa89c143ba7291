import { answer, bearer, live, one, unauthorized, type Asked } from './by-hand.ts';

/** The floor of people and places: the person of the token, and a page of their projects. */

const statements = {
  user: `select u.id, u.username, u.name, u.state::text as state, u.public_email, u.created_at, e.address as email, e.verified_at,
      u.attributes, u.external, u.private_profile, u.can_create_group, u.projects_limit, u.current_sign_in_at, u.last_sign_in_at,
      (select count(*) from projects p join namespaces n on n.id = p.namespace_id where n.owner_id = u.id) < u.projects_limit as has_room,
      (select json_agg(json_build_object('provider', i.provider, 'extern_uid', i.extern_uid)) from identities i where i.user_id = u.id) as identities,
      exists (select from second_factors f where f.user_id = u.id and f.confirmed_at is not null) as two_factor
    from ${bearer} left join emails e on e.primary_of = u.id where ${live}`,
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
};

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
async function projects({ pool, response, secret, baseUrl: base }: Asked): Promise<void> {
  const { rows } = await pool.query<ProjectRow>({ name: 'projects', text: statements.projects, values: [secret] });
  const [first] = rows;
  if (!first) return unauthorized(response);
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

const userOf = ({ attributes: about, ...row }: UserRow, baseUrl: string): object => ({
  id: row.id,
  username: row.username,
  public_email: row.public_email ?? '',
  name: row.name,
  state: row.state.toLowerCase(),
  locked: false,
  avatar_url: null,
  web_url: `${baseUrl}/${row.username}`,
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

/** Answers a request about a person or their projects. @returns whether it is such a request */
export async function places(asked: Asked): Promise<boolean> {
  const { response, secret, path, baseUrl } = asked;
  if (path === '/api/v4/projects') await projects(asked);
  else if (path === '/api/v4/user') {
    const row = await one<UserRow>(asked, 'user', statements.user, [secret]);
    if (row) answer(response, 200, userOf(row, baseUrl));
    else unauthorized(response);
  } else return false;
  return true;
}
