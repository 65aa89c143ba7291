import { statement } from '../../../../database/index.ts';

export interface OpenIssues {
  /** The project. */
  readonly id: number;
  readonly all: number;
  /** Those that aren't confidential. */
  readonly ordinary: number;
}

/** Counts the open issues of projects, in an index that has no others. $1 ids of projects. */
export const openIssues = statement<OpenIssues>(
  'open_issues',
  `select i.project_id as id, count(*)::int as all, count(*) filter (where not i.confidential)::int as ordinary
     from issues i where i.project_id = any($1::int[]) and i.state = 'OPENED' group by i.project_id`,
);
