import {
  getDirectiveValues,
  GraphQLIncludeDirective,
  GraphQLSkipDirective,
  Kind,
  type DirectiveNode,
  type GraphQLResolveInfo,
  type SelectionSetNode,
} from 'graphql';

type Source = Pick<GraphQLResolveInfo, 'fragments' | 'variableValues'>;

/**
 * Whether a field of the object that is being resolved is selected, so that it can be read with the object.
 * @param path its name, after those of the fields that contain it
 */
export function isSelected(info: GraphQLResolveInfo, ...path: readonly string[]): boolean {
  return info.fieldNodes.some(({ selectionSet }) => isWithin(info, selectionSet, path));
}

/** The same for the records of a connection's page. */
export const isSelectedOfEach = (info: GraphQLResolveInfo, name: string): boolean =>
  isSelected(info, 'nodes', name) || isSelected(info, 'edges', 'node', name);

function isWithin(source: Source, selectionSet: SelectionSetNode | undefined, path: readonly string[]): boolean {
  const [name, ...below] = path;
  if (name === undefined) return true;
  return (selectionSet?.selections ?? []).some((selection) => {
    if (!counts(source, selection)) return false;
    if (selection.kind === Kind.FIELD)
      return selection.name.value === name && isWithin(source, selection.selectionSet, below);
    const fragment = selection.kind === Kind.INLINE_FRAGMENT ? selection : source.fragments[selection.name.value];
    return isWithin(source, fragment?.selectionSet, path);
  });
}

/** Whether `@skip` and `@include` keep a selection (GraphQL §3.13.1, §3.13.2). */
function counts({ variableValues }: Source, node: { readonly directives?: readonly DirectiveNode[] }): boolean {
  if (!node.directives || node.directives.length === 0) return true;
  return (
    getDirectiveValues(GraphQLSkipDirective, node, variableValues)?.if !== true &&
    getDirectiveValues(GraphQLIncludeDirective, node, variableValues)?.if !== false
  );
}
