import type { Context } from '../../context.ts';
import type { Prisma } from '../../database/client/client.ts';
import { BadRequest, Forbidden, Unauthenticated } from '../../errors.ts';
import { isAdministrator, reads } from '../../policy/index.ts';
import { builder } from '../builder.ts';
import { reference } from '../places/look-up.ts';
import { User, UserStateType } from './types.ts';

builder.queryField('currentUser', (t) =>
  t.prismaField({
    type: User,
    nullable: true,
    description: 'The person whose credential this request carries.',
    admission: { class: 'token', scopes: [...reads, 'read_user', 'profile', 'email'] },
    resolve: (query, _root, _args, { viewer, database }) =>
      viewer.person && database.prisma.user.findUnique({ ...query, where: { id: viewer.person.id } }),
  }),
);

/** A person's name is the path of their namespace, and found whatever its case. */
async function idByName({ database }: Context, username: string): Promise<number> {
  const route = await database.prisma.route.findUnique({
    where: { path: username.toLowerCase() },
    select: { namespace: { select: { ownerId: true } } },
  });
  return route?.namespace?.ownerId ?? 0;
}

builder.queryField('user', (t) =>
  t.prismaField({
    type: User,
    nullable: true,
    description: 'A person by id or by name; null where there is none.',
    admission: { class: 'token', scopes: [...reads, 'read_user'], anonymous: true },
    args: { id: t.arg.id(), username: t.arg.string() },
    resolve: async (query, _root, { id, username }, context) => {
      if ((id == null) === (username == null)) throw new BadRequest('Name a person by id or by username.');
      // Whoever counts through the ids would otherwise learn everyone's name.
      if (!isKnown(context)) throw id == null ? new Unauthenticated() : new Forbidden('Not authorized!');
      const found = id == null ? await idByName(context, username!) : numberOf(id);
      return await context.database.prisma.user.findUnique({ ...query, where: { id: found, deletingSince: null } });
    },
  }),
);

function numberOf(id: string): number {
  const { by, value } = reference(id);
  return by === 'id' ? Number(value) : 0;
}

/** Whether somebody in particular asks: a person, or the operator. */
const isKnown = ({ viewer }: Context) => viewer.person !== null || isAdministrator(viewer);

const UserOrder = builder.enumType('UserOrder', {
  values: {
    ID: { value: 'id' },
    NAME: { value: 'name' },
    USERNAME: { value: 'username' },
    CREATED_AT: { value: 'createdAt' },
    UPDATED_AT: { value: 'updatedAt' },
  } as const,
});
type Order = 'id' | 'name' | 'username' | 'createdAt' | 'updatedAt';

const SortDirection = builder.enumType('SortDirection', { values: { ASC: { value: 'asc' }, DESC: { value: 'desc' } } as const });

builder.queryField('users', (t) =>
  t.prismaConnection({
    type: User,
    cursor: 'id',
    nullable: true,
    description: 'People with an account, the latest first. Without a credential only one of them, by name.',
    admission: { class: 'token', scopes: [...reads, 'read_user'], anonymous: true },
    args: {
      username: t.arg.string({ description: 'Just this one, whatever the case of the name.' }),
      search: t.arg.string({ description: 'A part of the name or the username, or a whole address that the viewer may see.' }),
      states: t.arg({ type: [UserStateType], description: 'Only those in one of these states.' }),
      createdAfter: t.arg({ type: 'DateTime', description: 'For administrators; of no effect for others, as with all that follow.' }),
      createdBefore: t.arg({ type: 'DateTime' }),
      administrators: t.arg.boolean({ description: 'Only administrators.' }),
      twoFactor: t.arg.boolean({ description: 'Only those with a second factor, or only those without.' }),
      orderBy: t.arg({ type: UserOrder, defaultValue: 'id' }),
      sort: t.arg({ type: SortDirection, defaultValue: 'desc' }),
    },
    resolve: (query, _root, args, context) => {
      if (!isKnown(context) && !args.username) throw new Forbidden('Not authorized to access /api/v4/users');
      return context.database.prisma.user.findMany({ ...query, where: matching(args, context), orderBy: ordering(args, context) });
    },
  }),
);

interface Filters {
  username?: string | null;
  search?: string | null;
  states?: ('ACTIVE' | 'BLOCKED')[] | null;
  createdAfter?: Date | null;
  createdBefore?: Date | null;
  administrators?: boolean | null;
  twoFactor?: boolean | null;
}

function matching(filters: Filters, context: Context): Prisma.UserWhereInput {
  const { username, search, states } = filters;
  const all: Prisma.UserWhereInput[] = [{ deletingSince: null }];
  if (username) all.push({ username: { equals: username, mode: 'insensitive' } });
  if (search) all.push(found(search.trim(), context));
  if (states) all.push({ state: { in: states } });
  if (isAdministrator(context.viewer)) {
    const { createdAfter, createdBefore, administrators, twoFactor } = filters;
    const confirmed: Prisma.SecondFactorWhereInput = { confirmedAt: { not: null } };
    if (createdAfter) all.push({ createdAt: { gt: createdAfter } });
    if (createdBefore) all.push({ createdAt: { lt: createdBefore } });
    if (administrators) all.push({ administrator: true });
    if (twoFactor != null) all.push(twoFactor ? { secondFactor: confirmed } : { NOT: { secondFactor: confirmed } });
  }
  return { AND: all };
}

/** By an address only as a whole, and only where the viewer could see it: a search must not spell it out letter by letter. */
function found(search: string, { viewer }: Context): Prisma.UserWhereInput {
  const part = { contains: search.replace(/[\\%_]/g, String.raw`\$&`), mode: 'insensitive' } as const;
  const address = search.toLowerCase();
  return {
    OR: [
      { name: part },
      { username: part },
      { publicEmail: address },
      ...(isAdministrator(viewer) ? [{ emails: { some: { address } } }] : []),
    ],
  };
}

/** Order is for administrators, as in version 4; ties are broken by the id, so that pages don't overlap. */
function ordering({ orderBy, sort }: { orderBy?: Order | null; sort?: 'asc' | 'desc' | null }, { viewer }: Context) {
  const field = isAdministrator(viewer) ? (orderBy ?? 'id') : 'id';
  const direction = isAdministrator(viewer) ? (sort ?? 'desc') : 'desc';
  return field === 'id' ? { id: direction } : [{ [field]: direction }, { id: direction }];
}
