import {
  getNamedType,
  GraphQLInterfaceType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLUnionType,
  type GraphQLFieldConfig,
  type GraphQLNamedType,
  type GraphQLType,
} from 'graphql';
import type { Admission } from '../policy/index.ts';
import { schema } from './index.ts';

/**
 * The schema of `/graphql`: the root fields that a token may reach, and the types they lead to. It omits fields
 * that need a session, instead of refusing them.
 *
 * Types that lead to others are copied once; scalars, enums and inputs are shared. `filterSchema` and `pruneSchema` of
 * `@graphql-tools/utils` do the same with four copies of everything, which took 26 MB.
 */

type Composite = GraphQLObjectType | GraphQLInterfaceType | GraphQLUnionType;

const [query, mutation, subscription] = [
  schema.getQueryType()!,
  schema.getMutationType()!,
  schema.getSubscriptionType()!,
];
const roots = new Set<Composite>([query, mutation, subscription]);

const isShown = (of: Composite, field: { readonly type: GraphQLType; readonly extensions: unknown }): boolean =>
  roots.has(of)
    ? (field.extensions as { admission?: Admission }).admission?.class === 'token'
    : getNamedType(field.type).name !== 'Bytes';

const shownFields = (of: GraphQLObjectType | GraphQLInterfaceType) =>
  Object.values(of.getFields()).filter((field) => isShown(of, field));

const copies = new Map<Composite, Composite>();

/** The type of the public schema that stands for a type. */
function shown<T extends GraphQLType>(type: T): T;
function shown(type: GraphQLType): GraphQLType {
  if (type instanceof GraphQLNonNull) return new GraphQLNonNull(shown(type.ofType as GraphQLNamedType));
  if (type instanceof GraphQLList) return new GraphQLList(shown(type.ofType as GraphQLType));
  if (!isComposite(type)) return type;
  const copy = copies.get(type) ?? copyOf(type);
  copies.set(type, copy);
  return copy;
}

const isComposite = (type: GraphQLType): type is Composite =>
  type instanceof GraphQLObjectType || type instanceof GraphQLInterfaceType || type instanceof GraphQLUnionType;

function copyOf(type: Composite): Composite {
  const { name, description, extensions } = type;
  const same = { name, description, extensions };
  if (type instanceof GraphQLUnionType)
    return new GraphQLUnionType({ ...same, types: () => type.getTypes().map(shown), resolveType: type.resolveType });
  const leading = { ...same, interfaces: () => type.getInterfaces().map(shown), fields: () => fieldsOf(type) };
  return type instanceof GraphQLObjectType
    ? new GraphQLObjectType({ ...leading, isTypeOf: type.isTypeOf })
    : new GraphQLInterfaceType({ ...leading, resolveType: type.resolveType });
}

const fieldsOf = (
  type: GraphQLObjectType | GraphQLInterfaceType,
): Record<string, GraphQLFieldConfig<unknown, unknown>> =>
  Object.fromEntries(
    shownFields(type).map((field) => [
      field.name,
      { ...field, type: shown(field.type), args: Object.fromEntries(field.args.map((arg) => [arg.name, arg])) },
    ]),
  );

/** What the root types lead to. An interface also leads to the types that implement it. */
function reachable(): ReadonlySet<Composite> {
  const found = new Set(roots);
  for (const type of found) {
    const next: readonly GraphQLNamedType[] =
      type instanceof GraphQLUnionType
        ? type.getTypes()
        : [
            ...shownFields(type).map((field) => getNamedType(field.type)),
            ...type.getInterfaces(),
            ...(type instanceof GraphQLInterfaceType ? schema.getPossibleTypes(type) : []),
          ];
    for (const one of next) if (isComposite(one)) found.add(one);
  }
  return found;
}

export const publicSchema = new GraphQLSchema({
  description: schema.description,
  query: shown(query),
  mutation: shown(mutation),
  subscription: shown(subscription),
  directives: schema.getDirectives(),
  types: [...reachable()].map(shown),
  extensions: schema.extensions,
});
