import { Kind, type OperationDefinitionNode } from 'graphql';
import type { Exchange } from '../http/index.ts';

/** Most field names in a log line. */
const maxFields = 20;

/** What the access log shows of an operation: its name and its root fields. */
export interface OperationNotes {
  readonly name: string | undefined;
  readonly fields: readonly string[];
}

export function notesOf(operation: OperationDefinitionNode | null | undefined): OperationNotes {
  const fields =
    operation?.selectionSet.selections.flatMap((one) => (one.kind === Kind.FIELD ? [one.name.value] : [])) ?? [];
  return { name: operation?.name?.value, fields: fields.slice(0, maxFields) };
}

/** Notes an operation and its cost for the access log. The operations of a batch are added up. */
export function noteOperation(notes: Exchange['notes'], { name, fields }: OperationNotes, cost: number): void {
  notes.operation = name;
  notes.fields = notes.fields ? [...notes.fields, ...fields].slice(0, maxFields) : fields;
  notes.cost = (notes.cost ?? 0) + cost;
}
