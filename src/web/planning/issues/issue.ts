import type { GraphQLSchema } from 'graphql';
import { compileOperation } from '../../../operation.ts';
import { picturedFields, type Pictured } from '../../places/avatars/avatar.tsx';
import { below } from '../../places/place/layout.tsx';
import type { PlaceHead } from '../../places/place/route.ts';
import type { Visit } from '../../site/visit.ts';
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
  readonly movedTo: { readonly webPath: string; readonly reference: string } | null;
  readonly userPermissions: {
    readonly updateIssue: boolean;
    readonly adminIssue: boolean;
    readonly destroyIssue: boolean;
    readonly createNote: boolean;
  };
}

/** An issue that is linked with another one. */
export interface LinkedIssue {
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
  readonly related?: { readonly nodes: readonly LinkedIssue[] } | null;
}

/** How many people and linked issues a page shows. */
const shownPeople = 20;
const shownLinks = 50;

const person = `${picturedFields} username`;

/** Finds an issue of a project; null if it is missing or the viewer can't see it. */
export function issueFinder(
  schema: GraphQLSchema,
): (visit: Visit, place: PlaceHead) => Promise<{ issue: ShownIssue; related: readonly LinkedIssue[] } | null> {
  const find = compileOperation<IssueData>(
    schema,
    `query ($project: ID!, $iid: String!, $signedIn: Boolean!) {
      issue(project: $project, iid: $iid) {
        iid title description descriptionHtml state confidential discussionLocked createdAt updatedAt closedAt dueDate
        humanTimeEstimate humanTotalTimeSpent subscribed taskCompletionStatus { count completedCount }
        author { ${person} } assignee { ${person} } closedBy { name username }
        milestone { id: databaseId title webPath } labels(first: 100) { nodes { id: databaseId title color } }
        participants(first: ${shownPeople}) { nodes { ${person} } pageInfo { hasNextPage } }
        movedTo { webPath reference(full: true) }
        userPermissions { updateIssue adminIssue destroyIssue createNote }
      }
      related: relatedIssues(project: $project, iid: $iid, first: ${shownLinks}) @include(if: $signedIn) {
        nodes { issue { title webPath reference(full: true) state } }
      }
    }`,
  );
  return async ({ context, named, site }, place) => {
    const { iid } = named;
    if (!place.issuesEnabled || iid === undefined || !/^[1-9]\d{0,9}$/.test(iid)) return null;
    const { issue, related } = await find.execute(context, {
      project: place.fullPath,
      iid,
      signedIn: site.visitor !== null,
    });
    return issue && { issue, related: related?.nodes ?? [] };
  };
}

/** The address of an issue, or of a page of it. @param page begins with a slash: `/edit` */
export const issuePath = (place: PlaceHead, { iid }: { readonly iid: string }, page = ''): string =>
  below(place, `/issues/${iid}${page}`);
