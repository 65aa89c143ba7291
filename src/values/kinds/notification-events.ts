/**
 * The events that people can be sent e-mail for: the only list of them. The GraphQL enum,
 * the parameters and members of version 4 and the boxes of the pages are all made from it.
 */

/** What an event happens to. */
export type EventSubject = 'Epic' | 'Issue' | 'MergeRequest' | 'Note' | 'Pipeline' | 'Project';

interface EventFacts {
  /** When it is sent. */
  readonly description: string;
  /** What it happens to. */
  readonly about: EventSubject;
  /** Its name on pages. */
  readonly label: string;
  /** The default: whether the event is on if the person never set it. */
  readonly unset: 'on' | 'off';
  /** What version 4 shows if the person never set it, if not `unset`: clients expect `false`. */
  readonly shownUnset?: 'off';
  /** Exists only for people on the higher tier. */
  readonly premium?: true;
}

/**
 * The events, in the order of version 4, which has their names in lower case. The database stores switches by
 * these names, so a new event needs only a new line here.
 */
const list = {
  NEW_NOTE: { about: 'Note', label: 'New comment', description: 'A comment is written.', unset: 'off' },
  NEW_ISSUE: { about: 'Issue', label: 'Issue opened', description: 'An issue is opened.', unset: 'off' },
  REOPEN_ISSUE: { about: 'Issue', label: 'Issue reopened', description: 'An issue is opened again.', unset: 'off' },
  CLOSE_ISSUE: { about: 'Issue', label: 'Issue closed', description: 'An issue is closed.', unset: 'off' },
  REASSIGN_ISSUE: {
    about: 'Issue',
    label: 'Issue reassigned',
    description: 'An issue is given to someone else.',
    unset: 'off',
  },
  ISSUE_DUE: { about: 'Issue', label: 'Issue due tomorrow', description: 'An issue is due tomorrow.', unset: 'off' },
  NEW_MERGE_REQUEST: {
    about: 'MergeRequest',
    label: 'Merge request opened',
    description: 'A merge request is opened.',
    unset: 'off',
  },
  PUSH_TO_MERGE_REQUEST: {
    about: 'MergeRequest',
    label: 'Merge request pushed to',
    description: 'Someone pushes to a merge request.',
    unset: 'off',
  },
  REOPEN_MERGE_REQUEST: {
    about: 'MergeRequest',
    label: 'Merge request reopened',
    description: 'A merge request is opened again.',
    unset: 'off',
  },
  CLOSE_MERGE_REQUEST: {
    about: 'MergeRequest',
    label: 'Merge request closed',
    description: 'A merge request is closed.',
    unset: 'off',
  },
  REASSIGN_MERGE_REQUEST: {
    about: 'MergeRequest',
    label: 'Merge request reassigned',
    description: 'A merge request is given to someone else.',
    unset: 'off',
  },
  MERGE_MERGE_REQUEST: {
    about: 'MergeRequest',
    label: 'Merge request merged',
    description: 'A merge request is merged.',
    unset: 'off',
  },
  FAILED_PIPELINE: {
    about: 'Pipeline',
    label: 'Pipeline failed',
    description: 'A pipeline fails.',
    unset: 'on',
    shownUnset: 'off',
  },
  FIXED_PIPELINE: {
    about: 'Pipeline',
    label: 'Pipeline fixed',
    description: 'A pipeline that failed succeeds again.',
    unset: 'on',
    shownUnset: 'off',
  },
  SUCCESS_PIPELINE: {
    about: 'Pipeline',
    label: 'Pipeline succeeded',
    description: 'A pipeline succeeds.',
    unset: 'off',
  },
  MOVED_PROJECT: {
    about: 'Project',
    label: 'Project moved',
    description: 'A project moves.',
    unset: 'on',
  },
  NEW_EPIC: {
    about: 'Epic',
    label: 'Epic opened',
    description: 'An epic is opened.',
    unset: 'off',
    premium: true,
  },
} as const satisfies Record<string, EventFacts>;

export type EventName = keyof typeof list;

/** An event as version 4 names it. */
export type WireEvent = Lowercase<EventName>;

export const notificationEvents: Readonly<Record<EventName, EventFacts>> = list;
export const eventNames = Object.keys(list) as EventName[];

/** When an event is sent, with what a box on a page shows by itself: the default, and that others don’t have it. */
export function describeEvent(event: EventName): string {
  const { description, unset, premium } = notificationEvents[event];
  const whenOn = unset === 'on' ? ' On unless switched off.' : '';
  return `${description}${whenOn}${premium ? ' Only for people on the higher tier; left out for others.' : ''}`;
}

export const toWireEvent = (event: EventName): WireEvent => event.toLowerCase() as WireEvent;
