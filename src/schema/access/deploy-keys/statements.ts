import { findProject, projectAccessLevel, liveProject } from '../../../database/access/places.ts';
import { statement } from '../../../database/index.ts';
import { ListQuery, type Reading } from '../../../database/list.ts';

/** Deploy keys: SSH keys of projects. A key that its last project lets go is removed by the database. */

export { findProject };

/** A deploy key, as it is in one project or in the instance. */
export interface DeployKeyRecord {
  readonly id: number;
  readonly title: string;
  readonly key: string;
  readonly fingerprintSha256: Uint8Array;
  readonly fingerprintMd5: Uint8Array;
  readonly public: boolean;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly lastUsedAt: Date | null;
  /** Whether it pushes to the project; null where it is looked at by itself. */
  readonly canPush: boolean | null;
}

const columns = (canPush: string) => `its.id, its.title, its.key, its.fingerprint_sha256 as "fingerprintSha256",
  its.fingerprint_md5 as "fingerprintMd5", its.public, its.created_at as "createdAt", its.expires_at as "expiresAt",
  its.last_used_at as "lastUsedAt", ${canPush} as "canPush"`;

const byItself = `select ${columns('null::boolean')} from ssh_keys its where its.kind = 'DEPLOY'`;
const inProject = `select ${columns('d.can_push')} from deploy_key_projects d join ssh_keys its on its.id = d.key_id`;

const instanceReading: Reading<DeployKeyRecord> = {
  columns: columns('null::boolean'),
  from: 'ssh_keys its',
  id: 'its.id',
};

/** A key of a project. $1 project, $2 key. */
export const findDeployKey = statement<DeployKeyRecord>(
  'find_deploy_key',
  `${inProject} where d.project_id = $1::int and d.key_id = $2::int`,
);

/** A key by itself. $1 key. */
export const readDeployKey = statement<DeployKeyRecord>('read_deploy_key', `${byItself} and its.id = $1::int`);

export const deployKeyOrders = { id: { column: 'k.id', type: 'int' } } as const;

/** All deploy keys; or only those that every project may enable, or only the others. */
export function allDeployKeys(isPublic: boolean | null | undefined): ListQuery<DeployKeyRecord> {
  const query = new ListQuery<DeployKeyRecord>('ssh_keys k', 'k.id', instanceReading);
  query.where(`k.kind = 'DEPLOY'`);
  if (isPublic != null) query.where(isPublic ? 'k.public' : 'not k.public');
  return query;
}

/** The deploy keys of a project. */
export function deployKeysOf(project: number): ListQuery<DeployKeyRecord> {
  // The project is the first value of the statement: the reading names it, too.
  const query = new ListQuery<DeployKeyRecord>('deploy_key_projects k', 'k.key_id', {
    columns: columns('link.can_push'),
    from: 'ssh_keys its join deploy_key_projects link on link.key_id = its.id and link.project_id = $1::int',
    id: 'its.id',
  });
  return query.where(`k.project_id = ${query.key(project)}::int`);
}

export const orderOfProject = { id: { column: 'k.key_id', type: 'int' } } as const;

/** The projects of some keys. $1 keys. */
export const projectsOfKeys = statement<{ keyId: number; projectId: number; canPush: boolean }>(
  'projects_of_deploy_keys',
  `select d.key_id as "keyId", d.project_id as "projectId", d.can_push as "canPush"
     from deploy_key_projects d join projects p on p.id = d.project_id join namespaces n on n.id = p.namespace_id
    where d.key_id = any($1::int[]) and ${liveProject} order by d.project_id`,
);

/** SQL for whether a person has what it takes to enable the key `k`: it is for all, or of a project that they maintain. */
const accessible = (person: string, administrator: string) =>
  `k.kind = 'DEPLOY' and (k.public or ${administrator} or exists (
     select from deploy_key_projects d join projects p on p.id = d.project_id join namespaces n on n.id = p.namespace_id
      where d.key_id = k.id and ${liveProject} and ${projectAccessLevel(person)} >= 40))`;

/** The keys that a person may enable in a project that doesn't have them. */
export function availableKeys(project: number, person: number): ListQuery<DeployKeyRecord> {
  const query = new ListQuery<DeployKeyRecord>('ssh_keys k', 'k.id', instanceReading);
  const place = `${query.key(project)}::int`;
  return query
    .where(accessible(`${query.key(person)}::int`, 'false'))
    .where(`not exists (select from deploy_key_projects its where its.key_id = k.id and its.project_id = ${place})`);
}

/** A key with a fingerprint, or with an id, locked against its removal. */
export interface KnownKey {
  readonly id: number;
  readonly title: string;
  /** Whether the person may enable it. */
  readonly accessible: boolean;
  /** Whether the project has it. */
  readonly joined: boolean;
}

const known = (condition: string) =>
  `select k.id, k.title, ${accessible('$2::int', '$3::boolean')} as accessible,
          exists (select from deploy_key_projects its where its.key_id = k.id and its.project_id = $4::int) as joined
     from ssh_keys k where ${condition} for key share of k`;

/** $1 SHA-256, $2 person, $3 whether they are an administrator, $4 project or null. */
export const findByFingerprint = statement<KnownKey>(
  'find_key_by_fingerprint',
  known('k.fingerprint_sha256 = $1::bytea'),
);

/** $1 id, $2 person, $3 whether they are an administrator, $4 project. */
export const findEnabling = statement<KnownKey>('find_key_to_enable', known(`k.id = $1::int and k.kind = 'DEPLOY'`));

/** Makes a key. No row: there is one with this fingerprint. $1 title, $2 key, $3 SHA-256, $4 MD5, $5 expiry, $6 public, $7 who. */
export const insertDeployKey = statement<{ id: number }>(
  'insert_deploy_key',
  `insert into ssh_keys (kind, title, key, fingerprint_sha256, fingerprint_md5, expires_at, public, creator_id)
   values ('DEPLOY', $1, $2, $3, $4, $5::timestamptz, $6::boolean, $7::int)
   on conflict (fingerprint_sha256) do nothing returning id`,
);

/** Lets a key open a project. No row: the project has as many as it may have. $1 key, $2 project, $3 pushes, $4 the most. */
export const insertJoin = statement<{ id: number }>(
  'insert_deploy_key_of_project',
  `insert into deploy_key_projects (key_id, project_id, can_push)
   select $1::int, $2::int, $3::boolean
    where (select count(*) from deploy_key_projects other where other.project_id = $2::int) < $4::int
   on conflict (project_id, key_id) do update set updated_at = deploy_key_projects.updated_at returning id`,
);

/** Changes whether a key pushes. $1 key, $2 project, $3 whether. */
export const setCanPush = statement<object>(
  'set_deploy_key_can_push',
  `update deploy_key_projects set can_push = $3::boolean, updated_at = now()
    where key_id = $1::int and project_id = $2::int returning 1`,
);

/** $1 key, $2 title. */
export const setTitle = statement<object>('set_deploy_key_title', 'update ssh_keys set title = $2 where id = $1::int');

/** Takes a key from a project. $1 key, $2 project. */
export const deleteJoin = statement<{ title: string }>(
  'delete_deploy_key_of_project',
  `delete from deploy_key_projects d using ssh_keys k
    where d.key_id = $1::int and d.project_id = $2::int and k.id = d.key_id returning k.title`,
);
