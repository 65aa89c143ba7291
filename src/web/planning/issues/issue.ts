import type { GraphQLSchema } from 'graphql';
import { compileOperation } from '../../../operation.ts';
import { picturedFields, type Pictured } from '../../places/avatars/avatar.tsx';
import { below } from '../../places/place/layout.tsx';
import type { PlaceHead } from '../../places/place/route.ts';
import { readQuery } from '../../site/forms/fields.ts';
import { neighbours, pageInfoFields, type PageInfo } from '../../site/records/paging.ts';
import type { Visit } from '../../site/visit.ts';
import { awardsField, type Award } from '../awards/award.ts';
import { fitting, notesDeclared, notesFor, threadFields, type Thread } from '../notes/thread.ts';
import type { ShownLabel } from '../labels/chip.tsx';

export interface Person extends Pictured {
  readonly username: string;
}

/** An issue as its own page shows it. */
export interface ShownIssue {
  readonly iid: string;
  readonly title: string;
  readonly description: string | null;
  readonly descriptionHtml: string | null;
  readonly state: 'opened' | 'closed';
  readonly confidential: boolean;
  readonly discussionLocked: boolean | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly closedAt: string | null;
  readonly closedBy: Pick<Person, 'name' | 'username'> | null;
  readonly dueDate: string | null;
  readonly humanTimeEstimate: string | null;
  readonly humanTotalTimeSpent: string | null;
  readonly subscribed: boolean;
  readonly taskCompletionStatus: { readonly count: number; readonly completedCount: number };
  readonly author: Person;
  readonly assignee: Person | null;
  readonly milestone: { readonly id: number; readonly title: string; readonly webPath: string } | null;
  readonly labels: { readonly nodes: readonly (ShownLabel & { readonly id: number })[] };
  readonly participants: { readonly nodes: readonly Person[]; readonly pageInfo: { readonly hasNextPage: boolean } };
  /** What the viewer has to do about it. */
  readonly pendingTodos: { readonly nodes: readonly object[] };
  readonly awardEmoji: { readonly nodes: readonly Award[] };
  readonly movedTo: { readonly webPath: string; readonly reference: string } | null;
  readonly userPermissions: {
    readonly updateIssue: boolean;
    readonly adminIssue: boolean;
    readonly destroyIssue: boolean;
    readonly createNote: boolean;
    readonly readInternalNote: boolean;
    readonly adminNote: boolean;
    readonly resolveNote: boolean;
  };
  readonly discussions: { readonly nodes: readonly Thread[]; readonly pageInfo: PageInfo };
}

/** An issue that is linked with another one. */
interface LinkedIssue {
  /** Of the link. */
  readonly id: number;
  readonly issue: {
    readonly title: string;
    readonly webPath: string;
    readonly reference: string;
    readonly state: 'opened' | 'closed';
  };
}

interface IssueData {
  readonly issue: ShownIssue | null;
  /** Absent for visitors who aren't signed in. */
  readonly related?: {
    readonly nodes: readonly LinkedIssue[];
    readonly pageInfo: { readonly hasNextPage: boolean };
  } | null;
}

/** An issue, and the addresses of its earlier and later comments. */
export interface FoundIssue {
  readonly issue: ShownIssue;
  readonly related: readonly LinkedIssue[];
  /** Whether it is linked with more than the page shows. */
  readonly moreRelated: boolean;
  readonly earlier: string | null;
  readonly later: string | null;
}

/** How many people and linked issues a page shows. */
const shownPeople = 20;
const shownLinks = 50;
/** Threads on a page. The newest come first into view; links lead to earlier ones. */
const shownThreads = 20;

const person = `${picturedFields} username`;

/** Finds an issue of a project; null if it is missing or the viewer can't see it. */
export function issueFinder(schema: GraphQLSchema): (visit: Visit, place: PlaceHead) => Promise<FoundIssue | null> {
  const find = compileOperation<IssueData>(
    schema,
    `query ($project: ID!, $iid: String!, $signedIn: Boolean!, $first: Int, $last: Int, $before: String, $after: String, ${notesDeclared}) {
      issue(project: $project, iid: $iid) {
        iid title description descriptionHtml state confidential discussionLocked createdAt updatedAt closedAt dueDate
        humanTimeEstimate humanTotalTimeSpent subscribed taskCompletionStatus { count completedCount }
        author { ${person} } assignee { ${person} } closedBy { name username }
        milestone { id: databaseId title webPath } labels(first: 100) { nodes { id: databaseId title color } }
        participants(first: ${shownPeople}) { nodes { ${person} } pageInfo { hasNextPage } }
        pendingTodos: currentUserTodos(state: pending, first: 1) { nodes { state } } ${awardsField}
        movedTo { webPath reference(full: true) }
        userPermissions { updateIssue adminIssue destroyIssue createNote readInternalNote adminNote resolveNote }
        discussions(first: $first, last: $last, before: $before, after: $after) { nodes { ${threadFields} } ${pageInfoFields} }
      }
      related: relatedIssues(project: $project, iid: $iid, first: ${shownLinks}) @include(if: $signedIn) {
        nodes { id: databaseId issue { title webPath reference(full: true) state } } pageInfo { hasNextPage }
      }
    }`,
  );
  return async ({ context, named, site, exchange }, place) => {
    const { iid } = named;
    if (!place.issuesEnabled || iid === undefined || !/^[1-9]\d{0,9}$/.test(iid)) return null;
    const { before, after } = readQuery(exchange);
    const { issue, related } = await find.execute(context, {
      project: place.fullPath,
      iid,
      signedIn: site.visitor !== null,
      ...notesFor(site),
      ...(after ? { first: shownThreads, after } : { last: shownThreads, ...(before && { before }) }),
    });
    if (!issue) return null;
    const address = (cursor: Record<string, string>) =>
      `${issuePath(place, issue)}?${new URLSearchParams(cursor).toString()}#activity`;
    const around = neighbours(issue.discussions.pageInfo, { before, after }, address);
    return {
      issue: { ...issue, discussions: { ...issue.discussions, nodes: fitting(issue.discussions.nodes, site) } },
      related: related?.nodes ?? [],
      moreRelated: related?.pageInfo.hasNextPage ?? false,
      earlier: around.before,
      later: around.after,
    };
  };
}

/** The address of an issue, or of a page of it. @param page begins with a slash: `/edit` */
export const issuePath = (place: PlaceHead, { iid }: { readonly iid: string }, page = ''): string =>
  below(place, `/issues/${iid}${page}`);
