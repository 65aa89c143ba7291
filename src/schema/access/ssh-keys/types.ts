import { shownFingerprint, shownMd5 } from '../../../auth/index.ts';
import { isOwn } from '../../accounts/users/seen.ts';
import { userById } from '../../accounts/users/read.ts';
import { UserCore } from '../../accounts/users/types.ts';
import { builder } from '../../engine/builder.ts';
import { identify } from '../../engine/global-id.ts';

export const SshKeyUsageType = builder.enumType('SshKeyUsageType', {
  description: 'What a key is for. Git takes no key that only signs.',
  values: { AUTH: {}, SIGNING: {}, AUTH_AND_SIGNING: {} } as const,
});

export const SshKey = builder.prismaObject('SshKey', {
  description: 'The public half of a person’s SSH key.',
  fields: (t) => ({
    title: t.exposeString('title'),
    key: t.string({
      description:
        'Type and Base64, and as comment the name of the person and of this host. The comment that it came with isn’t kept.',
      resolve: async ({ key, userId }, _args, context) => {
        const owner = userId === null ? undefined : await userById(context, userId);
        const host = URL.canParse(context.baseUrl) ? new URL(context.baseUrl).hostname : 'localhost';
        return owner ? `${key} ${owner.name} (${host})` : key;
      },
    }),
    usageType: t.expose('usageType', { type: SshKeyUsageType }),
    fingerprint: t.string({ description: 'MD5, as `4a:9d:…`.', resolve: (key) => shownMd5(key.fingerprintMd5) }),
    fingerprintSha256: t.string({
      description: 'As OpenSSH shows it: `SHA256:…`.',
      resolve: (key) => shownFingerprint(key.fingerprintSha256),
    }),
    createdAt: t.expose('createdAt', { type: 'Time' }),
    expiresAt: t.expose('expiresAt', {
      type: 'Time',
      nullable: true,
      description: 'From then on it is refused; null: never.',
    }),
    lastUsedAt: t.field({
      type: 'Time',
      nullable: true,
      description: 'When it was last used, within 10 minutes; null if never, and for others than the person.',
      resolve: ({ userId, lastUsedAt }, _args, context) => (isOwn(userId ?? 0, context) ? lastUsedAt : null),
    }),
    user: t.field({
      type: UserCore,
      nullable: true,
      description: 'Whose key it is.',
      resolve: async ({ userId }, _args, context) =>
        userId === null ? null : ((await userById(context, userId)) ?? null),
    }),
  }),
});
identify(SshKey, 'SshKey');
