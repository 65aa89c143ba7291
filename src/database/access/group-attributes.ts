import {
  groupAttributes,
  obeyedGroupAttributes,
  type GroupAttributes,
} from '../../values/attributes/group-attributes.ts';
import type { AttributeValue } from '../../values/attributes/attributes.ts';

/** The attributes of groups that are columns of `namespaces`, because the gateway obeys them. */

const casts = { boolean: 'boolean', integer: 'int', choice: 'text' } as const;

const columns = obeyedGroupAttributes.map((name) => ({
  name,
  column: name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  cast: casts[groupAttributes[name].type],
}));

/** What a statement reads of the attributes of a group. */
export type GroupAttributeColumns = {
  readonly [Name in (typeof obeyedGroupAttributes)[number]]: AttributeValue<GroupAttributes[Name]>;
} & {
  /** The others. */
  readonly attributes: { readonly [name: string]: unknown };
};

/** SQL: whether the group `n` and all groups above it send mail. */
export const sendsMail = `case when n.parent_id is null then n.emails_enabled
  else (select bool_and(a.emails_enabled) from namespaces a where a.id = any(n.ancestry)) end`;

/** SQL: the columns of the group `n`. */
export const groupAttributeColumns = [
  'n.attributes',
  ...columns.map(({ name, column }) => `${name === 'emailsEnabled' ? sendsMail : `n.${column}`} as "${name}"`),
].join(', ');

/** SQL: the assignments of an update, from a JSON object with the values of columns that change, by their names. */
export const assignments = (given: string): string =>
  columns
    .map(
      ({ name, column, cast }) =>
        `${column} = case when jsonb_exists(${given}, '${name}') then (${given} ->> '${name}')::${cast} else ${column} end`,
    )
    .join(', ');
