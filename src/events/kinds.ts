import type { JobName } from '../values/kinds/job-kinds.ts';

/** What is known of one kind of event. */
export interface EventKind {
  /** The type of what it happened to, as in global ids. */
  readonly subject: string;
  /** The names of further ids that it carries. No names, no texts: readers look them up, with the rights of the reader. */
  readonly ids?: readonly string[];
  /** The names of lists of further ids, for events that a statement writes (`eventsFrom`). */
  readonly lists?: readonly string[];
  /** The names of ids and lists of ids that it carries where they changed. */
  readonly changed?: readonly string[];
  /** The jobs that read it, each with the payload `{ eventId }`: the queue gets one for each event, with its commit. */
  readonly readers?: readonly JobName[];
}

/** The job that notifies people of an event. */
const notifies = ['tell_people'] as const;

/**
 * The kinds of domain events: the only list of them. Who wants to know of one adds a job to its `readers`, or selects
 * rows of the table `events`.
 */
export const eventKinds = {
  /** A branch or tag was made, moved or deleted, by a push or otherwise. */
  'ref.changed': { subject: 'RefChange' },
  /**
   * A pipeline has finished, or finished again after something in it ran once more. One of these for each time:
   * `fixed` is a success after the last pipeline of its branch or tag failed. Merging when the pipeline succeeds reads
   * `succeeded` and `fixed`.
   */
  'pipeline.succeeded': { subject: 'Pipeline', readers: ['tell_people', 'merge_waiting'] },
  'pipeline.fixed': { subject: 'Pipeline', readers: ['tell_people', 'merge_waiting'] },
  'pipeline.failed': { subject: 'Pipeline', readers: notifies },
  'pipeline.canceled': { subject: 'Pipeline' },
  'member.added': { subject: 'User' },
  'member.updated': { subject: 'User' },
  'member.removed': { subject: 'User' },
  'member.expired': { subject: 'User' },
  'project.created': { subject: 'Project' },
  'project.forked': { subject: 'Project', ids: ['sourceId'] },
  'project.renamed': { subject: 'Project', readers: notifies },
  'project.transferred': { subject: 'Project', ids: ['fromId', 'toId'], readers: notifies },
  'project.archived': { subject: 'Project' },
  'project.unarchived': { subject: 'Project' },
  'project.deleted': { subject: 'Project' },
  'group.created': { subject: 'Group' },
  /** It has another path, and so has everything below it. */
  'group.renamed': { subject: 'Group', readers: ['tell_of_moved_projects'] },
  'group.transferred': { subject: 'Group', ids: ['fromId', 'toId'], readers: ['tell_of_moved_projects'] },
  /** A person has another username, and so another path for their projects. */
  'namespace.renamed': { subject: 'Namespace', readers: ['tell_of_moved_projects'] },
  'group.deleted': { subject: 'Group' },
  'milestone.created': { subject: 'Milestone' },
  'milestone.closed': { subject: 'Milestone' },
  'milestone.reopened': { subject: 'Milestone' },
  'milestone.destroyed': { subject: 'Milestone' },
  /** `mentionedIds`: the people whom the text mentions; `authorIds`: those whose addresses the commit names. */
  'commit.commented': { subject: 'CommitComment', lists: ['mentionedIds', 'authorIds'], readers: notifies },
  /** `mentionedIds`: the people whom title and description mention. */
  'epic.created': { subject: 'Epic', lists: ['mentionedIds'], readers: notifies },
  'snippet.created': { subject: 'Snippet' },
  'snippet.updated': { subject: 'Snippet' },
  'snippet.destroyed': { subject: 'Snippet' },
  /** `mentionedIds`: the people whom title and description mention, and who read it. In an update, those who are new. */
  'issue.created': { subject: 'Issue', lists: ['mentionedIds'], readers: notifies },
  'issue.updated': {
    subject: 'Issue',
    changed: ['mentionedIds', 'addedLabelIds', 'formerAssigneeId', 'assigneeId', 'milestoneId'],
    readers: notifies,
  },
  /** `mergeRequestId`: the one that closed it by being merged. */
  'issue.closed': { subject: 'Issue', changed: ['mergeRequestId'], readers: notifies },
  'issue.reopened': { subject: 'Issue', readers: notifies },
  'issue.moved': { subject: 'Issue', ids: ['targetId'], readers: notifies },
  'issue.cloned': { subject: 'Issue', ids: ['targetId'], readers: notifies },
  'issue.deleted': { subject: 'Issue' },
  /** `mentionedIds` as for issues. */
  'merge_request.created': {
    subject: 'MergeRequest',
    lists: ['mentionedIds'],
    readers: ['tell_people', 'create_merge_request_pipeline'],
  },
  'merge_request.updated': {
    subject: 'MergeRequest',
    changed: [
      'mentionedIds',
      'addedLabelIds',
      'formerAssigneeId',
      'assigneeId',
      'formerReviewerId',
      'reviewerId',
      'milestoneId',
    ],
    readers: notifies,
  },
  /** Its source branch has a new head. `noteId`: the note of the system that names the commits. */
  'merge_request.pushed': { subject: 'MergeRequest', changed: ['noteId'], readers: notifies },
  'merge_request.closed': { subject: 'MergeRequest', readers: ['tell_people', 'stop_merge_request_environments'] },
  'merge_request.reopened': { subject: 'MergeRequest', readers: notifies },
  'merge_request.approved': { subject: 'MergeRequest', readers: notifies },
  'merge_request.unapproved': { subject: 'MergeRequest', readers: notifies },
  /** Its title says that it isn’t ready, or doesn’t any more. */
  'merge_request.drafted': { subject: 'MergeRequest', readers: notifies },
  'merge_request.readied': { subject: 'MergeRequest', readers: notifies },
  /** The last of its threads was resolved. */
  'merge_request.resolved': { subject: 'MergeRequest', readers: notifies },
  /** Its branches conflict since then. `waitedForId`: the person who has it merge by itself. */
  'merge_request.unmergeable': { subject: 'MergeRequest', changed: ['waitedForId'], readers: notifies },
  /**
   * By the API or a page, by itself, or because the target came to contain its head. `waitedForId`: the person who had it
   * merge by itself.
   */
  'merge_request.merged': {
    subject: 'MergeRequest',
    changed: ['waitedForId'],
    readers: ['tell_people', 'finish_merge', 'stop_merge_request_environments'],
  },
  'merge_request.deleted': { subject: 'MergeRequest' },
  /** Comments became public at once: `noteIds`, without internal ones, and the people whom these mention. */
  'merge_request.reviewed': { subject: 'MergeRequest', changed: ['noteIds', 'mentionedIds'], readers: notifies },
  /**
   * A comment of a person; none for notes of the system. One of `issueId`, `mergeRequestId` and `snippetId` isn't null.
   * `mentionedIds`: the people whom the text mentions, and `addressedIds` those of them with whom a line begins. All of them
   * saw the project when it was written, and read internal notes if it is one, but not the author; whether they read a
   * confidential issue, readers check. People are notified of the comments of a review by its own event. A changed text
   * gives `note.updated` with the people that it mentions and the former text didn't.
   */
  'note.created': {
    subject: 'Note',
    ids: ['issueId', 'mergeRequestId', 'snippetId'],
    lists: ['mentionedIds', 'addressedIds'],
    readers: notifies,
  },
  'note.updated': {
    subject: 'Note',
    ids: ['issueId', 'mergeRequestId', 'snippetId'],
    lists: ['mentionedIds', 'addressedIds'],
  },
} as const satisfies Readonly<Record<string, EventKind>>;

export type EventName = keyof typeof eventKinds;

/** The names of the further ids of a kind. */
export type IdsOf<Name extends EventName> = (typeof eventKinds)[Name] extends { readonly ids: readonly (infer Id)[] }
  ? Id & string
  : never;

/** The names of the ids of a kind that it carries where they changed. */
export type ChangedIdsOf<Name extends EventName> = (typeof eventKinds)[Name] extends {
  readonly changed: readonly (infer Id)[];
}
  ? Id & string
  : never;

export const eventKind = (name: EventName): EventKind => eventKinds[name];
