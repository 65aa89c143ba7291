import { mostADay, type CauseName, type MessageKind, type Reason, type Via } from '../causes.ts';
import type { Content } from '../content.ts';

/** Languages that messages are written in: each is an entry of `texts`. */
export type Language = 'en';

/** What a message says, with names and titles as they are shown. */
interface Said {
  readonly who: string;
  readonly project: string;
  /** The full path of the project. */
  readonly path: string;
  readonly former: string | null;
  readonly assignee: string | null;
  readonly milestone: string | null;
  readonly dueDate: string | null;
  /** A reference to the new place of an issue, or to what closed it, if the person reads that. */
  readonly target: string | null;
  readonly subjectKind: MessageKind;
  readonly internal: boolean;
  /** The number of a pipeline, with its sign. */
  readonly pipeline: string | null;
}

/** All words of messages in one language. */
interface Texts {
  /** What happened, in one sentence. */
  readonly happened: Readonly<Record<CauseName, (said: Said) => string>>;
  /** The same of a message about several comments of one review. */
  readonly reviewed: (who: string) => string;
  /** The same of a message about several things. */
  readonly several: (count: number) => string;
  /** Things that happened, too, and aren't in the message. */
  readonly more: (count: number) => string;
  readonly someone: string;
  readonly projectMoved: string;
  readonly limitReached: string;
  /** Of messages about requests for access: their subject, which names the place, and why the person gets them. */
  readonly access: {
    readonly [Cause in CauseName]?: {
      readonly subject: (place: string, kind: Content['place']['kind']) => string;
      readonly why: (host: string) => string;
    };
  };
  /** What became of a pipeline, in a subject. */
  readonly pipelines: Readonly<
    Record<'FAILED_PIPELINE' | 'FIXED_PIPELINE' | 'SUCCESS_PIPELINE', (ref: string) => string>
  >;
  readonly facts: Readonly<
    Record<
      | 'author'
      | 'assignee'
      | 'reviewer'
      | 'branches'
      | 'labels'
      | 'milestone'
      | 'dueDate'
      | 'ref'
      | 'commit'
      | 'failed'
      | 'file',
      string
    >
  >;
  /** A line of a file. */
  readonly line: (path: string, line: number, isDeleted: boolean) => string;
  /** After a text that was too long. */
  readonly shortened: string;
  readonly reasons: Readonly<Record<Reason, string>>;
  /** Without a reason, how the person came to be notified. @param host of the gateway */
  readonly vias: Readonly<Record<Via, (host: string) => string>>;
  readonly links: Readonly<Record<Said['subjectKind'] | 'requests' | 'sent' | 'unsubscribe' | 'manage', string>>;
}

function reassigned(what: string, { who, former, assignee }: Said): string {
  if (assignee === null) return `${who} removed ${former ?? 'the assignee'} as the assignee.`;
  return `${who} assigned the ${what} to ${assignee}${former === null ? '' : `; before, it was assigned to ${former}`}.`;
}

const placeOf = (kind: Said['subjectKind']) => (kind === 'Group' ? 'group' : 'project');
const askedFor = (host: string) => `You receive this message because you asked for access on ${host}.`;

const itemOf = ({ subjectKind }: Said) => (subjectKind === 'MergeRequest' ? 'merge request' : 'issue');

/** What is commented, but for issues. */
const commented: { readonly [Kind in Said['subjectKind']]?: string } = {
  Commit: 'a commit',
  MergeRequest: 'a merge request',
  Snippet: 'a snippet',
};

const english: Texts = {
  happened: {
    NEW_NOTE: ({ who, internal, subjectKind }) =>
      `${who} ${internal ? 'wrote an internal comment' : 'commented'} on ${commented[subjectKind] ?? 'an issue'}.`,
    NEW_ISSUE: ({ who }) => `${who} opened an issue.`,
    NEW_MERGE_REQUEST: ({ who }) => `${who} opened a merge request.`,
    PUSH_TO_MERGE_REQUEST: ({ who }) => `${who} pushed new commits to the merge request.`,
    REOPEN_MERGE_REQUEST: ({ who }) => `${who} reopened the merge request.`,
    CLOSE_MERGE_REQUEST: ({ who }) => `${who} closed the merge request.`,
    MERGE_MERGE_REQUEST: ({ who }) => `${who} merged the merge request.`,
    REASSIGN_MERGE_REQUEST: (said) => reassigned('merge request', said),
    REVIEWER_CHANGED: ({ who, former, assignee }) =>
      assignee === null
        ? `${who} no longer asks ${former ?? 'anybody'} for a review.`
        : `${who} asked ${assignee} for a review${former === null ? '' : `; before, ${former} was asked`}.`,
    APPROVED: ({ who }) => `${who} approved the merge request.`,
    UNAPPROVED: ({ who }) => `${who} took back the approval of the merge request.`,
    DRAFTED: ({ who }) => `${who} marked the merge request as a draft.`,
    READIED: ({ who }) => `${who} marked the merge request as ready.`,
    THREADS_RESOLVED: ({ who }) => `All threads of the merge request are resolved. ${who} resolved the last one.`,
    UNMERGEABLE: () => 'The merge request can’t be merged any more: its branches conflict.',
    NEW_EPIC: ({ who }) => `${who} opened an epic.`,
    REOPEN_ISSUE: ({ who }) => `${who} reopened the issue.`,
    CLOSE_ISSUE: ({ who, target }) =>
      `${who} closed the issue${target === null ? '' : ` via the merge request ${target}`}.`,
    REASSIGN_ISSUE: (said) => reassigned('issue', said),
    ISSUE_DUE: ({ dueDate }) => `The issue is due tomorrow${dueDate === null ? '' : `, on ${dueDate}`}.`,
    MOVED_PROJECT: ({ project, path }) => `The project ${project} was moved. Its path is now ${path}.`,
    FAILED_PIPELINE: ({ pipeline }) => `Your pipeline ${pipeline ?? ''} has failed.`,
    FIXED_PIPELINE: ({ pipeline }) => `Your pipeline ${pipeline ?? ''} has succeeded. The one before it had failed.`,
    SUCCESS_PIPELINE: ({ pipeline }) => `Your pipeline ${pipeline ?? ''} has succeeded.`,
    RELABELLED: (said) => `${said.who} added labels to the ${itemOf(said)}.`,
    MENTIONED: (said) => `${said.who} mentioned you in the ${itemOf(said)}.`,
    MILESTONE_CHANGED: ({ who, milestone }) =>
      milestone === null ? `${who} removed the milestone.` : `${who} changed the milestone to ${milestone}.`,
    DAILY_LIMIT: ({ project }) =>
      `Within a day, you got ${mostADay.toLocaleString('en')} messages about ${project}. More of them are not sent until it is fewer again.`,
    ISSUE_MOVED: ({ who, target }) => `${who} moved the issue to ${target ?? 'another project'}.`,
    ISSUE_CLONED: ({ who, target }) => `${who} copied the issue to ${target ?? 'another project'}.`,
    ACCESS_REQUESTED: ({ who, project, subjectKind }) =>
      `${who} asks for access to the ${placeOf(subjectKind)} ${project}.`,
    ACCESS_GRANTED: ({ project, subjectKind }) =>
      `Your request for access to the ${placeOf(subjectKind)} ${project} was granted.`,
    ACCESS_DENIED: ({ project, subjectKind }) =>
      `Your request for access to the ${placeOf(subjectKind)} ${project} was denied.`,
  },
  reviewed: (who) => `${who} reviewed a merge request.`,
  several: (count) => `${count} things happened.`,
  more: (count) => `${count === 1 ? 'One more thing' : `${count} more things`} happened, which the page shows.`,
  someone: 'Someone',
  projectMoved: 'Project was moved',
  limitReached: 'Too many messages within a day',
  access: {
    ACCESS_REQUESTED: {
      subject: (place, kind) => `Request to join the ${place} ${placeOf(kind)}`,
      why: (host) => `You receive this message because you decide about the request on ${host}.`,
    },
    ACCESS_GRANTED: {
      subject: (place, kind) => `Access to the ${place} ${placeOf(kind)} was granted`,
      why: askedFor,
    },
    ACCESS_DENIED: {
      subject: (place, kind) => `Access to the ${place} ${placeOf(kind)} was denied`,
      why: askedFor,
    },
  },
  pipelines: {
    FAILED_PIPELINE: (ref) => `Failed pipeline for ${ref}`,
    FIXED_PIPELINE: (ref) => `Fixed pipeline for ${ref}`,
    SUCCESS_PIPELINE: (ref) => `Successful pipeline for ${ref}`,
  },
  facts: {
    author: 'Author',
    assignee: 'Assignee',
    reviewer: 'Reviewer',
    branches: 'Branches',
    labels: 'Labels',
    milestone: 'Milestone',
    dueDate: 'Due',
    ref: 'Branch or tag',
    commit: 'Commit',
    failed: 'Failed',
    file: 'File',
  },
  line: (path, line, isDeleted) => `${path}, ${isDeleted ? 'deleted line' : 'line'} ${line}`,
  shortened: 'The rest of the text is not in this message.',
  reasons: {
    OWN_ACTIVITY: 'You receive this message because you did this yourself and asked for mail about your own activity.',
    ASSIGNED: 'You receive this message because the item is assigned to you.',
    REVIEW_REQUESTED: 'You receive this message because your review is requested.',
    MENTIONED: 'You receive this message because you are mentioned.',
    SUBSCRIBED: 'You receive this message because you subscribed to the item or to one of its labels.',
  },
  vias: {
    PARTICIPANT: (host) => `You receive this message because you take part in the item on ${host}.`,
    // Those who are mentioned or whom it is given to have a reason: these had it before.
    MENTION: (host) => `You receive this message because you were the assignee or reviewer of the item on ${host}.`,
    SUBSCRIPTION: (host) => `You receive this message because you subscribed to one of its labels on ${host}.`,
    SETTING: (host) => `You receive this message because of your account on ${host} and its notification settings.`,
  },
  links: {
    Commit: 'View the commit',
    Epic: 'View the epic',
    Group: 'View the group',
    Issue: 'View the issue',
    MergeRequest: 'View the merge request',
    Pipeline: 'View the pipeline',
    Snippet: 'View the snippet',
    Project: 'View the project',
    requests: 'Grant or deny it',
    sent: 'What was and wasn’t sent to you',
    unsubscribe: 'Unsubscribe from this',
    manage: 'Manage all notifications',
  },
};

export const texts: Readonly<Record<Language, Texts>> = { en: english };
