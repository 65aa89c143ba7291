import { statement } from '../../../database/index.ts';
import { liveGroup, liveProject } from '../../../database/access/places.ts';
import type { AvatarOwner } from '../../../values/avatar-path.ts';

/** The table of each owner, and the column that refers to it. */
const owners = {
  user: { table: 'users', column: 'user_id' },
  group: { table: 'namespaces', column: 'group_id' },
  project: { table: 'projects', column: 'project_id' },
} as const satisfies Record<AvatarOwner, object>;

/** A person's own namespace has the file name too, so that its records need no other table. */
const alsoNamed = {
  user: ', named as (update namespaces n set avatar = $2 where n.owner_id = $1)',
  group: '',
  project: '',
};

/** Stores a picture. $1 the owner, $2 the file name, $3 content type, $4 SHA-256, $5 content. */
const store = (owner: AvatarOwner) => {
  const { table, column } = owners[owner];
  return statement<object>(
    `store_avatar_of_${owner}`,
    `with stored as (
       insert into avatars (${column}, filename, content_type, digest, content)
       values ($1::int, $2::text, $3::text, $4::bytea, $5::bytea)
       on conflict (${column}) do update set filename = excluded.filename, content_type = excluded.content_type,
         digest = excluded.digest, content = excluded.content, created_at = now()
     )${alsoNamed[owner]}
     update ${table} set avatar = $2, updated_at = now() where id = $1`,
  );
};

/** Removes a picture, if there is one. $1 the owner. */
const remove = (owner: AvatarOwner) => {
  const { table, column } = owners[owner];
  return statement<object>(
    `remove_avatar_of_${owner}`,
    `with gone as (
       delete from avatars where ${column} = $1::int returning 1
     )${alsoNamed[owner].replace('$2', 'null')}
     update ${table} set avatar = null, updated_at = now() where id = $1 and exists (select from gone)`,
  );
};

export const storeStatements = { user: store('user'), group: store('group'), project: store('project') };
export const removeStatements = { user: remove('user'), group: remove('group'), project: remove('project') };

/** A picture without its content. */
export interface AvatarRow {
  readonly id: number;
  readonly filename: string;
  readonly content_type: string;
  readonly digest: Buffer;
}

const columns = 'a.id, a.filename, a.content_type, a.digest';

/** The picture of an owner who isn't being removed. $1 the owner. */
export const findAvatar = {
  user: statement<AvatarRow>(
    'find_avatar_of_user',
    `select ${columns} from avatars a join users u on u.id = a.user_id where a.user_id = $1::int and u.deleting_since is null`,
  ),
  group: statement<AvatarRow>(
    'find_avatar_of_group',
    `select ${columns} from avatars a join namespaces n on n.id = a.group_id where a.group_id = $1::int and ${liveGroup}`,
  ),
  project: statement<AvatarRow>(
    'find_avatar_of_project',
    `select ${columns} from avatars a join projects p on p.id = a.project_id join namespaces n on n.id = p.namespace_id
      where a.project_id = $1::int and ${liveProject}`,
  ),
} as const;

/** $1 the picture. */
export const readContent = statement<{ content: Buffer }>(
  'read_content_of_avatar',
  'select content from avatars where id = $1',
);

/** The person whose public address this is, if they have a picture. $1 the address in lower case. */
export const findByPublicEmail = statement<{ id: number; avatar: string }>(
  'find_avatar_by_public_email',
  `select u.id, u.avatar from users u
    where u.public_email = $1::text and u.avatar is not null and u.deleting_since is null order by u.id limit 1`,
);
