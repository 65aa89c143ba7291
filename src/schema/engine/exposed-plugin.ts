import SchemaBuilder, { BasePlugin, type PothosOutputFieldConfig, type SchemaTypes } from '@pothos/core';
import { defaultFieldResolver, type GraphQLFieldResolver } from 'graphql';

/** Gives fields that only read a property of their parent the default resolver of GraphQL.js, which is faster. */

declare global {
  export namespace PothosSchemaTypes {
    interface Plugins<Types extends SchemaTypes> {
      exposed: ExposedPlugin<Types>;
    }
  }
}

class ExposedPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override wrapResolve(
    resolve: GraphQLFieldResolver<unknown, Types['Context'], object>,
    { name, extensions }: PothosOutputFieldConfig<Types>,
  ): GraphQLFieldResolver<unknown, Types['Context'], object> {
    return extensions?.pothosExposedField === name ? (defaultFieldResolver as typeof resolve) : resolve;
  }
}

SchemaBuilder.registerPlugin('exposed', ExposedPlugin);
