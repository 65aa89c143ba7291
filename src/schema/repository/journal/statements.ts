import { statement } from '../../../database/index.ts';

/** A change of a branch or tag, as the journal has it. */
export interface JournalRow {
  readonly id: number;
  readonly ref: string;
  /** Null: it was made. */
  readonly before: string | null;
  /** Null: it was deleted. */
  readonly after: string | null;
  /** Null for a deleted person. */
  readonly actorId: number | null;
  /** What the push said about its pipeline. */
  readonly ciOptions: readonly string[] | null;
  readonly createdAt: Date;
}

/** How far readers of the journal are: columns of `repositories`. */
export type Cursor = 'followed' | 'pipelined';

const ofCursor = (cursor: Cursor) => ({
  /** The oldest changes that were not read; none from the first on that git hasn’t made yet, and
   * none of an import. $1 project. */
  find: statement<JournalRow>(
    `find_${cursor}`,
    `select c.id, c.ref, c.before, c.after, c.actor_id as "actorId", c.ci_options as "ciOptions", c.created_at as "createdAt"
       from repositories stored join ref_changes c on c.project_id = stored.project_id
      where stored.project_id = $1::int and c.id > stored.${cursor} and not c.imported
        and c.id < coalesce((select min(late.id) from ref_changes late where late.project_id = $1::int and not late.applied), 2147483647)
      order by c.id limit 100`,
  ),
  /**
   * $1 project, $2 the last change that was read. No row: a writer has the repository just now, and may wait for the one
   * that waits for it.
   */
  store: statement<{ project_id: number }>(
    `store_${cursor}`,
    `update repositories set ${cursor} = greatest(${cursor}, $2::int)
      where project_id = (
        select project_id from repositories where project_id = $1::int for no key update skip locked
      ) returning project_id`,
  ),
});

export const cursors: Readonly<Record<Cursor, ReturnType<typeof ofCursor>>> = {
  followed: ofCursor('followed'),
  pipelined: ofCursor('pipelined'),
};

/** $1 change, $2 how many commits it brought, $3 the title of the last. */
export const describeChange = statement<object>(
  'describe_ref_change',
  'update ref_changes set commits = $2::int, title = $3 where id = $1::int and commits is null',
);
