import type { GraphQLSchema } from 'graphql';
import { compileOperation } from '../../../operation.ts';
import { picturedFields, type Pictured } from '../../places/avatars/avatar.tsx';
import { below } from '../../places/place/layout.tsx';
import type { PlaceHead } from '../../places/place/route.ts';
import type { Visit } from '../../site/visit.ts';
import { awardsField, type Award } from '../awards/award.ts';
import {
  threadsAsked,
  threadsDeclared,
  threadsOnPage,
  threadsShown,
  type AroundThreads,
  type Threads,
} from '../notes/page.ts';
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
  readonly discussions: Threads;
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
export interface FoundIssue extends AroundThreads {
  readonly issue: ShownIssue;
  readonly related: readonly LinkedIssue[];
  /** Whether it is linked with more than the page shows. */
  readonly moreRelated: boolean;
}

/** How many people and linked issues a page shows. */
const shownPeople = 20;
const shownLinks = 50;

const person = `${picturedFields} username`;

/** Finds an issue of a project; null if it is missing or the viewer can't see it. */
export function issueFinder(schema: GraphQLSchema): (visit: Visit, place: PlaceHead) => Promise<FoundIssue | null> {
  const find = compileOperation<IssueData>(
    schema,
    `query ($project: ID!, $iid: String!, $signedIn: Boolean!, ${threadsDeclared}) {
      issue(project: $project, iid: $iid) {
        iid title description descriptionHtml state confidential discussionLocked createdAt updatedAt closedAt dueDate
        humanTimeEstimate humanTotalTimeSpent subscribed taskCompletionStatus { count completedCount }
        author { ${person} } assignee { ${person} } closedBy { name username }
        milestone { id: databaseId title webPath } labels(first: 100) { nodes { id: databaseId title color } }
        participants(first: ${shownPeople}) { nodes { ${person} } pageInfo { hasNextPage } }
        pendingTodos: currentUserTodos(state: pending, first: 1) { nodes { state } } ${awardsField}
        movedTo { webPath reference(full: true) }
        userPermissions { updateIssue adminIssue destroyIssue createNote readInternalNote adminNote resolveNote }
        ${threadsOnPage()}
      }
      related: relatedIssues(project: $project, iid: $iid, first: ${shownLinks}) @include(if: $signedIn) {
        nodes { id: databaseId issue { title webPath reference(full: true) state } } pageInfo { hasNextPage }
      }
    }`,
  );
  return async (visit, place) => {
    const { context, named, site } = visit;
    const { iid } = named;
    if (!place.issuesEnabled || iid === undefined || !/^[1-9]\d{0,9}$/.test(iid)) return null;
    const { issue, related } = await find.execute(context, {
      project: place.fullPath,
      iid,
      signedIn: site.visitor !== null,
      ...threadsAsked(visit),
    });
    if (!issue) return null;
    const { one, ...around } = threadsShown(visit, issuePath(place, issue), issue);
    return {
      issue: one,
      related: related?.nodes ?? [],
      moreRelated: related?.pageInfo.hasNextPage ?? false,
      ...around,
    };
  };
}

/** The address of an issue, or of a page of it. @param page begins with a slash: `/edit` */
export const issuePath = (place: PlaceHead, { iid }: { readonly iid: string }, page = ''): string =>
  below(place, `/issues/${iid}${page}`);
