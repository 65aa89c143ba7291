import type { Context } from '../../context.ts';
import { viewerId, type User as UserRecord } from '../../database/index.ts';
import { readOwnUser } from '../../database/statements/users.ts';
import { reads } from '../../policy/index.ts';
import { builder } from '../builder.ts';
import { User } from './types.ts';

/** What is asked for beside the person's own columns, as Prisma takes it. */
interface Wanted {
  readonly include?: Readonly<Record<string, unknown>>;
}

/** What the statement brings along; for anything else Prisma is asked. */
const brought = new Set(['namespace', 'primaryEmail', 'secondFactor']);

/** Every client begins with this question, and so it is read along with the credential. */
async function readOwn(context: Context, id: number): Promise<UserRecord | null> {
  const [row] = await context.database.rows(readOwnUser, [id]);
  if (!row) return null;
  const { namespaceId, address, verifiedAt, confirmedAt, ...own } = row;
  return {
    ...own,
    namespace: namespaceId === null ? null : { id: namespaceId },
    primaryEmail: address === null ? null : { address, verifiedAt },
    secondFactor: { confirmedAt },
  } as unknown as UserRecord;
}

builder.queryField('currentUser', (t) =>
  t.prismaField({
    type: User,
    nullable: true,
    description: 'The person whose credential this request carries.',
    admission: { class: 'token', scopes: [...reads, 'read_user', 'profile', 'email'] },
    readsFirst: () => ({ statement: readOwnUser, values: [viewerId] }),
    resolve: (query, _root, _args, context) => {
      const { person } = context.viewer;
      if (!person) return null;
      const { include = {} } = query as Wanted;
      if (Object.keys(include).every((name) => brought.has(name))) return readOwn(context, person.id);
      return context.database.prisma.user.findUnique({ ...query, where: { id: person.id } });
    },
  }),
);
