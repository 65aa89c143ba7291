import type { InterfaceRef, ObjectRef } from '@pothos/core';
import { GraphQLError } from 'graphql';
import { BadRequest } from '../../errors.ts';
import { builder, type Types } from './builder.ts';
import { largestInteger } from '../../values/integers.ts';

/**
 * Global ids, in GitLab's form: `gid://gitlab/Project/7`. Fields named `id` show them, `databaseId` shows the number;
 * every argument takes either, and a full path or a username where the record has one.
 */

const scheme = 'gid://gitlab/';

/** The kinds of records that arguments refer to, and the types accepted in a global id of each. */
const kinds = {
  User: ['User'],
  Project: ['Project'],
  Group: ['Group', 'Namespace'],
  Namespace: ['Namespace', 'Namespaces::UserNamespace', 'Group'],
  Issue: ['Issue', 'WorkItem'],
  Label: ['Label', 'ProjectLabel', 'GroupLabel'],
  Milestone: ['Milestone'],
  Epic: ['Epic'],
  MergeRequest: ['MergeRequest'],
  Snippet: ['Snippet', 'PersonalSnippet', 'ProjectSnippet'],
  Todo: ['Todo'],
} as const satisfies Record<string, readonly string[]>;
export type Kind = keyof typeof kinds;

/** The global id of a record. @param id a text for what has no number of its own */
export const globalId = (type: string, id: number | bigint | string): string => `${scheme}${type}/${id}`;

/** Whether a text consists of digits. Not a regular expression: most requests come here. */
function isNumber(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 48 || code > 57) return false;
  }
  return text.length > 0;
}

/**
 * How a client names a record: by its id or global id, or by its path or name, case-insensitive. An id that is too
 * large for the database becomes 0, which no record has.
 * @throws BadRequest for the global id of a record of another kind
 */
export function reference(given: string, kind: Kind): { by: 'id' | 'path'; value: number | string } {
  const id = textOf(given, kinds[kind]);
  if (id === undefined) throw new BadRequest(`"${given}" does not represent an instance of ${kind}`);
  if (!isNumber(id)) return { by: 'path', value: id.toLowerCase() };
  const number = Number(id);
  return { by: 'id', value: number <= largestInteger ? number : 0 };
}

/**
 * The id in an argument that names one record, as `reference` does; 0, which no record has, for a path or a name.
 * @throws BadRequest for the global id of a record of another kind
 */
export function idIn(given: string, kind: Kind): number {
  const { by, value } = reference(given, kind);
  return by === 'id' ? Number(value) : 0;
}

/** Whether `reference` accepts a text; otherwise it throws. */
export const isReference = (given: string, kind: Kind): boolean => textOf(given, kinds[kind]) !== undefined;

/**
 * The id in an argument that takes only ids: a number, or a global id of this type. Any other text gives 0, which no record
 * has.
 */
export function idOf(given: string, type: string): number {
  const text = textOf(given, [type]);
  const number = text !== undefined && isNumber(text) ? Number(text) : 0;
  return number <= largestInteger ? number : 0;
}

/** The number in a global id of an allowed type. Undefined for any other global id; other texts stay unchanged. */
function textOf(given: string, types: readonly string[]): string | undefined {
  if (!given.startsWith(scheme)) return given;
  const slash = given.lastIndexOf('/');
  const number = given.slice(slash + 1);
  return types.includes(given.slice(scheme.length, slash)) && isNumber(number) ? number : undefined;
}

/** The type and the number in a global id, for an argument that takes several types. Any other text has no type. */
export function partsOf(given: string): { readonly type: string; readonly id: number } {
  const slash = given.lastIndexOf('/');
  const type = given.startsWith(scheme) ? given.slice(scheme.length, slash) : '';
  return { type, id: type === '' ? 0 : idOf(given, type) };
}

/**
 * Adds the fields `id` and `databaseId` to a type.
 * @param type the type in global ids, or how it follows from the record
 */
export function identify<Record extends { readonly id: number }>(
  ref: ObjectRef<Types, Record> | InterfaceRef<Types, Record>,
  type: string | ((record: Record) => string),
): void {
  const fields = (t: PothosSchemaTypes.ObjectFieldBuilder<Types, Record>) => ({
    id: t.id({
      description: `The global id${typeof type === 'string' ? `, for example \`${globalId(type, 7)}\`` : ''}.`,
      direct: true,
      resolve: (record) => globalId(typeof type === 'string' ? type : type(record), record.id),
    }),
    databaseId: t.int({
      description: 'The number in the global id, which the REST API calls `id`.',
      direct: true,
      resolve: ({ id }) => id,
    }),
  });
  if (ref.kind === 'Interface') builder.interfaceFields(ref, fields as never);
  else builder.objectFields(ref, fields);
}

/** Scalars of global ids. Each takes what an argument of type `ID` takes. */
for (const kind of [
  'User',
  'Project',
  'Group',
  'Namespace',
  'Issue',
  'Label',
  'Milestone',
  'Snippet',
  'Todo',
  'MergeRequest',
] as const) {
  builder.scalarType(`${kind}ID`, {
    description: `A global id, for example \`${globalId(kind === 'Namespace' ? 'Group' : kind, 7)}\`. The number alone does too.`,
    serialize: (id) => globalId(kind, Number(id)),
    parseValue(value) {
      if (typeof value === 'number' && Number.isInteger(value)) return String(value);
      if (typeof value !== 'string') throw new GraphQLError(`${kind}ID is a global id or a number.`);
      try {
        reference(value, kind);
      } catch (error) {
        throw new GraphQLError((error as Error).message);
      }
      return value;
    },
  });
}

/** Scalars of global ids that are of several types, so that a number alone says too little. */
for (const [name, types] of [
  [
    'Awardable',
    [
      'Issue',
      'WorkItem',
      'MergeRequest',
      'Note',
      'DiscussionNote',
      'DiffNote',
      'Snippet',
      'ProjectSnippet',
      'PersonalSnippet',
    ],
  ],
  ['Todoable', ['Issue', 'WorkItem', 'MergeRequest']],
  ['Issuable', ['Issue', 'WorkItem', 'MergeRequest']],
] as const) {
  builder.scalarType(`${name}ID`, {
    description: `The global id of one of these: ${types.map((type) => `\`${type}\``).join(', ')}.`,
    serialize: String,
    parseValue(value) {
      const { type, id } = partsOf(String(value));
      if (id === 0) throw new GraphQLError(`"${String(value)}" is not a valid GitLab ID.`);
      if (!(types as readonly string[]).includes(type))
        throw new GraphQLError(`"${String(value)}" does not represent an instance of ${name}`);
      return String(value);
    },
  });
}

/** An input as an error says it: objects of literals have no text. */
export const shown = (value: unknown): string => (typeof value === 'object' ? 'An object' : `"${String(value)}"`);

/** A scalar of global ids of one type, for records that are named by ids alone. @returns the number in one */
export function idScalar(
  name:
    | 'CiRunnerID'
    | 'CiTriggerID'
    | 'CiPipelineScheduleID'
    | 'CiPipelineID'
    | 'EnvironmentID'
    | 'DeployKeyID'
    | 'TimelogID',
  type: string,
): (given: string) => number {
  builder.scalarType(name, {
    description: `A global id, for example \`${globalId(type, 7)}\`. The number alone does too.`,
    serialize: (id) => globalId(type, Number(id)),
    parseValue(value) {
      const text = typeof value === 'number' ? String(value) : value;
      if (typeof text !== 'string' || (idOf(text, type) === 0 && !/^-?\d*$/.test(text.trim())))
        throw new GraphQLError(`${shown(value)} does not represent an instance of ${type}`);
      return text;
    },
  });
  return (given) => idOf(given, type);
}
