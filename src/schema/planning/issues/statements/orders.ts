/**
 * The orders of every list of issues, by the names that `sort` has for them. What has no value comes last; where
 * the values are equal, the newest comes first.
 */

const largest = 2_147_483_647;

/** A number that sorts after all others, in either direction. */
const last = (direction: 'asc' | 'desc') => (direction === 'asc' ? largest : -largest);

/** SQL for a date as a number of days. */
const days = (date: string) => `${date} - date '1970-01-01'`;

const milestoneDue = `(select ${days('om.due_date')} from milestones om where om.id = i.milestone_id)`;
const labelPriority = `(select min(lp.priority) from label_priorities lp where lp.project_id = i.project_id and lp.label_id = any(i.label_ids))`;

const numbered = (value: string) =>
  ({
    column: (direction: 'asc' | 'desc') => `coalesce(${value}, ${last(direction)})`,
    type: 'int',
    ties: 'desc',
  }) as const;

export const issueOrders = {
  created: { column: 'i.created_at', type: 'timestamptz', ties: 'desc' },
  updated: { column: 'i.updated_at', type: 'timestamptz', ties: 'desc' },
  title: { column: 'i.title', type: 'text', ties: 'desc' },
  popularity: { column: 'i.upvotes', type: 'int', ties: 'desc' },
  due_date: numbered(days('i.due_date')),
  relative_position: numbered('i.relative_position'),
  milestone_due: numbered(milestoneDue),
  label_priority: numbered(labelPriority),
  /** By the due date of the milestone, then by the priority of labels. */
  priority: {
    column: `(lpad(coalesce(${milestoneDue}, ${largest})::text, 10, '0') || lpad(coalesce(${labelPriority}, ${largest})::text, 10, '0'))`,
    type: 'text',
    ties: 'desc',
  },
  severity: {
    column: `(case i.severity when 'CRITICAL' then 4 when 'HIGH' then 3 when 'MEDIUM' then 2 when 'LOW' then 1 else 0 end)`,
    type: 'int',
    ties: 'desc',
  },
} as const;
