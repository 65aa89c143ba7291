import { readFingerprint } from '../../../auth/index.ts';
import type { Context } from '../../../context.ts';
import { BadRequest, NotFound, Unauthenticated } from '../../../errors.ts';
import { reads } from '../../../policy/index.ts';
import { userByReference } from '../../accounts/users/find.ts';
import { requireAdministrator } from '../../engine/administrators.ts';
import { builder } from '../../engine/builder.ts';
import { idOf } from '../../engine/global-id.ts';
import { rootList } from '../../engine/list.ts';
import { keysOf } from './statements.ts';
import { SshKey } from './types.ts';

/** Keys are public: others check with them what someone signed. */
const admission = { class: 'token', scopes: [...reads, 'read_user'], anonymous: true } as const;
const ofWhom = 'Whose, by id or username. Omitted: your own.';

/** The id of the person who is meant. @throws NotFound; Unauthenticated for one’s own without a person */
async function ownerOf(context: Context, userId: string | null | undefined): Promise<number> {
  if (userId != null) return (await userByReference(context, userId)).id;
  if (!context.viewer.person) throw new Unauthenticated();
  return context.viewer.person.id;
}

rootList('sshKeys', {
  type: SshKey,
  description: 'The SSH keys of a person, the oldest first.',
  admission,
  orders: { id: { column: 'k.id', type: 'int' } },
  by: 'id_asc',
  args: (t) => ({ userId: t.id({ description: ofWhom }) }),
  rows: async (context, { userId }) => keysOf(await ownerOf(context, userId)),
});

builder.queryField('sshKey', (t) =>
  t.prismaField({
    type: SshKey,
    nullable: true,
    description: 'One SSH key of a person.',
    admission,
    args: { userId: t.arg.id({ description: ofWhom }), id: t.arg.id({ required: true }) },
    resolve: async (query, _root, { userId, id }, context) => {
      const where = { id: idOf(id, 'SshKey'), userId: await ownerOf(context, userId) };
      const key = await context.database.prisma.sshKey.findUnique({ ...query, where });
      if (!key) throw new NotFound('Key');
      return key;
    },
  }),
);

builder.queryField('anySshKey', (t) =>
  t.prismaField({
    type: SshKey,
    nullable: true,
    description: 'The SSH key with an id or a fingerprint, whosever it is. For administrators.',
    admission: { class: 'token', scopes: reads },
    args: { id: t.arg.id(), fingerprint: t.arg.string({ description: '`SHA256:…`, or MD5 as `4a:9d:…`.' }) },
    resolve: async (query, _root, { id, fingerprint }, context) => {
      requireAdministrator(context);
      const { sshKey } = context.database.prisma;
      if (id != null) {
        const found = await sshKey.findUnique({ ...query, where: { id: idOf(id, 'SshKey') } });
        if (!found) throw new NotFound('SSH key');
        return found;
      }
      const wanted = readFingerprint(fingerprint ?? '');
      if (!wanted) throw new BadRequest('Failed to return the key');
      const digest = new Uint8Array(wanted.digest);
      const where = wanted.by === 'sha256' ? { fingerprintSha256: digest } : { fingerprintMd5: digest };
      const found = await sshKey.findFirst({ ...query, where, orderBy: { id: 'asc' } });
      if (!found) throw new NotFound('Key');
      return found;
    },
  }),
);
