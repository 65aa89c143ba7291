import type { JobName } from '../values/job-kinds.ts';

/** What is known of one kind of event. */
export interface EventKind {
  /** The type of what it happened to, as in global ids. */
  readonly subject: string;
  /** The names of further ids that it carries. No names, no texts: readers look them up, with the rights of the reader. */
  readonly ids?: readonly string[];
  /** The names of lists of further ids, for events that a statement writes (`eventsFrom`). */
  readonly lists?: readonly string[];
  /** The jobs that read it, each with the payload `{ eventId }`: the queue gets one for each event, with its commit. */
  readonly readers?: readonly JobName[];
}

/**
 * The kinds of domain events: the only list of them. Who wants to know of one adds a job to its `readers`, or selects
 * rows of the table `events`.
 */
export const eventKinds = {
  'member.added': { subject: 'User' },
  'member.updated': { subject: 'User' },
  'member.removed': { subject: 'User' },
  'member.expired': { subject: 'User' },
  'project.created': { subject: 'Project' },
  'project.forked': { subject: 'Project', ids: ['sourceId'] },
  'project.renamed': { subject: 'Project' },
  'project.transferred': { subject: 'Project', ids: ['fromId', 'toId'] },
  'project.archived': { subject: 'Project' },
  'project.unarchived': { subject: 'Project' },
  'project.deleted': { subject: 'Project' },
  'group.created': { subject: 'Group' },
  'group.renamed': { subject: 'Group' },
  'group.transferred': { subject: 'Group', ids: ['fromId', 'toId'] },
  'group.deleted': { subject: 'Group' },
  'milestone.created': { subject: 'Milestone' },
  'milestone.closed': { subject: 'Milestone' },
  'milestone.reopened': { subject: 'Milestone' },
  'milestone.destroyed': { subject: 'Milestone' },
  'snippet.created': { subject: 'Snippet' },
  'snippet.updated': { subject: 'Snippet' },
  'snippet.destroyed': { subject: 'Snippet' },
  'issue.created': { subject: 'Issue' },
  'issue.updated': { subject: 'Issue' },
  'issue.closed': { subject: 'Issue' },
  'issue.reopened': { subject: 'Issue' },
  'issue.moved': { subject: 'Issue', ids: ['targetId'] },
  'issue.cloned': { subject: 'Issue', ids: ['targetId'] },
  'issue.deleted': { subject: 'Issue' },
  /**
   * A comment of a person; none for notes of the system. Either `issueId` or `snippetId` is null. `mentionedIds`: the people
   * whom the text mentions, and `addressedIds` those of them with whom a line begins. All of them saw the project when it was
   * written, and read internal notes if it is one, but not the author; whether they read a confidential issue, readers
   * check. A changed text gives `note.updated` with the people that it mentions and the former text didn't.
   */
  'note.created': { subject: 'Note', ids: ['issueId', 'snippetId'], lists: ['mentionedIds', 'addressedIds'] },
  'note.updated': { subject: 'Note', ids: ['issueId', 'snippetId'], lists: ['mentionedIds', 'addressedIds'] },
} as const satisfies Readonly<Record<string, EventKind>>;

export type EventName = keyof typeof eventKinds;

/** The names of the further ids of a kind. */
export type IdsOf<Name extends EventName> = (typeof eventKinds)[Name] extends { readonly ids: readonly (infer Id)[] }
  ? Id & string
  : never;

export const eventKind = (name: EventName): EventKind => eventKinds[name];
