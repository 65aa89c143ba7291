import type { ListQuery, Parent } from '../../../../database/list.ts';
import { readIssue, type Facts, type Viewer } from '../../../../policy/index.ts';
import { itemList, today, type ItemFilter, type ItemKind, type ItemPlace, type Shared } from './items.ts';
import { issueReading, type IssueRecord } from './reading.ts';

/** Filters of a list of issues. Omitted ones match everything. */
export interface IssueFilter extends ItemFilter {
  readonly not?: SharedOfIssues | undefined;
  readonly types?: readonly string[] | undefined;
  readonly state?: 'OPENED' | 'CLOSED' | undefined;
  readonly confidential?: boolean | undefined;
  readonly due?: keyof typeof dueDates | undefined;
  readonly closedAfter?: Date | undefined;
  readonly closedBefore?: Date | undefined;
  readonly dueAfter?: Date | undefined;
  readonly dueBefore?: Date | undefined;
  /** Those that a merge request names, or closes. */
  readonly ofMergeRequest?: { readonly id: Parent; readonly closes: boolean } | undefined;
}

/** The conditions that a filter and its negation share. */
interface SharedOfIssues extends Shared {
  readonly types?: readonly string[] | undefined;
}

const between = (from: string, to: string) => `i.due_date between (${from})::date and (${to})::date`;
const period = (unit: 'week' | 'month') =>
  between(`date_trunc('${unit}', ${today})`, `date_trunc('${unit}', ${today}) + interval '1 ${unit} - 1 day'`);

/** SQL conditions on the due date. Weeks begin on Monday. */
const dueDates = {
  NONE: 'i.due_date is null',
  ANY: 'i.due_date is not null',
  OVERDUE: `i.due_date < ${today}`,
  TODAY: `i.due_date = ${today}`,
  TOMORROW: `i.due_date = ${today} + 1`,
  WEEK: period('week'),
  MONTH: period('month'),
  NEXT_MONTH_AND_PREVIOUS_TWO_WEEKS: between(
    `${today} - 14`,
    `date_trunc('month', ${today}) + interval '2 months - 1 day'`,
  ),
} as const;

const kind: ItemKind<IssueRecord, SharedOfIssues> = {
  table: 'issues',
  reading: issueReading,
  awards: 'issue_id',
  rule: readIssue,
  facts: (viewerId) => ({
    issue: { authorId: 'i.author_id', assigneeId: 'i.assignee_id', confidential: 'i.confidential', viewerId },
  }),
  more: (query, { types }) => (types === undefined ? [] : [`i.type = any(${query.value(types)}::"IssueType"[])`]),
};

/** The issues that a viewer reads, by a filter. */
export function issueList(
  viewer: Viewer,
  place: ItemPlace,
  filter: IssueFilter,
  known?: Facts,
): ListQuery<IssueRecord> {
  const query = itemList(kind, viewer, place, filter, known);
  if (filter.state) query.where(`i.state = '${filter.state}'`);
  if (filter.confidential !== undefined) query.where(`i.confidential = ${filter.confidential}`);
  if (filter.due) query.where(dueDates[filter.due]);
  if (filter.ofMergeRequest) {
    const { id, closes } = filter.ofMergeRequest;
    const linked = `i.id in (select link.issue_id from merge_request_issues link where link.merge_request_id = ${id}${closes ? ' and link.closes' : ''})`;
    const named = `i.id in (select note.issue_id from notes note where note.referrer_merge_request_id = ${id} and note.action = 'cross_reference')`;
    query.where(closes ? linked : `(${linked} or ${named})`);
  }
  return query
    .given(filter.closedAfter, (moment) => `i.closed_at >= ${moment}::timestamptz`)
    .given(filter.closedBefore, (moment) => `i.closed_at <= ${moment}::timestamptz`)
    .given(filter.dueAfter, (moment) => `i.due_date >= (${moment}::timestamptz at time zone 'utc')::date`)
    .given(filter.dueBefore, (moment) => `i.due_date <= (${moment}::timestamptz at time zone 'utc')::date`);
}
