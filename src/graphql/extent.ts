import { GraphQLError, Kind, type DocumentNode, type FragmentDefinitionNode, type SelectionSetNode } from 'graphql';
import { limits } from './limits.ts';

/** The size of a document, counted without the schema, before validation. */
export interface Extent {
  /** Operations, fields and spreads. Selections of a fragment count each time it is spread. */
  readonly selections: number;
  /** Pairs that validation compares: fields of the same name, and fragments, at the same position in the answer. */
  readonly comparisons: number;
}

/** A position in the answer: all selections that lead there are merged (GraphQL §6.3.2). */
interface Position {
  readonly fields: Map<string, { count: number; below: Position | undefined }>;
  readonly fragments: Set<string>;
}

const newPosition = (): Position => ({ fields: new Map(), fragments: new Set() });

/**
 * Measures what validating and answering a document will cost, in one walk that stops when a limit is exceeded.
 * Validation can't do this itself: its own work grows quadratically.
 * @throws GraphQLError
 */
export function measure(document: DocumentNode): Extent {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }
  const reached = new Set<string>();
  const aliases = new Set<object>();
  let selections = 0;
  let comparisons = 0;
  let deepest = 0;

  function count(): void {
    selections++;
    if (selections > limits.selections)
      throw tooMuch(
        `Query has more than ${limits.selections} selections, those of fragments counted wherever they are spread`,
      );
  }

  function compare(pairs: number): void {
    comparisons += pairs;
    if (comparisons > limits.comparisons)
      throw tooMuch(
        `Query asks for the same fields too often: more than ${limits.comparisons} pairs of them would be compared`,
      );
  }

  /** @param open the enclosing fragments. A cycle is skipped here: a validation rule reports it */
  function walk(
    { selections: all }: SelectionSetNode,
    position: Position,
    depth: number,
    open: ReadonlySet<string>,
  ): void {
    for (const selection of all) {
      count();
      if (selection.kind === Kind.INLINE_FRAGMENT) walk(selection.selectionSet, position, depth, open);
      else if (selection.kind === Kind.FRAGMENT_SPREAD) spread(selection.name.value, position, depth, open);
      else {
        const name = (selection.alias ?? selection.name).value;
        if (name !== selection.name.value) aliases.add(selection);
        let field = position.fields.get(name);
        if (!field) position.fields.set(name, (field = { count: 0, below: undefined }));
        compare(field.count++);
        deepest = Math.max(deepest, depth);
        if (selection.selectionSet) walk(selection.selectionSet, (field.below ??= newPosition()), depth + 1, open);
      }
    }
  }

  function spread(name: string, position: Position, depth: number, open: ReadonlySet<string>): void {
    const fragment = fragments.get(name);
    if (!fragment || open.has(name) || position.fragments.has(name)) return;
    compare(position.fragments.size * pairOfFragments);
    position.fragments.add(name);
    reached.add(name);
    walk(fragment.selectionSet, position, depth, new Set(open).add(name));
  }

  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    count();
    walk(definition.selectionSet, newPosition(), 1, new Set());
  }
  // Unused fragments are refused by a validation rule, but other rules walk them first, so count them too.
  for (const [name] of fragments) {
    if (!reached.has(name)) spread(name, newPosition(), 1, new Set());
  }
  if (aliases.size > limits.aliases)
    throw tooMuch(`Query has ${aliases.size} aliases, which exceeds the max of ${limits.aliases}`);
  if (deepest > limits.depth)
    throw tooMuch(`Query has depth of ${deepest}, which exceeds max depth of ${limits.depth}`);
  return { selections, comparisons };
}

/** The cost of comparing two fragments, in comparisons of two fields. */
const pairOfFragments = 2;

/** The same error code as a validation failure. */
const tooMuch = (message: string) => new GraphQLError(message, { extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } });
