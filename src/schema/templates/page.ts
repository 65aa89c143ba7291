import { resolveArrayConnection } from '@pothos/plugin-relay';
import { BadRequest } from '../../errors.ts';
import { builder, pageSize } from '../builder.ts';

interface PageArgs {
  readonly first?: number | null;
  readonly last?: number | null;
  readonly after?: string | null;
  readonly before?: string | null;
  readonly offset?: number | null;
}

export const offsetArg = builder.args((t) => ({ offset: t.int({ defaultValue: 0, description: 'How many to skip.' }) }));

export const total = {
  description: 'How many there are in all.',
  resolve: (connection: unknown) => (connection as { total: number }).total,
} as const;

export function arrayPage<Node>(args: PageArgs, all: readonly Node[]) {
  const offset = args.offset ?? 0;
  if (offset < 0) throw new BadRequest('x');
  return { ...resolveArrayConnection({ args: args as never, ...pageSize }, all.slice(offset))!, total: all.length };
}
