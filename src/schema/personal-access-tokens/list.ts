import type { Context } from '../../context.ts';
import type { Order } from '../../database/statements/list.ts';
import { personalTokenList, type PersonalTokenFilter } from '../../database/statements/personal-tokens.ts';
import { BadRequest, Unauthenticated } from '../../errors.ts';
import { isAdministrator, reads } from '../../policy/index.ts';
import { builder } from '../builder.ts';
import { DirectionType, offsetArg, resolvePage, total } from '../page.ts';
import { reference } from '../places/look-up.ts';
import { PersonalAccessToken } from './types.ts';

/** Longest text that is searched for. */
const longestSearch = 1_000;

/** One that was never used is the longest unused; one that never ends is the last to end. */
const orders = {
  CREATED_AT: { column: 't.created_at', type: 'timestamptz' },
  LAST_USED_AT: { column: `coalesce(t.last_used_at, 'epoch')`, type: 'timestamptz' },
  EXPIRES_AT: { column: `(coalesce(t.expires_at, '9999-12-31')::timestamp at time zone 'utc')`, type: 'timestamptz' },
  NAME: { column: 't.name', type: 'text' },
} as const satisfies Record<string, Pick<Order, 'column' | 'type'>>;

const OrderType = builder.enumType('PersonalAccessTokenOrder', { values: Object.keys(orders) as (keyof typeof orders)[] });

const FilterType = builder.inputType('PersonalAccessTokenFilter', {
  description: 'Which tokens a list holds. Whatever is left out or null holds nobody off.',
  fields: (t) => ({
    userId: t.id({ description: 'Only those of one person.' }),
    active: t.boolean({ description: 'Only those that work, or only others.' }),
    revoked: t.boolean({ description: 'Only those that were revoked, or only others.' }),
    search: t.string({ description: 'Every word of it in the name. Words below three letters must be all of it.' }),
    createdAfter: t.field({ type: 'DateTime' }),
    createdBefore: t.field({ type: 'DateTime' }),
    lastUsedAfter: t.field({ type: 'DateTime' }),
    lastUsedBefore: t.field({ type: 'DateTime' }),
    expiresAfter: t.field({ type: 'Date' }),
    expiresBefore: t.field({ type: 'Date' }),
  }),
});

/**
 * The filter, narrowed to what the viewer may see.
 * @throws Unauthenticated for the tokens of somebody else, as version 4 does; BadRequest
 */
function toFilter({ viewer }: Context, given: typeof FilterType.$inferInput): PersonalTokenFilter {
  if ((given.search?.length ?? 0) > longestSearch) throw new BadRequest(`A search has at most ${longestSearch} characters.`);
  const { by, value } = reference(given.userId ?? '');
  const own = viewer.person?.id ?? 0;
  const asked = given.userId == null ? undefined : by === 'id' ? Number(value) : 0;
  if (!isAdministrator(viewer) && asked !== undefined && asked !== own) throw new Unauthenticated();
  return { ...given, userId: isAdministrator(viewer) ? asked : own };
}

export const TokenConnection = builder.connectionObject(
  { type: PersonalAccessToken, name: 'PersonalAccessTokenConnection', fields: (t) => ({ total: t.int(total) }) },
  { name: 'PersonalAccessTokenEdge' },
);

builder.queryField('personalAccessTokens', (t) =>
  t.connection(
    {
      type: PersonalAccessToken,
      nullable: true,
      description: 'Personal access tokens, the latest first where nothing else is said: your own, and for administrators everybody’s.',
      admission: { class: 'session', personalToken: reads },
      args: {
        ...offsetArg,
        filter: t.arg({ type: FilterType, defaultValue: {} }),
        orderBy: t.arg({ type: OrderType, defaultValue: 'CREATED_AT' }),
        direction: t.arg({ type: DirectionType, defaultValue: 'DESC' }),
      },
      resolve: async (_root, args, context, info) => {
        const orderBy = args.orderBy ?? 'CREATED_AT';
        return await resolvePage(context, args, info, {
          query: personalTokenList(toFilter(context, args.filter ?? {})),
          order: { name: orderBy, ...orders[orderBy], direction: args.direction === 'ASC' ? 'asc' : 'desc' },
        });
      },
    },
    TokenConnection,
  ),
);
