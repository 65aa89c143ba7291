import SchemaBuilder, { BasePlugin, type PothosOutputFieldConfig, type SchemaTypes } from '@pothos/core';
import type { GraphQLFieldResolver } from 'graphql';
import type { Context, PrefetchFor } from '../../context.ts';
import { admit, type Admission } from '../../policy/index.ts';

/**
 * Requires every root field to declare who may call it, and checks this before the resolver runs. It applies at every
 * door, since every door executes resolvers.
 */

declare global {
  export namespace PothosSchemaTypes {
    interface Plugins<Types extends SchemaTypes> {
      admission: AdmissionPlugin<Types>;
    }
    // Pothos requires the same type parameters as in the interfaces that this extends.
    interface FieldOptions<
      Types extends SchemaTypes,
      ParentShape,
      Type extends TypeParam<Types>,
      Nullable extends FieldNullability<Type>,
      Args extends InputFieldMap,
      ResolveShape,
      ResolveReturnShape,
    > {
      /** Who may call the field. Required on root fields; on others, an additional requirement for the credential. */
      admission?: Admission;
      /**
       * The prefetch of a root field: the first statement of its resolver, so that it can be sent in one round trip
       * with the look-up of the credential.
       */
      prefetch?: PrefetchFor;
    }
  }
}

// The declaration above refers to this name.
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

  /** Checks a subscription when it is opened, and again for each of its events. */
  override wrapSubscribe(
    subscribe: GraphQLFieldResolver<unknown, Types['Context'], object> | undefined,
    field: PothosOutputFieldConfig<Types>,
  ): GraphQLFieldResolver<unknown, Types['Context'], object> | undefined {
    return subscribe && this.wrapResolve(subscribe, field);
  }
}

SchemaBuilder.registerPlugin('admission', AdmissionPlugin);
