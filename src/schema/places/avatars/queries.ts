import { findGroup, findProject } from '../../../database/access/places.ts';
import type { Context } from '../../../context.ts';
import { reads } from '../../../policy/index.ts';
import { avatarPath, type AvatarOwner } from '../../../values/avatar-path.ts';
import { builder } from '../../engine/builder.ts';
import { idOf } from '../../engine/global-id.ts';
import { lookUp } from '../place/look-up.ts';
import { findAvatar, findByPublicEmail, readContent, type AvatarRow } from './statements.ts';

const OwnerType = builder.enumType('AvatarOwner', {
  description: 'Whose picture an avatar is.',
  values: { USER: { value: 'user' }, GROUP: { value: 'group' }, PROJECT: { value: 'project' } } as const,
});

const Avatar = builder.objectRef<AvatarRow>('Avatar').implement({
  description: 'The picture of a person, a group or a project.',
  fields: (t) => ({
    filename: t.exposeString('filename', { description: 'The address of the picture ends in it.' }),
    contentType: t.string({
      description: 'Its media type, for example `image/png`; determined from the content.',
      direct: true,
      resolve: (row) => row.content_type,
    }),
    sha256: t.string({
      description: 'The SHA-256 of the content, as hexadecimal digits.',
      direct: true,
      resolve: ({ digest }) => digest.toString('hex'),
    }),
    content: t.field({
      type: 'Base64',
      nullable: true,
      description: 'Null if it was replaced just now.',
      resolve: async ({ id }, _args, { database }) => (await database.rows(readContent, [id]))[0]?.content ?? null,
    }),
  }),
});

/** The id of an owner that the viewer may see. @throws NotFound */
async function ownerId(context: Context, owner: AvatarOwner, given: string): Promise<number> {
  if (owner === 'user') return idOf(given, 'User');
  const row =
    owner === 'group'
      ? await lookUp(context, findGroup, 'Group', given)
      : await lookUp(context, findProject, 'Project', given);
  return row.id;
}

builder.queryFields((t) => ({
  avatar: t.field({
    type: Avatar,
    nullable: true,
    description:
      'A picture; null if there is none. Those of groups and projects are for the people who see the group or the project, those of people for everyone.',
    admission: { class: 'token', scopes: reads, anonymous: true },
    args: {
      owner: t.arg({ type: OwnerType, required: true }),
      id: t.arg.id({ required: true, description: 'Global id or number; for groups and projects also the full path.' }),
    },
    resolve: async (_root, { owner, id }, context) => {
      const [found] = await context.database.rows(findAvatar[owner], [await ownerId(context, owner, id)]);
      return found ?? null;
    },
  }),
  avatarUrlOfEmail: t.string({
    nullable: true,
    description:
      'The address of the picture of the person whose public address this is. Null if no one shows this address, and if that person has no picture: the answer doesn’t say which.',
    admission: { class: 'token', scopes: reads, anonymous: true },
    args: { email: t.arg.string({ required: true }) },
    resolve: async (_root, { email }, { database, baseUrl }) => {
      const [found] = await database.rows(findByPublicEmail, [email.trim().toLowerCase()]);
      return found ? `${baseUrl}${avatarPath('user', found.id, found.avatar)}` : null;
    },
  }),
}));
