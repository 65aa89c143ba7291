import type { GraphQLSchema } from 'graphql';
import { compileOperation } from '../../../operation.ts';
import { picturedFields, type Pictured } from '../../places/avatars/avatar.tsx';
import { statusFields, type CommitPipeline } from '../../pipelines/pipelines/status.tsx';
import { rowLabelsField, type RowLabels } from '../../planning/labels/chip.tsx';
import { neighbours, pageArguments, pageInfoFields, type PageInfo } from '../../site/records/paging.ts';
import type { Visit } from '../../site/visit.ts';
import { filterArguments, listAddress, orders, type MergeRequestQuery } from './query.ts';
import type { MergeRequestState } from './states.tsx';

/** A merge request as lists show it. */
export interface ListedMergeRequest {
  readonly title: string;
  readonly reference: string;
  readonly webPath: string;
  readonly state: MergeRequestState;
  readonly draft: boolean;
  readonly conflicts: boolean;
  readonly targetBranch: string;
  readonly createdAt: string;
  readonly userNotesCount: number;
  readonly author: { readonly name: string; readonly username: string };
  readonly assignee: (Pictured & { readonly username: string }) | null;
  readonly reviewer: (Pictured & { readonly username: string }) | null;
  readonly milestone: { readonly title: string; readonly webPath: string } | null;
  readonly labels: RowLabels;
  readonly approvals: readonly object[];
  readonly headPipeline: CommitPipeline | null;
  readonly taskCompletionStatus: { readonly count: number; readonly completedCount: number };
}

const listedFields = `title webPath state draft conflicts targetBranch createdAt userNotesCount
  author { name username } assignee { ${picturedFields} username } reviewer { ${picturedFields} username }
  milestone { title webPath } ${rowLabelsField} approvals { approvedAt }
  headPipeline { path ${statusFields} } taskCompletionStatus { count completedCount }`;

/** A page of merge requests, with the counts of its tabs and the addresses of the pages before and after it. */
export interface MergeRequestPage {
  readonly mergeRequests: readonly ListedMergeRequest[];
  readonly counts: { readonly [State in 'opened' | 'merged' | 'closed' | 'all']: number };
  readonly before: string | null;
  readonly after: string | null;
}

const pageSize = 20;

/** Which merge requests: of a project, of a group, or those that concern the viewer in a way. */
export type Scope =
  | { project: string }
  | { group: string }
  | { scope: 'ASSIGNED_TO_ME' | 'CREATED_BY_ME' | 'REVIEWS_FOR_ME' };

/** Lists merge requests that the viewer may see. */
export function mergeRequestLister(
  schema: GraphQLSchema,
): (visit: Visit, of: Scope, query: MergeRequestQuery) => Promise<MergeRequestPage> {
  const filters = {
    project: 'ID',
    group: 'ID',
    scope: 'MergeRequestScope',
    state: 'MergeRequestState',
    search: 'String',
    labelName: '[String!]',
    milestoneTitle: 'String',
    milestoneWildcardId: 'MilestoneWildcardId',
    authorUsername: 'String',
    assigneeUsernames: '[String!]',
    assigneeWildcardId: 'AssigneeWildcardId',
    reviewerUsername: 'String',
    reviewerWildcardId: 'AssigneeWildcardId',
    targetBranches: '[String!]',
    draft: 'Boolean',
  };
  const declared = Object.entries(filters).map(([name, type]) => `$${name}: ${type}`);
  const passed = Object.keys(filters).map((name) => `${name}: $${name}`);
  const list = compileOperation<{
    mergeRequests: { nodes: ListedMergeRequest[]; pageInfo: PageInfo };
    counts: MergeRequestPage['counts'];
  }>(
    schema,
    `query (${declared.join(', ')}, $full: Boolean!, $sort: MergeRequestSort, $first: Int, $last: Int, $before: String, $after: String) {
      mergeRequests(${passed.join(', ')}, sort: $sort, first: $first, last: $last, before: $before, after: $after) {
        nodes { reference(full: $full) ${listedFields} } ${pageInfoFields}
      }
      counts: mergeRequestStateCounts(${passed.join(', ')}) { opened merged closed all }
    }`,
  );
  return async ({ exchange, context }, of, query) => {
    const { before, after } = query;
    const { mergeRequests, counts } = await list.execute(context, {
      ...of,
      ...filterArguments(query),
      full: !('project' in of),
      sort: orders[query.sort][0],
      ...pageArguments({ before, after }, pageSize),
    });
    const address = (cursor: Partial<MergeRequestQuery>) => listAddress(exchange.path, query, cursor);
    return {
      mergeRequests: mergeRequests.nodes,
      counts,
      ...neighbours(mergeRequests.pageInfo, { before, after }, address),
    };
  };
}
