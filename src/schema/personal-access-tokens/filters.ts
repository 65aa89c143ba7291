import { daysAhead } from '../../calendar.ts';
import type { Prisma } from '../../database/client/client.ts';
import { builder } from '../builder.ts';

export const TokenStateType = builder.enumType('PersonalAccessTokenState', {
  values: { ACTIVE: { description: 'Works.' }, INACTIVE: { description: 'Revoked or expired.' } } as const,
});

type Order = Prisma.PersonalAccessTokenOrderByWithRelationInput[];

const both = <Key extends string>(key: Key, order: (direction: 'asc' | 'desc') => Order) =>
  ({ [`${key}_ASC`]: order('asc'), [`${key}_DESC`]: order('desc') }) as Record<`${Key}_${'ASC' | 'DESC'}`, Order>;

/** The id decides between equals, so that pages neither repeat nor miss one. */
export const orders = {
  ...both('CREATED', (sort) => [{ createdAt: sort }, { id: sort }]),
  ...both('EXPIRES', (sort) => [{ expiresAt: { sort, nulls: 'last' } }, { id: 'desc' }]),
  ...both('LAST_USED', (sort) => [{ lastUsedAt: { sort, nulls: 'last' } }, { id: 'desc' }]),
  ...both('NAME', (sort) => [{ name: sort }, { id: 'desc' }]),
};

export const TokenOrderType = builder.enumType('PersonalAccessTokenSort', {
  values: Object.keys(orders) as (keyof typeof orders)[],
});

interface Filters {
  readonly state?: 'ACTIVE' | 'INACTIVE' | null | undefined;
  readonly revoked?: boolean | null | undefined;
  readonly search?: string | null | undefined;
  readonly createdAfter?: Date | null | undefined;
  readonly createdBefore?: Date | null | undefined;
  readonly lastUsedAfter?: Date | null | undefined;
  readonly lastUsedBefore?: Date | null | undefined;
  readonly expiresAfter?: string | null | undefined;
  readonly expiresBefore?: string | null | undefined;
}

/** The conditions of whatever was asked for. */
export function toWhere(filters: Filters): Prisma.PersonalAccessTokenWhereInput[] {
  const { state, revoked, search, createdAfter, createdBefore, lastUsedAfter, lastUsedBefore, expiresAfter, expiresBefore } = filters;
  const active = { revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: new Date(daysAhead(0)) } }] };
  const between = <Bound>(after: Bound | null | undefined, before: Bound | null | undefined) => ({
    ...(after != null && { gt: after }),
    ...(before != null && { lt: before }),
  });
  const day = (text: string | null | undefined) => (text == null ? null : new Date(text));
  return [
    ...(state == null ? [] : [state === 'ACTIVE' ? active : { NOT: active }]),
    ...(revoked == null ? [] : [{ revokedAt: revoked ? { not: null } : null }]),
    ...(search ? [{ name: { contains: search, mode: 'insensitive' as const } }] : []),
    ...(createdAfter || createdBefore ? [{ createdAt: between(createdAfter, createdBefore) }] : []),
    ...(lastUsedAfter || lastUsedBefore ? [{ lastUsedAt: between(lastUsedAfter, lastUsedBefore) }] : []),
    ...(expiresAfter || expiresBefore ? [{ expiresAt: between(day(expiresAfter), day(expiresBefore)) }] : []),
  ];
}
