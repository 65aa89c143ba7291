import { objectSchema, type JsonSchema, type Record } from '../../engine/record.ts';
import { count } from '../../engine/schemas.ts';

/** A label, wherever it is shown. */
export interface LabelData {
  readonly id: number;
  readonly title: string;
  readonly description: string | null;
  readonly descriptionHtml: string;
  readonly color: string;
  readonly textColor: string;
  readonly archived: boolean;
}

/** A label in a project or a group. */
export interface PlaceLabelData extends LabelData {
  readonly subscribed: boolean;
  /** Selected with the counts. */
  readonly openIssuesCount?: number;
  readonly closedIssuesCount?: number;
  readonly openMergeRequestsCount?: number;
  /** Selected in projects. */
  readonly priority?: number | null;
  readonly isProjectLabel?: boolean;
}

/** What operations select of a label inside an issue. */
export const labelFields = 'id: databaseId title description descriptionHtml color textColor archived';

/** What they select of one in a group or a project. In a list, `$counts` decides about the counts. */
export const placeLabelFields = {
  group: `${labelFields} subscribed`,
  project: `${labelFields} subscribed priority isProjectLabel`,
} as const;
export const countFields = '... @include(if: $counts) { openIssuesCount closedIssuesCount openMergeRequestsCount }';

const counts = { open_issues_count: count, closed_issues_count: count, open_merge_requests_count: count };
const color = { type: 'string', pattern: '^#[0-9A-Fa-f]{6}$' };

const own = {
  id: { type: 'integer' },
  name: { type: 'string' },
  description: { type: ['string', 'null'] },
  description_html: { type: 'string' },
  text_color: color,
  color,
  archived: { type: 'boolean' },
} satisfies { [name: string]: JsonSchema };
const base = { ...own, ...counts, subscribed: { type: 'boolean' } };

const optional = Object.keys(counts);

const presentOwn = (label: LabelData) => ({
  id: label.id,
  name: label.title,
  description: label.description,
  description_html: label.descriptionHtml,
  text_color: label.textColor,
  color: label.color,
  archived: label.archived,
});

const present = (label: PlaceLabelData) =>
  Object.assign(presentOwn(label), {
    open_issues_count: label.openIssuesCount,
    closed_issues_count: label.closedIssuesCount,
    open_merge_requests_count: label.openMergeRequestsCount,
    subscribed: label.subscribed,
  });

/** A label inside an issue. */
export const Label: Record<LabelData> = { name: 'LabelDetails', schema: objectSchema(own), present: presentOwn };

export const GroupLabel: Record<PlaceLabelData> = { name: 'GroupLabel', schema: objectSchema(base, optional), present };

/** A label in a project, which may be one of a group above. */
export const ProjectLabel: Record<PlaceLabelData> = {
  name: 'ProjectLabel',
  schema: objectSchema(
    { ...base, priority: { type: ['integer', 'null'] }, is_project_label: { type: 'boolean' } },
    optional,
  ),
  present: (label) =>
    Object.assign(present(label), { priority: label.priority, is_project_label: label.isProjectLabel }),
};
