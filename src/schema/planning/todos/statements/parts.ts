/** Parts of other statements that make and settle to-dos, in the transaction of what causes them. */

/** Where a part of a statement finds its values: SQL over the CTE `from`. */
interface Settled {
  readonly issue: string;
  readonly person: string;
}

/**
 * SQL that marks the pending to-dos of a person on an issue as done, for each row of the CTE `from`. In the order of their
 * ids, so that two of these don't wait for each other.
 */
export const settledFrom = (from: string, { issue, person }: Settled) =>
  `update todos t set state = 'DONE', updated_at = now() from (
     select own.id from ${from}, todos own where own.issue_id = ${issue} and own.user_id = ${person} and own.state = 'PENDING'
      order by own.id for update of own
   ) pending where t.id = pending.id`;
