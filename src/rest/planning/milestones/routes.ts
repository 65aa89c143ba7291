import { listRoute } from '../../engine/list-route.ts';
import type { Parameter, Values } from '../../engine/parameters.ts';
import { NoContent, recordOf } from '../../engine/record.ts';
import { route, type AnyRoute } from '../../engine/route.ts';
import { IssueBasic, issueBasicFields, type IssueBasicData } from '../issues/record.ts';
import { listedMergeRequests } from '../../reviews/merge-requests/list.ts';
import { Milestone, milestoneFields, Promoted, type MilestoneData } from './record.ts';
import { largestInteger } from '../../../values/integers.ts';

const tag = 'Milestones';
/** Version 4's text of 404 for a missing milestone. */
const missing = { Milestone: '404 Not found' };

const own: readonly Parameter[] = [
  { name: 'description', type: 'string', description: 'What it is about.' },
  { name: 'start_date', type: 'date', description: 'First day, as `2026-06-28`; empty: none.' },
  { name: 'due_date', type: 'date', description: 'Last day, after the first one; empty: none.' },
];
const stateEvent: Parameter = {
  name: 'state_event',
  type: 'string',
  allowed: ['close', 'activate'],
  description: 'Closes it, or opens it again.',
};

/** The sent values of a milestone; undefined if omitted. */
const valuesOf = (values: Values) => ({
  description: values.description,
  startDate: values.start_date,
  dueDate: values.due_date,
});

const includeParents = (name: string, more: object = {}): Parameter => ({
  name,
  type: 'boolean',
  description: 'Whether to include the milestones of groups above.',
  ...more,
});

/** The id in the path; 0, which no milestone has, for any other text. */
const idIn = ({ milestone_id: id }: Values) => (/^\d+$/.test(String(id)) ? id : '0');

/** The routes of milestones, which projects and groups have alike. */
function ofPlace(scope: 'project' | 'group'): AnyRoute[] {
  const path = `/api/v4/${scope}s/:id/milestones`;
  const single = `${path}/:milestone_id`;
  const which = (values: Values) => ({ id: idIn(values), [`${scope}Path`]: values.id });

  return [
    listRoute<MilestoneData>({
      path,
      summary: `List the milestones of a ${scope}`,
      tag,
      of: 'Milestone',
      parameters: [
        { name: 'iids', type: 'integers', description: `Only those with these numbers in the ${scope}.` },
        {
          name: 'state',
          type: 'string',
          allowed: ['active', 'closed', 'all'],
          default: 'all',
          description: 'Only those in this state.',
        },
        { name: 'title', type: 'string', description: 'Only those with this title.' },
        { name: 'search', type: 'string', description: 'Words in the title or the description.' },
        includeParents('include_parent_milestones', { description: 'Former name of `include_ancestors`.' }),
        includeParents('include_ancestors'),
        { rule: 'at most one', of: ['include_parent_milestones', 'include_ancestors'] },
        ...(scope === 'group'
          ? [includeParents('include_descendants', { description: 'Whether to include those of everything below.' })]
          : []),
        { name: 'updated_after', type: 'date-time', description: 'Only those changed after this time.' },
        { name: 'updated_before', type: 'date-time', description: 'Only those changed before this time.' },
      ],
      field: 'milestones',
      args: {
        [scope]: 'ID',
        iids: '[Int!]',
        state: 'MilestoneStateEnum',
        title: 'String',
        search: 'String',
        includeAncestors: 'Boolean',
        includeDescendants: 'Boolean',
        updatedAfter: 'Time',
        updatedBefore: 'Time',
      },
      selection: milestoneFields,
      variables: (values) => ({
        [scope]: values.id,
        iids: (values.iids as readonly number[] | null | undefined)?.map(toNumber),
        state: values.state === 'all' ? undefined : values.state,
        title: values.title,
        search: values.search,
        includeAncestors: values.include_ancestors ?? values.include_parent_milestones,
        includeDescendants: values.include_descendants,
        updatedAfter: values.updated_after,
        updatedBefore: values.updated_before,
      }),
      record: Milestone,
    }),
    route<{ milestone: MilestoneData }>({
      method: 'GET',
      path: single,
      summary: `Get a milestone of a ${scope}`,
      tag,
      parameters: [],
      operation: `query ($id: MilestoneID!, $place: ID!) { milestone(id: $id, ${scope}: $place) { ${milestoneFields} } }`,
      variables: (values) => ({ id: idIn(values), place: values.id }),
      record: recordOf(Milestone, ({ milestone }) => milestone),
      missing,
      dialect: 'version 4',
    }),
    listRoute<IssueBasicData>({
      path: `${single}/issues`,
      summary: `List the issues of a milestone of a ${scope}`,
      tag,
      of: 'Issue',
      parameters: [],
      within: { field: 'milestone', args: { id: 'MilestoneID!', [scope]: 'ID' } },
      field: 'issues',
      selection: issueBasicFields,
      variables: (values) => ({ id: idIn(values), [scope]: values.id }),
      missing,
      record: IssueBasic,
    }),
    listRoute({
      ...listedMergeRequests,
      parameters: [],
      path: `${single}/merge_requests`,
      summary: `List the merge requests of a milestone of a ${scope}`,
      tag,
      within: { field: 'milestone', args: { id: 'MilestoneID!', [scope]: 'ID' } },
      field: 'mergeRequests',
      variables: (values) => ({ id: idIn(values), [scope]: values.id, details: false, html: false }),
      missing,
    }),
    route<{ milestoneCreate: { milestone: MilestoneData } }>({
      method: 'POST',
      path,
      summary: `Create a milestone in a ${scope}`,
      tag,
      parameters: [{ name: 'title', type: 'string', required: true, description: 'Title.' }, ...own],
      example: { title: 'Spring', due_date: '2026-04-30' },
      operation: `mutation ($input: MilestoneCreateInput!) {
        milestoneCreate(input: $input) { milestone { ${milestoneFields} } }
      }`,
      variables: (values) => ({
        input: { [`${scope}Path`]: values.id, title: values.title ?? '', ...valuesOf(values) },
      }),
      status: 201,
      record: recordOf(Milestone, ({ milestoneCreate }) => milestoneCreate.milestone),
      refusals: [404],
      dialect: 'creating a milestone',
    }),
    route<{ milestoneUpdate: { milestone: MilestoneData } }>({
      method: 'PUT',
      path: single,
      summary: `Change a milestone of a ${scope}`,
      tag,
      parameters: [
        { name: 'title', type: 'string', description: 'Title.' },
        ...own,
        stateEvent,
        { rule: 'at least one', of: ['title', 'description', 'start_date', 'due_date', 'state_event'] },
      ],
      example: { state_event: 'close' },
      operation: `mutation ($input: MilestoneUpdateInput!) {
        milestoneUpdate(input: $input) { milestone { ${milestoneFields} } }
      }`,
      variables: (values) => ({
        input: {
          ...which(values),
          title: values.title,
          ...valuesOf(values),
          stateEvent: typeof values.state_event === 'string' ? values.state_event.toUpperCase() : undefined,
        },
      }),
      missing,
      record: recordOf(Milestone, ({ milestoneUpdate }) => milestoneUpdate.milestone),
      refusals: [404],
      dialect: 'updating a milestone',
    }),
    route<unknown>({
      method: 'DELETE',
      path: single,
      summary: `Remove a milestone of a ${scope}; its issues lose it`,
      tag,
      parameters: [],
      operation: `mutation ($input: MilestoneDeleteInput!) { milestoneDelete(input: $input) { milestone { databaseId } } }`,
      variables: (values) => ({ input: which(values) }),
      status: 204,
      missing,
      record: NoContent,
      dialect: 'version 4',
    }),
  ];
}

/** A number as GraphQL has them; 0, which no milestone has, for a larger one. */
const toNumber = (iid: number) => (Math.abs(iid) <= largestInteger ? iid : 0);

export const milestoneRoutes: readonly AnyRoute[] = [
  ...ofPlace('project'),
  route<unknown>({
    method: 'POST',
    path: '/api/v4/projects/:id/milestones/:milestone_id/promote',
    summary: 'Make a milestone of a project one of its group',
    tag,
    parameters: [],
    operation: `mutation ($input: MilestonePromoteInput!) {
      milestonePromote(input: $input) { milestone { databaseId } }
    }`,
    variables: (values) => ({ input: { id: idIn(values), projectPath: values.id } }),
    missing,
    record: Promoted,
    refusals: [404],
    dialect: 'reasons alone',
  }),
  ...ofPlace('group'),
];
