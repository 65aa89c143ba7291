import { File } from '../../engine/record.ts';
import { objectSchema, type Record } from '../../engine/record.ts';
import { route, type AnyRoute, type SentBack } from '../../engine/route.ts';
import { avatarInput, avatarParameter } from './parameter.ts';

const AvatarUrl: Record<string | null> = {
  name: 'AvatarUrl',
  schema: objectSchema({ avatar_url: { type: ['string', 'null'], format: 'uri' } }),
  present: (url) => ({ avatar_url: url }),
};

/** The picture of a group or a project, for those who see it. */
const ofPlace = (kind: 'group' | 'project', tag: string): AnyRoute =>
  route<{ avatar: SentBack & { content: string | null } }>({
    method: 'GET',
    path: `/api/v4/${kind}s/:id/avatar`,
    summary: `Get the picture of a ${kind}`,
    tag,
    parameters: [],
    operation: `query ($id: ID!) { avatar(owner: ${kind.toUpperCase()}, id: $id) { contentType content } }`,
    variables: ({ id }) => ({ id }),
    subject: 'Avatar',
    file: ({ avatar }) => avatar,
    record: File,
    dialect: 'version 4',
  });

export const avatarRoutes: readonly AnyRoute[] = [
  route<{ url: string | null }>({
    method: 'GET',
    path: '/api/v4/avatar',
    summary: 'Get the address of the picture of the user with a public email address',
    tag: 'Avatars',
    parameters: [
      { name: 'email', type: 'string', required: true, description: 'The public address.' },
      { name: 'size', type: 'integer', description: 'Ignored: pictures are served as they were sent.' },
    ],
    example: { email: 'ada@example.com' },
    operation: 'query ($email: String!) { url: avatarUrlOfEmail(email: $email) }',
    variables: ({ email }) => ({ email: email ?? '' }),
    record: { ...AvatarUrl, present: ({ url }) => AvatarUrl.present(url) },
    dialect: 'version 4',
  }),
  route<{ updateAvatar: { user: { avatarUrl: string | null } } }>({
    method: 'PUT',
    path: '/api/v4/user/avatar',
    summary: 'Set or remove your own picture',
    tag: 'Avatars',
    parameters: [{ ...avatarParameter, required: true }],
    operation: 'mutation ($input: UpdateAvatarInput!) { updateAvatar(input: $input) { user { avatarUrl } } }',
    variables: (values) => ({ input: avatarInput(values) }),
    record: { ...AvatarUrl, present: ({ updateAvatar }) => AvatarUrl.present(updateAvatar.user.avatarUrl) },
    dialect: 'version 4',
  }),
  ofPlace('group', 'Groups'),
  ofPlace('project', 'Projects'),
];
