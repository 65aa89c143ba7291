import { Kind, type OperationDefinitionNode } from 'graphql';
import type { Exchange } from '../http/index.ts';

/** Most names of fields that a line of the log repeats. */
const maxFields = 20;

/** What the log says of an operation: its name, and its fields at the root. */
export interface OperationNotes {
  readonly name: string | undefined;
  readonly fields: readonly string[];
}

export function notesOf(operation: OperationDefinitionNode | null | undefined): OperationNotes {
  const fields =
    operation?.selectionSet.selections.flatMap((one) => (one.kind === Kind.FIELD ? [one.name.value] : [])) ?? [];
  return { name: operation?.name?.value, fields: fields.slice(0, maxFields) };
}

/** Notes for the log what an operation asks for, and what it costs. Of a batch, all of them together. */
export function noteOperation(notes: Exchange['notes'], { name, fields }: OperationNotes, cost: number): void {
  notes.operation = name;
  notes.fields = notes.fields ? [...notes.fields, ...fields].slice(0, maxFields) : fields;
  notes.cost = (notes.cost ?? 0) + cost;
}
