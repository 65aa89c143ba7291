import { getOperationAST, Kind, parse } from 'graphql';
import { routes } from '../routes.ts';

/** What a route runs: its operation's kind and root fields. */
export interface RouteOperation {
  readonly method: string;
  readonly path: string;
  readonly tag: string;
  readonly kind: 'query' | 'mutation' | 'subscription';
  readonly fields: readonly string[];
}

/** The operation that each route stands for, in the order of the routes. */
export const routeOperations = (): RouteOperation[] =>
  routes.map(({ method, path, tag, operation }) => {
    const { operation: kind, selectionSet } = getOperationAST(parse(operation, { noLocation: true }))!;
    const fields = selectionSet.selections.flatMap((one) => (one.kind === Kind.FIELD ? [one.name.value] : []));
    return { method, path, tag, kind, fields };
  });
