import { notificationEvents, type EventName, type EventSubject } from '../values/kinds/notification-events.ts';

/** What an occurrence is about. */
export type SubjectKind = 'Commit' | 'Epic' | 'Issue' | 'MergeRequest' | 'Pipeline' | 'Snippet' | 'Project';
/** What a message is about. */
export type MessageKind = SubjectKind | 'Group';

/** What is known of one cause of messages. */
interface CauseFacts {
  /** What the message says, for the schema and for operators. */
  readonly description: string;
  /** The event that people switch on and off at the level CUSTOM; null: it has no switch. */
  readonly event: EventName | null;
  /** Another event whose switch brings it, too. */
  readonly also?: EventName;
  /** Whether those who take part, who watch and who subscribed are notified; otherwise only people whom it concerns by name. */
  readonly everyone: boolean;
  /** People from this role up are notified. */
  readonly role?: number;
  /** The level WATCH alone doesn't bring it. */
  readonly quiet?: true;
  /** The level PARTICIPATING brings it also to those who are notified because of their role or because it is theirs. */
  readonly own?: true;
  /** Not notified if the address of the person who did it isn't confirmed: mail of strangers is how spam spreads. */
  readonly confirmed?: true;
}

/** A cause, with what it is about: that of an event is in the list of events. */
interface Cause extends CauseFacts {
  readonly about: EventSubject;
}

type ListedCause = CauseFacts &
  ({ readonly event: EventName } | { readonly event: null; readonly about: EventSubject });

/**
 * The causes of messages: the only list of them. Those of the settings' events have their names; the others have no switch of
 * their own.
 */
const list = {
  NEW_NOTE: { description: 'Someone commented.', event: 'NEW_NOTE', everyone: true },
  NEW_ISSUE: {
    description: 'An issue was opened.',
    event: 'NEW_ISSUE',
    everyone: true,
    confirmed: true,
  },
  REOPEN_ISSUE: { description: 'An issue was opened again.', event: 'REOPEN_ISSUE', everyone: true },
  CLOSE_ISSUE: { description: 'An issue was closed.', event: 'CLOSE_ISSUE', everyone: true },
  REASSIGN_ISSUE: {
    description: 'An issue was given to someone else.',
    event: 'REASSIGN_ISSUE',
    everyone: true,
  },
  ISSUE_DUE: {
    description: 'An issue is due tomorrow.',
    event: 'ISSUE_DUE',
    everyone: true,
    quiet: true,
  },
  NEW_MERGE_REQUEST: {
    description: 'A merge request was opened.',
    event: 'NEW_MERGE_REQUEST',
    everyone: true,
    confirmed: true,
  },
  PUSH_TO_MERGE_REQUEST: {
    description: 'Someone pushed to a merge request.',
    event: 'PUSH_TO_MERGE_REQUEST',
    everyone: true,
    quiet: true,
  },
  REOPEN_MERGE_REQUEST: {
    description: 'A merge request was opened again.',
    event: 'REOPEN_MERGE_REQUEST',
    everyone: true,
  },
  CLOSE_MERGE_REQUEST: {
    description: 'A merge request was closed.',
    event: 'CLOSE_MERGE_REQUEST',
    everyone: true,
  },
  REASSIGN_MERGE_REQUEST: {
    description: 'A merge request was given to someone else.',
    event: 'REASSIGN_MERGE_REQUEST',
    everyone: true,
  },
  MERGE_MERGE_REQUEST: {
    description: 'A merge request was merged.',
    event: 'MERGE_MERGE_REQUEST',
    everyone: true,
  },
  MOVED_PROJECT: {
    description: 'A project has another path.',
    event: 'MOVED_PROJECT',
    everyone: false,
    role: 40,
    own: true,
  },
  FAILED_PIPELINE: {
    description: 'A pipeline of the person failed.',
    event: 'FAILED_PIPELINE',
    everyone: false,
    own: true,
  },
  FIXED_PIPELINE: {
    description: 'A pipeline of the person succeeded, after the one before it had failed.',
    event: 'FIXED_PIPELINE',
    also: 'SUCCESS_PIPELINE',
    everyone: false,
    own: true,
  },
  SUCCESS_PIPELINE: {
    description: 'A pipeline of the person succeeded.',
    event: 'SUCCESS_PIPELINE',
    everyone: false,
    quiet: true,
  },
  NEW_EPIC: {
    description: 'An epic was opened.',
    event: 'NEW_EPIC',
    everyone: true,
    confirmed: true,
  },
  REVIEWER_CHANGED: {
    description: 'Someone else is asked to review a merge request.',
    event: null,
    everyone: true,
    about: 'MergeRequest',
  },
  APPROVED: { description: 'A merge request was approved.', event: null, everyone: true, about: 'MergeRequest' },
  UNAPPROVED: {
    description: 'An approval of a merge request was taken back.',
    event: null,
    everyone: true,
    about: 'MergeRequest',
  },
  DRAFTED: {
    description: 'A merge request was marked as a draft.',
    event: null,
    everyone: true,
    about: 'MergeRequest',
  },
  READIED: {
    description: 'A merge request was marked as ready.',
    event: null,
    everyone: true,
    about: 'MergeRequest',
  },
  THREADS_RESOLVED: {
    description: 'All threads of a merge request are resolved.',
    event: null,
    everyone: true,
    about: 'MergeRequest',
  },
  UNMERGEABLE: {
    description: 'A merge request can’t be merged: its branches conflict.',
    event: null,
    everyone: false,
    about: 'MergeRequest',
  },
  RELABELLED: { description: 'An issue or a merge request got labels.', event: null, everyone: false, about: 'Issue' },
  MENTIONED: {
    description: 'A changed title or description mentions the person.',
    event: null,
    everyone: false,
    confirmed: true,
    about: 'Issue',
  },
  MILESTONE_CHANGED: {
    description: 'An issue or a merge request has another milestone, or none.',
    event: null,
    everyone: true,
    about: 'Issue',
  },
  ISSUE_MOVED: { description: 'An issue moved to another project.', event: null, everyone: true, about: 'Issue' },
  DAILY_LIMIT: {
    description: 'The person got as many messages about a group or a project within a day as are sent at most.',
    event: null,
    everyone: false,
    about: 'Project',
  },
  ISSUE_CLONED: { description: 'An issue was copied.', event: null, everyone: true, about: 'Issue' },
  ACCESS_REQUESTED: {
    description: 'Someone asks for a role in a group or a project whose members the person manages.',
    event: null,
    everyone: false,
    confirmed: true,
    about: 'Project',
  },
  ACCESS_GRANTED: {
    description: 'The person has the role in a group or a project that they asked for.',
    event: null,
    everyone: false,
    about: 'Project',
  },
  ACCESS_DENIED: {
    description: 'The person doesn’t get the role in a group or a project that they asked for.',
    event: null,
    everyone: false,
    about: 'Project',
  },
} as const satisfies Record<string, ListedCause>;

export type CauseName = keyof typeof list;

export const causes = Object.fromEntries(
  Object.entries(list).map(([name, facts]: [string, ListedCause]) => [
    name,
    'about' in facts ? facts : { ...facts, about: notificationEvents[facts.event!].about },
  ]),
) as Readonly<Record<CauseName, Cause>>;
const causeNames = Object.keys(list) as CauseName[];

/** The cause of an event of the settings; undefined for events that don't happen here yet. */
export const causeOf = (event: EventName): CauseName | undefined =>
  causeNames.find((name) => list[name].event === event);

/** How many messages a person gets about a project, or about epics of a group, within a day. One more says that it is so. */
export const mostADay = 1_000;

/** How a person comes to be notified of something. */
export const vias = {
  PARTICIPANT: 'They take part: they wrote it, it is assigned to them, they commented or were mentioned.',
  MENTION: 'They are mentioned, or it was given to them or taken from them.',
  SUBSCRIPTION: 'They subscribed to it, or to one of its labels.',
  SETTING: 'They watch the place, switched the event on, or have the role that is notified of it.',
} as const;

export type Via = keyof typeof vias;

/** The reasons that a message gives, the most important first. Their positions are what statements sort by. */
export const reasons = ['OWN_ACTIVITY', 'ASSIGNED', 'REVIEW_REQUESTED', 'MENTIONED', 'SUBSCRIBED'] as const;

export type Reason = (typeof reasons)[number];

/** The position of a reason; the last one is that of no reason. */
export const rankOf = (reason: Reason | null): number => (reason === null ? reasons.length : reasons.indexOf(reason));

/** The reason at a position. */
export const reasonAt = (rank: number): Reason | null => reasons[rank] ?? null;
