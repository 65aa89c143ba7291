import type { GraphQLSchema } from 'graphql';
import { compileOperation } from '../../../operation.ts';
import { picturedFields, type Pictured } from '../../places/avatars/avatar.tsx';
import { neighbours, pageArguments, pageInfoFields, type PageInfo } from '../../site/records/paging.ts';
import type { Visit } from '../../site/visit.ts';
import { rowLabelsField, type RowLabels } from '../labels/chip.tsx';
import { filterArguments, issuesAddress, orders, type IssueQuery } from './query.ts';

/** An issue as lists show it. */
export interface ListedIssue {
  readonly title: string;
  readonly reference: string;
  readonly webPath: string;
  readonly state: 'opened' | 'closed';
  readonly confidential: boolean;
  readonly createdAt: string;
  readonly dueDate: string | null;
  readonly userNotesCount: number;
  readonly author: { readonly name: string; readonly username: string };
  readonly assignee: (Pictured & { readonly username: string }) | null;
  readonly milestone: { readonly title: string; readonly webPath: string } | null;
  readonly labels: RowLabels;
  readonly taskCompletionStatus: { readonly count: number; readonly completedCount: number };
}

/** What operations select for `ListedIssue`, besides its reference. */
export const listedIssueFields = `title webPath state confidential createdAt dueDate userNotesCount
  author { name username } assignee { ${picturedFields} username } milestone { title webPath }
  ${rowLabelsField} taskCompletionStatus { count completedCount }`;

/** A page of issues, with the counts of its tabs and the addresses of the pages before and after it. */
export interface IssuePage {
  readonly issues: readonly ListedIssue[];
  readonly counts: { readonly opened: number; readonly closed: number; readonly all: number };
  readonly before: string | null;
  readonly after: string | null;
}

const pageSize = 20;

/** Which issues: of a project, of a group, or assigned to the viewer or created by them. */
export type Scope = { project: string } | { group: string } | { scope: 'ASSIGNED_TO_ME' | 'CREATED_BY_ME' };

/** Lists issues that the viewer may see. */
export function issueLister(schema: GraphQLSchema): (visit: Visit, of: Scope, query: IssueQuery) => Promise<IssuePage> {
  const filters = {
    project: 'ID',
    group: 'ID',
    scope: 'IssueScope',
    state: 'IssuableState',
    search: 'String',
    labelName: '[String!]',
    milestoneTitle: '[String!]',
    milestoneWildcardId: 'MilestoneWildcardId',
    authorUsername: 'String',
    assigneeUsernames: '[String!]',
    assigneeWildcardId: 'AssigneeWildcardId',
  };
  const declared = Object.entries(filters).map(([name, type]) => `$${name}: ${type}`);
  const passed = Object.keys(filters).map((name) => `${name}: $${name}`);
  const list = compileOperation<{
    issues: { nodes: ListedIssue[]; pageInfo: PageInfo };
    counts: IssuePage['counts'];
  }>(
    schema,
    `query (${declared.join(', ')}, $full: Boolean!, $sort: IssueSort, $first: Int, $last: Int, $before: String, $after: String) {
      issues(${passed.join(', ')}, sort: $sort, first: $first, last: $last, before: $before, after: $after) {
        nodes { reference(full: $full) ${listedIssueFields} } ${pageInfoFields}
      }
      counts: issueStatusCounts(${passed.join(', ')}) { opened closed all }
    }`,
  );
  return async ({ exchange, context }, of, query) => {
    const { before, after } = query;
    const { issues, counts } = await list.execute(context, {
      ...of,
      ...filterArguments(query),
      full: !('project' in of),
      sort: orders[query.sort][0],
      ...pageArguments({ before, after }, pageSize),
    });
    const address = (cursor: Partial<IssueQuery>) => issuesAddress(exchange.path, query, cursor);
    return {
      issues: issues.nodes,
      counts,
      ...neighbours(issues.pageInfo, { before, after }, address),
    };
  };
}
