/** What can change. */
const subjects = [
  'GLOBAL',
  'GROUP',
  'PROJECT',
  'PERSONAL_ACCESS_TOKEN',
  'AUTHORIZATION',
  'ISSUE',
  'MERGE_REQUEST',
  'TODO',
  'PIPELINE',
] as const;
type Subject = (typeof subjects)[number];

/**
 * A message that something of a person changed. It doesn't carry the new value: the subscriber reads the record again,
 * with the subscriber's own permissions.
 */
export interface Change {
  /** Whose it is; null: of everyone who subscribes to it. */
  readonly personId: number | null;
  /**
   * What changed: a notification setting (by its scope), a token, an authorization of an application, an issue, a
   * merge request, the person's to-dos, or a pipeline with its jobs.
   */
  readonly subject: Subject;
  /**
   * The id of the group, project, token, application, issue, merge request or pipeline; null for the global setting, for all applications at once,
   * and for to-dos about several issues.
   */
  readonly id: number | null;
  readonly act: 'CHANGED' | 'CREATED' | 'ROTATED' | 'REVOKED' | ItemPart;
}

/** A part of an issue or of a merge request, for those who want to know only of that. */
export type ItemPart =
  | 'TITLE'
  | 'DESCRIPTION'
  | 'ASSIGNEES'
  | 'LABELS'
  | 'MILESTONE'
  | 'DATES'
  | 'REVIEWERS'
  | 'APPROVALS'
  | 'MERGE_STATUS'
  | 'DIFF';

/** Something of a pipeline changed: its status, or that of one of its jobs. */
export const changeOfPipeline = (id: number): Change => ({ personId: null, subject: 'PIPELINE', id, act: 'CHANGED' });

type Written = readonly [personId: number | null, subject: Subject, id: number | null, act: Change['act']];

/** Identifies a change; equal changes have equal keys and are sent only once. */
export const keyOf = (change: Change): string => JSON.stringify(toWritten(change));

const toWritten = ({ personId, subject, id, act }: Change): Written => [personId, subject, id, act];

/** Maximum number of changes in one message: PostgreSQL allows 8,000 bytes, and a serialized change has at most 70. */
const maxInMessage = 100;

/**
 * Serializes changes as messages for publish and subscribe.
 * @param from the sending process
 * @param waiting whether jobs wait in the queue, and jobs of pipelines for a runner
 */
export function toMessages(
  from: string,
  changes: readonly Change[],
  { jobs = false, ciJobs = false }: { readonly jobs?: boolean; readonly ciJobs?: boolean } = {},
): string[] {
  const messages: string[] = [];
  // A process of another version ignores what it doesn't know.
  if (jobs || ciJobs) messages.push(JSON.stringify({ from, changes: [], jobs, ciJobs }));
  for (let start = 0; start < changes.length; start += maxInMessage) {
    messages.push(JSON.stringify({ from, changes: changes.slice(start, start + maxInMessage).map(toWritten) }));
  }
  return messages;
}

interface Message {
  readonly from: string;
  readonly changes: readonly Change[];
  readonly jobs: boolean;
  readonly ciJobs: boolean;
}

/** Parses a message. A process of another version may send subjects that no subscription here asks for. */
export function fromMessage(message: string): Message {
  const { from, changes, jobs, ciJobs } = JSON.parse(message) as {
    from: string;
    changes: readonly Written[];
    jobs?: boolean;
    ciJobs?: boolean;
  };
  return {
    from,
    changes: changes.map(([personId, subject, id, act]) => ({ personId, subject, id, act })),
    jobs: jobs ?? false,
    ciJobs: ciJobs ?? false,
  };
}
