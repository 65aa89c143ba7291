import SchemaBuilder, {
  BasePlugin,
  type FieldMap,
  type InputFieldMap,
  type InputShapeFromFields,
  type PothosOutputFieldConfig,
  type SchemaTypes,
} from '@pothos/core';
import type { GraphQLFieldResolver } from 'graphql';
import type { Context, PrefetchFor } from '../../context.ts';
import {
  BadRequest,
  Conflict,
  Forbidden,
  InvalidFields,
  NotFound,
  Unprocessable,
  type DomainError,
} from '../../errors.ts';
import type { Admission } from '../../policy/index.ts';
import { builder, type Types } from './builder.ts';

/**
 * Declares a mutation in one call, in the form that GitLab's mutations have: one `input`, and a payload with the record,
 * `errors` and `clientMutationId`.
 *
 * Resolvers only throw. At `/graphql`, a wrong input or a conflict fills the payload's `errors`, and its other fields are
 * null, except `clientMutationId`. A refused permission or a missing record is an error of the GraphQL response. REST and
 * pages report both in their own dialects.
 */

/** Defines the fields of an input. */
export type InputsOf = PothosSchemaTypes.InputFieldBuilder<Types, 'InputObject'>;

/** Defines the fields of a payload. */
export type FieldsOf<Result> = PothosSchemaTypes.ObjectFieldBuilder<Types, Result>;

interface MutationDefinition<Input extends InputFieldMap, Result> {
  readonly description: string;
  readonly deprecationReason?: string;
  readonly admission: Admission;
  readonly prefetch?: PrefetchFor;
  /** The fields of the input. */
  readonly input: (t: InputsOf) => Input;
  readonly inputDescription?: string;
  /** The payload's own fields, besides `errors` and `clientMutationId`. All are null if the input is wrong. */
  readonly payload: (t: FieldsOf<Result>) => FieldMap;
  /** @throws a domain error */
  readonly resolve: (context: Context, input: InputShapeFromFields<Input>) => Result | Promise<Result>;
}

/** Declares the mutation `name`, with the types `NameInput` and `NamePayload`. */
export function mutation<Input extends InputFieldMap, Result extends object>(
  name: string,
  {
    description,
    deprecationReason,
    admission,
    prefetch,
    input,
    inputDescription,
    payload,
    resolve,
  }: MutationDefinition<Input, Result>,
): void {
  type Given = InputShapeFromFields<Input> & { readonly clientMutationId?: string | null };
  const type = `${name[0]!.toUpperCase()}${name.slice(1)}`;
  const payloadType = `${type}Payload`;
  payloads.add(payloadType);
  const Payload = builder.objectRef<Result>(payloadType).implement({
    fields: (t) => ({
      ...payload(t),
      // `PayloadPlugin` resolves these two.
      errors: t.stringList({
        description: 'What is wrong with the input; empty if the mutation was done.',
        resolve: () => [],
      }),
      clientMutationId: t.string({ nullable: true, description: 'As in the input.', resolve: () => null }),
    }),
  });
  const Input = builder.inputType(`${type}Input`, {
    ...(inputDescription && { description: inputDescription }),
    fields: (t) => ({ ...input(t), clientMutationId: t.string({ description: 'Returned in the payload.' }) }),
  });
  builder.mutationField(name, (t) =>
    t.field({
      type: Payload,
      nullable: true,
      description,
      admission,
      ...(deprecationReason && { deprecationReason }),
      ...(prefetch && { prefetch }),
      args: { input: t.arg({ type: Input, required: true }) },
      resolve: ((_root: unknown, { input: given }: { input: Given }, context: Context) =>
        resultOf(context, given, resolve)) as never,
    }),
  );
}

/** The result of a mutation, or why it was refused. @throws a domain error */
async function resultOf<Input extends { readonly clientMutationId?: string | null }>(
  context: Context,
  input: Input,
  resolve: (context: Context, input: Input) => object | Promise<object>,
): Promise<object> {
  let result: object;
  try {
    result = await resolve(context, input);
  } catch (error) {
    result = refused(context, error);
  }
  if (input.clientMutationId != null) clientIds.set(result, input.clientMutationId);
  return result;
}

/** The names of payload types. */
const payloads = new Set<string>();

/** The `clientMutationId` of each result. */
const clientIds = new WeakMap<object, string>();

/** The result of a mutation whose input is wrong. */
class Refused {
  readonly errors: readonly string[];
  constructor(errors: readonly string[]) {
    this.errors = errors;
  }
}

/** What GitLab says of everything that isn't there or may not be done. */
const notAvailable =
  "The resource that you are attempting to access does not exist or you don't have permission to perform this action";

/**
 * At `/graphql`, turns an error of the input into a result.
 * @throws everything else; a missing or forbidden record with GitLab's message
 */
function refused({ fillsErrors }: Context, error: unknown): Refused {
  if (!fillsErrors) throw error;
  if (error instanceof InvalidFields) return new Refused(sentencesOf(error));
  if (error instanceof BadRequest || error instanceof Conflict || error instanceof Unprocessable)
    return new Refused([error.message]);
  if (error instanceof NotFound || (error instanceof Forbidden && error.reason === undefined))
    (error as DomainError).message = notAvailable;
  throw error;
}

/** The problems of fields as sentences: `Path has already been taken`. Those of `base` are sentences already. */
const sentencesOf = ({ fields }: InvalidFields): string[] =>
  Object.entries(fields).flatMap(([field, messages]) => {
    if (field === 'base') return messages;
    const words = field.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
    return messages.map((message) => `${words[0]!.toUpperCase()}${words.slice(1)} ${message}`);
  });

declare global {
  export namespace PothosSchemaTypes {
    interface Plugins<Types extends SchemaTypes> {
      payloads: PayloadPlugin<Types>;
    }
  }
}

/** Makes the fields of payloads nullable, and null where the mutation was refused. */
class PayloadPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override onOutputFieldConfig(field: PothosOutputFieldConfig<Types>): PothosOutputFieldConfig<Types> {
    if (!payloads.has(field.parentType) || field.name === 'errors') return field;
    return { ...field, type: { ...field.type, nullable: true } };
  }

  override wrapResolve(
    resolve: GraphQLFieldResolver<unknown, Types['Context'], object>,
    { parentType, name }: PothosOutputFieldConfig<Types>,
  ): GraphQLFieldResolver<unknown, Types['Context'], object> {
    if (!payloads.has(parentType)) return resolve;
    if (name === 'clientMutationId') return (result) => clientIds.get(result as object) ?? null;
    if (name === 'errors') return (result) => (result instanceof Refused ? result.errors : []);
    return (result, ...rest) => (result instanceof Refused ? null : resolve(result, ...rest));
  }
}

SchemaBuilder.registerPlugin('payloads', PayloadPlugin);
