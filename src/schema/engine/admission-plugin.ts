import SchemaBuilder, { BasePlugin, type PothosOutputFieldConfig, type SchemaTypes } from '@pothos/core';
import type { GraphQLFieldResolver } from 'graphql';
import type { Context, PrefetchFor } from '../../context.ts';
import { admit, type Admission } from '../../policy/index.ts';

/**
 * Makes every root field say who may reach it, and checks it before the resolver
 * runs: at every door, since every door executes resolvers.
 */

declare global {
  export namespace PothosSchemaTypes {
    interface Plugins<Types extends SchemaTypes> {
      admission: AdmissionPlugin<Types>;
    }
    // The parameters must be those of the interfaces that this adds to.
    interface FieldOptions<
      Types extends SchemaTypes,
      ParentShape,
      Type extends TypeParam<Types>,
      Nullable extends FieldNullability<Type>,
      Args extends InputFieldMap,
      ResolveShape,
      ResolveReturnShape,
    > {
      /** Required on root fields. On others: what the credential needs besides having come this far. */
      admission?: Admission;
      /** Of a root field: the statement that its resolver begins with, so that it can be read along with the credential. */
      prefetch?: PrefetchFor;
    }
  }
}

// Named where the declaration above looks for them.
type TypeParam<Types extends SchemaTypes> = import('@pothos/core').TypeParam<Types>;
type FieldNullability<Type> = import('@pothos/core').FieldNullability<Type>;
type InputFieldMap = import('@pothos/core').InputFieldMap;

class AdmissionPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override onOutputFieldConfig(field: PothosOutputFieldConfig<Types>): PothosOutputFieldConfig<Types> {
    const { admission, prefetch } = field.pothosOptions as { admission?: Admission; prefetch?: PrefetchFor };
    if (!admission) {
      if (field.kind === 'Query' || field.kind === 'Mutation' || field.kind === 'Subscription') {
        throw new Error(`${field.parentType}.${field.name} doesn't declare who may reach it (admission).`);
      }
      return field;
    }
    return { ...field, extensions: { ...field.extensions, admission, ...(prefetch && { prefetch }) } };
  }

  override wrapResolve(
    resolve: GraphQLFieldResolver<unknown, Types['Context'], object>,
    field: PothosOutputFieldConfig<Types>,
  ): GraphQLFieldResolver<unknown, Types['Context'], object> {
    const admission = field.extensions?.admission as Admission | undefined;
    if (!admission) return resolve;
    return (parent, args, context, info) => {
      admit((context as Context).viewer, admission);
      return resolve(parent, args, context, info);
    };
  }

  /** A subscription is refused when it is opened, and again with each of its events. */
  override wrapSubscribe(
    subscribe: GraphQLFieldResolver<unknown, Types['Context'], object> | undefined,
    field: PothosOutputFieldConfig<Types>,
  ): GraphQLFieldResolver<unknown, Types['Context'], object> | undefined {
    return subscribe && this.wrapResolve(subscribe, field);
  }
}

SchemaBuilder.registerPlugin('admission', AdmissionPlugin);
