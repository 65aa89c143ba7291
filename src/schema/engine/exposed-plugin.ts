import SchemaBuilder, { BasePlugin, type PothosOutputFieldConfig, type SchemaTypes } from '@pothos/core';
import { defaultFieldResolver, type GraphQLFieldResolver } from 'graphql';

/**
 * Marks fields whose value follows from their parent and the context alone, so that the executor needs no path for
 * them. A field that only reads a property of the same name gets the default resolver of GraphQL.js.
 */

declare global {
  export namespace PothosSchemaTypes {
    interface Plugins<Types extends SchemaTypes> {
      exposed: ExposedPlugin<Types>;
    }
    // Pothos requires the same type parameters as in the interfaces that this extends.
    interface FieldOptions<
      Types extends SchemaTypes,
      ParentShape,
      Type extends import('@pothos/core').TypeParam<Types>,
      Nullable extends import('@pothos/core').FieldNullability<Type>,
      Args extends import('@pothos/core').InputFieldMap,
      ResolveShape,
      ResolveReturnShape,
    > {
      /** Whether `resolve` uses nothing but the parent and the context, returns at once and never throws. */
      direct?: boolean;
    }
  }
}

class ExposedPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override onOutputFieldConfig(field: PothosOutputFieldConfig<Types>): PothosOutputFieldConfig<Types> {
    const exposed = field.extensions?.pothosExposedField as string | undefined;
    const options = field.pothosOptions as unknown as {
      admission?: object;
      direct?: boolean;
      resolve?: (parent: object) => unknown;
    };
    // A field that checks the credential needs its context.
    if (options.admission) return field;
    const direct = options.direct
      ? options.resolve
      : exposed !== undefined && exposed !== field.name
        ? (parent: object) => (parent as Record<string, unknown>)[exposed]
        : undefined;
    return direct ? { ...field, extensions: { ...field.extensions, direct } } : field;
  }

  override wrapResolve(
    resolve: GraphQLFieldResolver<unknown, Types['Context'], object>,
    { name, extensions }: PothosOutputFieldConfig<Types>,
  ): GraphQLFieldResolver<unknown, Types['Context'], object> {
    return extensions?.pothosExposedField === name ? (defaultFieldResolver as typeof resolve) : resolve;
  }
}

SchemaBuilder.registerPlugin('exposed', ExposedPlugin);
