import { statement, type Statement } from '../../../../database/index.ts';
import { userReading } from '../../../../database/access/records.ts';
import type { Listed, ListsOfMany, OfParent } from '../../../../database/list.ts';
import { rowColumns, type MemberRow, type Scope } from './row.ts';

/** For whom a list is read, and the rules for what they see. */
export interface Watcher {
  readonly id: number | null;
  /** Distinguishes the conditions, in names of statements. */
  readonly variant: string;
  readonly visible: (columns: { visibility: string; accessLevel: string }) => string;
  /** The condition for whether they manage the members of the group `n` or the project `p`. */
  readonly manages: (scope: Scope, accessLevel: string) => string;
}

/** The lists of memberships of many places or people. */
export interface Memberships {
  /** For names of statements. Lists with the same name have the same SQL. */
  readonly name: string;
  /** The column that the lists are ordered by, a number that is different for each membership of a list. */
  readonly by: 'm.id' | 'm.user_id';
  /** The values of $2 and so on; $1 are the ids of the places or people. */
  readonly values: readonly unknown[];
  /**
   * SQL for the memberships `m` of `parent.id`, in order.
   * @param bounds a condition for a part of the list
   * @param limit how many are needed at most
   */
  readonly rows: (order: 'asc' | 'desc', bounds: string, limit: string) => string;
}

const made = new Map<string, Statement<never>>();

/** The statement with a name. Its text is made once: it is long. */
function statementOf<Row>(name: string, text: () => string): Statement<Row> {
  const known = made.get(name) ?? statement<never>(name, text());
  made.set(name, known);
  return known;
}

export function listsOf({ name, by, values, rows }: Memberships): ListsOfMany<MemberRow> {
  const next = values.length + 2;
  const [after, before, limit, offset] = [`$${next}`, `$${next + 1}`, `$${next + 2}`, `$${next + 3}`];
  const bounds = `(${after}::int is null or ${by} > ${after}) and (${before}::int is null or ${by} < ${before})`;
  return {
    pages(parents, _order, slice) {
      const order = slice.inverted ? 'desc' : 'asc';
      return {
        statement: statementOf<MemberRow & Listed & OfParent>(
          `list_${name}_${order}`,
          () =>
            `select ${rowColumns}, parent.id as parent_id, ${by}::text as position
               from unnest($1::int[]) with ordinality as parent(id, place)
               cross join lateral (${rows(order, bounds, `${limit}::int + ${offset}::int`)} limit ${limit} offset ${offset}) m
               join ${userReading.from} on ${userReading.id} = m.user_id
              order by parent.place, ${by} ${order}`,
        ),
        values: [
          parents,
          ...values,
          slice.after?.value ?? null,
          slice.before?.value ?? null,
          slice.limit,
          slice.offset,
        ],
      };
    },
    counts: (parents, most) => ({
      statement: statementOf<{ total: number } & OfParent>(
        `count_${name}`,
        () =>
          `select parent.id as parent_id, c.total
             from unnest($1::int[]) as parent(id)
             cross join lateral (select count(*)::int as total from (${rows('asc', 'true', after)} limit ${after}) m) c`,
      ),
      values: [parents, ...values, most],
    }),
  };
}
