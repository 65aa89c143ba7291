/** What can change for a person. */
const subjects = ['GLOBAL', 'GROUP', 'PROJECT', 'PERSONAL_ACCESS_TOKEN', 'AUTHORIZATION'] as const;
type Subject = (typeof subjects)[number];

/**
 * A message that something of a person changed. It doesn't carry the new value: the subscriber reads the record again,
 * with the subscriber's own permissions.
 */
export interface Change {
  readonly personId: number;
  /** What changed: a notification setting (by its scope), a token, or an authorization of an application. */
  readonly subject: Subject;
  /**
   * The id of the group, project, token or application; null for the global setting, and for all applications at once.
   */
  readonly id: number | null;
  readonly act: 'CHANGED' | 'CREATED' | 'ROTATED' | 'REVOKED';
}

type Written = readonly [personId: number, subject: Subject, id: number | null, act: Change['act']];

/** Identifies a change; equal changes have equal keys and are sent only once. */
export const keyOf = (change: Change): string => JSON.stringify(toWritten(change));

const toWritten = ({ personId, subject, id, act }: Change): Written => [personId, subject, id, act];

/** Maximum number of changes in one message: PostgreSQL allows 8,000 bytes, and a serialized change has at most 70. */
const maxInMessage = 100;

/**
 * Serializes changes as messages for publish and subscribe.
 * @param from the sending process
 * @param jobs whether jobs wait in the queue
 */
export function toMessages(from: string, changes: readonly Change[], jobs = false): string[] {
  const messages: string[] = [];
  if (jobs) messages.push(JSON.stringify({ from, changes: [], jobs }));
  for (let start = 0; start < changes.length; start += maxInMessage) {
    messages.push(JSON.stringify({ from, changes: changes.slice(start, start + maxInMessage).map(toWritten) }));
  }
  return messages;
}

interface Message {
  readonly from: string;
  readonly changes: readonly Change[];
  readonly jobs: boolean;
}

/** Parses a message. A process of another version may send subjects that no subscription here asks for. */
export function fromMessage(message: string): Message {
  const { from, changes, jobs } = JSON.parse(message) as { from: string; changes: readonly Written[]; jobs?: boolean };
  return {
    from,
    changes: changes.map(([personId, subject, id, act]) => ({ personId, subject, id, act })),
    jobs: jobs ?? false,
  };
}
