import type { GraphQLSchema } from 'graphql';
import { compileOperation } from '../../../operation.ts';
import { statusFields, type CommitPipeline } from '../../pipelines/pipelines/status.tsx';
import { picturedFields } from '../../places/avatars/avatar.tsx';
import type { PlaceHead } from '../../places/place/route.ts';
import { awardsField, type Award } from '../../planning/awards/award.ts';
import type { Person } from '../../planning/issues/issue.ts';
import type { ShownLabel } from '../../planning/labels/chip.tsx';
import type { NoteRights } from '../../planning/notes/host.ts';
import {
  threadsAsked,
  threadsDeclared,
  threadsOnPage,
  threadsShown,
  type AroundThreads,
  type Threads,
} from '../../planning/notes/page.ts';
import { placedFields, threadFieldsWith } from '../../planning/notes/thread.ts';
import { isRecordNumber } from '../../site/paths.ts';
import type { Visit } from '../../site/visit.ts';
import { reviewFields, type WithReview } from '../draft-notes/draft.ts';
import { mergeRequestPath } from './addresses.ts';
import type { MergeRequestState } from './states.tsx';

/** What every page of a merge request shows of it. */
export interface MergeRequestHead {
  readonly iid: string;
  readonly title: string;
  readonly state: MergeRequestState;
  readonly draft: boolean;
  readonly discussionLocked: boolean | null;
  readonly sourceBranch: string;
  readonly targetBranch: string;
  readonly sourceProjectId: number | null;
  readonly targetProjectId: number;
  /** Null if it is gone, or the viewer doesn't see it. */
  readonly sourceProject: { readonly fullPath: string } | null;
  readonly createdAt: string;
  readonly mergedAt: string | null;
  readonly closedAt: string | null;
  readonly author: Person;
  readonly mergeUser: Pick<Person, 'name' | 'username'> | null;
  readonly closedBy: Pick<Person, 'name' | 'username'> | null;
  readonly commitCount: number;
  readonly changesCount: string | null;
  /** Null for those who don't see pipelines. */
  readonly pipelines: { readonly count: number } | null;
}

const person = `${picturedFields} username`;

/** What operations select for `MergeRequestHead`. */
export const headFields = `iid title state draft discussionLocked sourceBranch targetBranch sourceProjectId targetProjectId
  sourceProject { fullPath } createdAt mergedAt closedAt author { ${person} } mergeUser { name username } closedBy { name username }
  commitCount changesCount pipelines(first: 1) { count }`;

/** A job of the pipeline of its head. */
interface ShownJob {
  readonly name: string | null;
  /** Whether another program runs it and reports its status. */
  readonly external: boolean;
  readonly targetUrl: string | null;
  readonly detailedStatus: CommitPipeline['detailedStatus'] | null;
}

/** A merge request as its own page shows it. */
export interface ShownMergeRequest extends MergeRequestHead, WithReview {
  readonly description: string | null;
  readonly descriptionHtml: string | null;
  readonly assignee: Person | null;
  readonly reviewer: Person | null;
  readonly milestone: { readonly id: number; readonly title: string; readonly webPath: string } | null;
  readonly labels: { readonly nodes: readonly (ShownLabel & { readonly id: number })[] };
  readonly detailedMergeStatus: string;
  readonly diffHeadSha: string | null;
  readonly mergeError: string | null;
  readonly rebaseInProgress: boolean;
  readonly divergedCommitsCount: number;
  readonly squash: boolean;
  readonly squashOnMerge: boolean;
  readonly forceRemoveSourceBranch: boolean | null;
  readonly shouldRemoveSourceBranch: boolean | null;
  readonly autoMergeEnabled: boolean;
  readonly mergeAfter: string | null;
  readonly mergeCommitSha: string | null;
  readonly squashCommitSha: string | null;
  readonly approvals: readonly { readonly user: Person; readonly approvedAt: string }[];
  readonly userHasApproved: boolean;
  readonly userCanApprove: boolean;
  readonly closesIssues: {
    readonly nodes: readonly { readonly title: string; readonly webPath: string; readonly reference: string }[];
  };
  readonly headPipeline:
    | (CommitPipeline & {
        readonly active: boolean;
        readonly jobs: { readonly nodes: readonly ShownJob[] } | null;
      })
    | null;
  readonly humanTimeEstimate: string | null;
  readonly humanTotalTimeSpent: string | null;
  readonly subscribed: boolean;
  /** The viewer's own. */
  readonly pendingTodos: { readonly nodes: readonly object[] };
  readonly participants: { readonly nodes: readonly Person[]; readonly pageInfo: { readonly hasNextPage: boolean } };
  readonly awardEmoji: { readonly nodes: readonly Award[] };
  readonly targetProject: { readonly squashOption: string | null; readonly mergeMethod: string | null } | null;
  readonly userPermissions: NoteRights & {
    readonly updateMergeRequest: boolean;
    readonly destroyMergeRequest: boolean;
    readonly canApprove: boolean;
    readonly canMerge: boolean;
  };
  readonly discussions: Threads;
}

/** A merge request, and the addresses of its earlier and later comments. */
export interface FoundMergeRequest extends AroundThreads {
  readonly mergeRequest: ShownMergeRequest;
}

/** How many people a page shows. */
const shownPeople = 20;

/** Finds a merge request of a project; null if it is missing or the viewer can't see it. */
export function mergeRequestFinder(
  schema: GraphQLSchema,
): (visit: Visit, place: PlaceHead) => Promise<FoundMergeRequest | null> {
  const find = compileOperation<{ mergeRequest: ShownMergeRequest | null }>(
    schema,
    `query ($project: ID!, $iid: String!, $signedIn: Boolean!, ${threadsDeclared}) {
      mergeRequest(project: $project, iid: $iid, current: true) {
        ${headFields} description descriptionHtml assignee { ${person} } reviewer { ${person} }
        milestone { id: databaseId title webPath } labels(first: 100) { nodes { id: databaseId title color } }
        detailedMergeStatus diffHeadSha mergeError rebaseInProgress divergedCommitsCount squash squashOnMerge
        forceRemoveSourceBranch shouldRemoveSourceBranch autoMergeEnabled mergeAfter mergeCommitSha squashCommitSha
        approvals { user { ${person} } approvedAt } userHasApproved userCanApprove
        closesIssues(first: 50) { nodes { title webPath reference } }
        headPipeline { path active ${statusFields} jobs(first: 100) { nodes { name external targetUrl ${statusFields} } } }
        humanTimeEstimate humanTotalTimeSpent subscribed pendingTodos: currentUserTodos(state: pending, first: 1) { nodes { state } }
        participants(first: ${shownPeople}) { nodes { ${person} } pageInfo { hasNextPage } }
        ${awardsField} targetProject { squashOption mergeMethod }
        userPermissions { updateMergeRequest destroyMergeRequest canApprove canMerge createNote readInternalNote adminNote resolveNote }
        ${threadsOnPage(threadFieldsWith(placedFields))}
        ${reviewFields}
      }
    }`,
  );
  return async (visit, place) => {
    const { context, named, site } = visit;
    const { iid } = named;
    if (!place.mergeRequestsEnabled || !isRecordNumber(iid)) return null;
    const { mergeRequest } = await find.execute(context, {
      project: place.fullPath,
      iid,
      signedIn: site.visitor !== null,
      ...threadsAsked(visit),
    });
    if (!mergeRequest) return null;
    const { one, ...around } = threadsShown(visit, mergeRequestPath(place, mergeRequest), mergeRequest);
    return { mergeRequest: one, ...around };
  };
}
