import {
  getDirectiveValues,
  GraphQLIncludeDirective,
  GraphQLSkipDirective,
  Kind,
  valueFromASTUntyped,
  type DirectiveNode,
  type FieldNode,
  type GraphQLResolveInfo,
  type SelectionSetNode,
} from 'graphql';

type Source = Pick<GraphQLResolveInfo, 'fragments' | 'variableValues'>;

/**
 * Whether a field of the object that is being resolved is selected, so that it can be read with the object.
 * @param path its name, after those of the fields that contain it
 */
export function isSelected(info: GraphQLResolveInfo, ...path: readonly string[]): boolean {
  return info.fieldNodes.some(({ selectionSet }) => selectedAt(info, selectionSet, path).length > 0);
}

/** The same for the records of a connection's page. */
export const isSelectedOfEach = (info: GraphQLResolveInfo, name: string): boolean =>
  isSelected(info, 'nodes', name) || isSelected(info, 'edges', 'node', name);

/**
 * The arguments of a field of the object that is being resolved, by name, for each place that selects the field.
 * @param path as that of `isSelected`
 */
export const argumentsAt = (
  info: GraphQLResolveInfo,
  ...path: readonly string[]
): { readonly [name: string]: unknown }[] =>
  info.fieldNodes
    .flatMap(({ selectionSet }) => selectedAt(info, selectionSet, path))
    .map((node) =>
      Object.fromEntries(
        (node.arguments ?? []).map(({ name, value }) => [name.value, valueFromASTUntyped(value, info.variableValues)]),
      ),
    );

/** The fields at a path. An array that is filled: every list asks this about ten times, and a generator took 2 % of its CPU. */
function selectedAt(
  source: Source,
  selectionSet: SelectionSetNode | undefined,
  path: readonly string[],
  depth = 0,
  found: FieldNode[] = [],
): readonly FieldNode[] {
  for (const selection of selectionSet?.selections ?? []) {
    if (!counts(source, selection)) continue;
    if (selection.kind !== Kind.FIELD) {
      const fragment = selection.kind === Kind.INLINE_FRAGMENT ? selection : source.fragments[selection.name.value];
      selectedAt(source, fragment?.selectionSet, path, depth, found);
    } else if (selection.name.value === path[depth]) {
      if (depth + 1 === path.length) found.push(selection);
      else selectedAt(source, selection.selectionSet, path, depth + 1, found);
    }
  }
  return found;
}

/** Whether `@skip` and `@include` keep a selection (GraphQL §3.13.1, §3.13.2). */
function counts({ variableValues }: Source, node: { readonly directives?: readonly DirectiveNode[] }): boolean {
  if (!node.directives || node.directives.length === 0) return true;
  return (
    getDirectiveValues(GraphQLSkipDirective, node, variableValues)?.if !== true &&
    getDirectiveValues(GraphQLIncludeDirective, node, variableValues)?.if !== false
  );
}
