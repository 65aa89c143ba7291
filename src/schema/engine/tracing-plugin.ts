import SchemaBuilder, {
  BasePlugin,
  contextCacheSymbol,
  type PothosOutputFieldConfig,
  type SchemaTypes,
} from '@pothos/core';
import type { GraphQLFieldResolver } from 'graphql';
import { traced, type Context } from '../../context.ts';

/** Makes every root field a span of a traced request. */

declare global {
  export namespace PothosSchemaTypes {
    interface Plugins<Types extends SchemaTypes> {
      tracing: TracingPlugin<Types>;
    }
  }
}

class TracingPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override wrapResolve(
    resolve: GraphQLFieldResolver<unknown, Types['Context'], object>,
    { kind, parentType, name }: PothosOutputFieldConfig<Types>,
  ): GraphQLFieldResolver<unknown, Types['Context'], object> {
    if (kind !== 'Query' && kind !== 'Mutation') return resolve;
    const step = `${parentType}.${name}`;
    return (parent, args, context, info) =>
      traced(context as Context, step, (within) => {
        // Share the cache of Pothos with the context of the span, which the fields below see.
        if (within !== context) Object.assign(within, { [contextCacheSymbol]: context });
        return resolve(parent, args, within, info);
      });
  }
}

SchemaBuilder.registerPlugin('tracing', TracingPlugin);
