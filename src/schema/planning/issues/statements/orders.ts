import { often, type Part, type Parts } from '../../../../database/list-parts.ts';
import { largestInteger } from '../../../../values/integers.ts';

/**
 * The orders of every list of issues, by the names that `sort` has for them. What has no value comes last; where
 * the values are equal, the newest comes first.
 */

type Direction = 'asc' | 'desc';

/** A number that sorts after all others, in either direction. */
const last = (direction: Direction) => (direction === 'asc' ? largestInteger : -largestInteger);

/** SQL for a date as a number of days. */
const days = (date: string) => `${date} - date '1970-01-01'`;

const milestoneDue = `(select ${days('om.due_date')} from milestones om where om.id = i.milestone_id)`;
const labelPriority = `(select min(lp.priority) from label_priorities lp where lp.project_id = i.project_id and lp.label_id = any(i.label_ids))`;

const numbered = (value: string) =>
  ({
    column: (direction: Direction) => `coalesce(${value}, ${last(direction)})`,
    type: 'int',
    ties: 'desc',
  }) as const;

const undated = often(`${milestoneDue} is null`);
const unranked = often(`${labelPriority} is null`);

/** Whatever is in a milestone with a due date: found along the index of these dates, milestone by milestone. */
const dated = { join: 'join milestones om on om.id = i.milestone_id', where: 'om.due_date is not null' };

/** SQL for a number in an order by several: text of the same length for each. */
const padded = (number: string) => `lpad((${number})::text, 10, '0')`;
const dueText = padded(days('om.due_date'));
const priorityText = padded(`coalesce(${labelPriority}, ${largestInteger})`);

/** First by date, then what has only a label with a priority, then the rest along the primary key; or the other way round. */
const partsOfPriority: readonly Part[] = [
  {
    ...dated,
    value: `(${dueText} || ${priorityText})`,
    by: [dueText, priorityText],
    reach: (position, sign) => `${dueText} ${sign}= left(${position}, 10)`,
  },
  {
    where: `${undated} and ${labelPriority} is not null`,
    value: `('${largestInteger}' || ${priorityText})`,
  },
  { where: `${undated} and ${unranked}`, value: `'${largestInteger}${largestInteger}'::text`, by: [] },
];

const severityRank = `(case i.severity when 'CRITICAL' then 4 when 'HIGH' then 3 when 'MEDIUM' then 2 when 'LOW' then 1 else 0 end)`;

/** Few issues have a severity. */
const partsOfSeverity: readonly Part[] = [
  { where: `i.severity <> 'UNKNOWN'`, value: severityRank, by: ['i.severity'] },
  { where: often(`i.severity = 'UNKNOWN'`), value: '(0)', by: [] },
];

export const issueOrders = {
  created: { column: 'i.created_at', type: 'timestamptz', ties: 'desc' },
  updated: { column: 'i.updated_at', type: 'timestamptz', ties: 'desc' },
  title: { column: 'i.title', type: 'text', ties: 'desc' },
  popularity: {
    column: 'i.upvotes',
    type: 'int',
    ties: 'desc',
    // Downwards an index has it. Upwards most have none, and the newest of them come first.
    parts: (direction: Direction): Parts | undefined =>
      direction === 'desc'
        ? undefined
        : {
            parts: [
              { where: often('i.upvotes = 0'), value: '(0)', by: [] },
              { where: 'i.upvotes > 0', value: 'i.upvotes' },
            ],
          },
  },
  due_date: numbered(days('i.due_date')),
  relative_position: {
    ...numbered('i.relative_position'),
    parts: (direction: Direction): Parts => ({
      parts: [
        { where: 'i.relative_position is not null', value: 'i.relative_position' },
        { where: often('i.relative_position is null'), value: `(${last(direction)})`, by: [] },
      ],
    }),
  },
  milestone_due: {
    ...numbered(milestoneDue),
    parts: (direction: Direction): Parts => ({
      parts: [
        {
          ...dated,
          value: `(${days('om.due_date')})`,
          // The same once more, as a look-up: it shows PostgreSQL that it costs much to read and sort all of them.
          by: [`(${days('om.due_date')})`, milestoneDue],
        },
        { where: undated, value: `(${last(direction)})`, by: [] },
      ],
    }),
  },
  label_priority: {
    ...numbered(labelPriority),
    // Downwards, whatever has the largest priority may have a smaller one, too: all are sorted.
    parts: (direction: Direction): Parts | undefined =>
      direction === 'desc'
        ? undefined
        : {
            // Most of what has a priority has the first one, as projects count theirs from the same number.
            attempt: {
              first: `coalesce((select min(lp.priority) from label_priorities lp), ${largestInteger})`,
              value: `coalesce(${labelPriority}, ${largestInteger})`,
            },
            parts: [
              { where: `${labelPriority} is not null`, value: labelPriority },
              { where: unranked, value: `(${largestInteger})`, by: [] },
            ],
          },
  },
  /** By the due date of the milestone, then by the priority of labels. */
  priority: {
    column: `(lpad(coalesce(${milestoneDue}, ${largestInteger})::text, 10, '0') || ${priorityText})`,
    type: 'text',
    ties: 'desc',
    parts: (direction: Direction): Parts => ({
      parts: direction === 'asc' ? partsOfPriority : partsOfPriority.toReversed(),
    }),
  },
  severity: {
    column: severityRank,
    type: 'int',
    ties: 'desc',
    parts: (direction: Direction): Parts => ({
      parts: direction === 'desc' ? partsOfSeverity : partsOfSeverity.toReversed(),
    }),
  },
} as const;
