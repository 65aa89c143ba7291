import { getOperationAST, Kind, type DocumentNode } from 'graphql';
import type { Exchange } from '../http/index.ts';

/** Most names of fields that a line of the log repeats. */
const mostFields = 20;

/** Notes for the log what an operation asks for: its name and its fields at the root. Of a batch, all of them together. */
export function noteOperation(notes: Exchange['notes'], document: DocumentNode, operationName: string | null | undefined, cost: number): void {
  const operation = getOperationAST(document, operationName);
  const fields = operation?.selectionSet.selections.flatMap((one) => (one.kind === Kind.FIELD ? [one.name.value] : [])) ?? [];
  notes.operation = operation?.name?.value;
  notes.fields = [...(notes.fields ?? []), ...fields].slice(0, mostFields);
  notes.cost = (notes.cost ?? 0) + cost;
}
