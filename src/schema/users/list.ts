import type { Order } from '../../database/statements/list.ts';
import { userList } from '../../database/statements/user-list.ts';
import { BadRequest, Forbidden } from '../../errors.ts';
import { isAdministrator, reads } from '../../policy/index.ts';
import { builder } from '../builder.ts';
import { DirectionType, offsetArg, resolvePage, total } from '../page.ts';
import { User, UserStateType } from './types.ts';

/** Longest text that is searched for. */
const longestSearch = 255;

const orders = {
  ID: { column: 'u.id', type: 'int' },
  NAME: { column: 'u.name', type: 'text' },
  USERNAME: { column: 'u.username', type: 'text' },
  CREATED_AT: { column: 'u.created_at', type: 'timestamptz' },
  UPDATED_AT: { column: 'u.updated_at', type: 'timestamptz' },
} as const satisfies Record<string, Pick<Order, 'column' | 'type'>>;

const OrderType = builder.enumType('UserOrder', { values: Object.keys(orders) as (keyof typeof orders)[] });

const FilterType = builder.inputType('UserFilter', {
  description: 'Which people a list holds. Whatever is left out or null holds nobody off.',
  fields: (t) => ({
    username: t.string({ description: 'Just this one, whatever the case of the name.' }),
    search: t.string({ description: 'Every word of it in the name or the username; or a whole address that the viewer may see.' }),
    states: t.field({ type: [UserStateType], description: 'Only those in one of these states.' }),
    createdAfter: t.field({ type: 'DateTime', description: 'For administrators; of no effect for others, as with all that follow.' }),
    createdBefore: t.field({ type: 'DateTime' }),
    administrators: t.boolean({ description: 'Only administrators.' }),
    twoFactor: t.boolean({ description: 'Only those with a second factor, or only those without.' }),
  }),
});
type Filter = typeof FilterType.$inferInput;

const UserConnection = builder.connectionObject(
  { type: User, name: 'UserConnection', fields: (t) => ({ total: t.int(total) }) },
  { name: 'UserEdge' },
);

function toQuery({ username, search, states, ...others }: Filter, administrator: boolean) {
  if ((search?.length ?? 0) > longestSearch) throw new BadRequest(`A search has at most ${longestSearch} characters.`);
  const { createdAfter, createdBefore, administrators, twoFactor } = administrator ? others : {};
  return userList({
    username: username ?? undefined,
    search: search ?? undefined,
    everyAddress: administrator,
    states: states ?? undefined,
    createdAfter: createdAfter ?? undefined,
    createdBefore: createdBefore ?? undefined,
    administrators: administrators ?? undefined,
    twoFactor: twoFactor ?? undefined,
  });
}

builder.queryField('users', (t) =>
  t.connection(
    {
      type: User,
      nullable: true,
      description: 'People with an account, the latest first. Order is for administrators. Without a credential only one of them, by name.',
      admission: { class: 'token', scopes: [...reads, 'read_user'], anonymous: true },
      args: {
        ...offsetArg,
        filter: t.arg({ type: FilterType, defaultValue: {} }),
        orderBy: t.arg({ type: OrderType, defaultValue: 'ID' }),
        direction: t.arg({ type: DirectionType, defaultValue: 'DESC' }),
      },
      resolve: async (_root, args, context, info) => {
        const filter = args.filter ?? {};
        const administrator = isAdministrator(context.viewer);
        if (!administrator && context.viewer.person === null && !filter.username) {
          throw new Forbidden('Not authorized to access /api/v4/users');
        }
        const orderBy = administrator ? (args.orderBy ?? 'ID') : 'ID';
        const direction = administrator && args.direction === 'ASC' ? 'asc' : 'desc';
        return await resolvePage(context, args, info, {
          query: toQuery(filter, administrator),
          order: { name: orderBy, ...orders[orderBy], direction },
        });
      },
    },
    UserConnection,
  ),
);
