/** The levels in the order in which people choose among them, from nothing to everything. */
export const levels = {
  GLOBAL: { name: 'Inherit', says: 'What applies one step further out: the group around, else your level for everywhere. Forgets what was set there.' },
  DISABLED: { name: 'Nothing', says: 'No e-mail at all.' },
  MENTION: { name: 'Mentions', says: 'Only where someone mentions you.' },
  PARTICIPATING: { name: 'Participating', says: 'What you take part in, and where someone mentions you.' },
  WATCH: { name: 'Watch', says: 'Everything, except pushes, due dates and successful pipelines.' },
  CUSTOM: { name: 'Custom', says: 'What you take part in, and the events that you switch on.' },
} as const;

export type Level = keyof typeof levels;

export const isLevel = (text: string | undefined): text is Level => text !== undefined && Object.hasOwn(levels, text);

/** The events by the names that the schema has for them. */
const events: Readonly<Record<string, string>> = {
  NEW_NOTE: 'New comment',
  NEW_ISSUE: 'Issue opened',
  REOPEN_ISSUE: 'Issue reopened',
  CLOSE_ISSUE: 'Issue closed',
  REASSIGN_ISSUE: 'Issue reassigned',
  ISSUE_DUE: 'Issue due tomorrow',
  NEW_MERGE_REQUEST: 'Merge request opened',
  PUSH_TO_MERGE_REQUEST: 'Merge request pushed to',
  REOPEN_MERGE_REQUEST: 'Merge request reopened',
  CLOSE_MERGE_REQUEST: 'Merge request closed',
  REASSIGN_MERGE_REQUEST: 'Merge request reassigned',
  MERGE_MERGE_REQUEST: 'Merge request merged',
  FAILED_PIPELINE: 'Pipeline failed',
  FIXED_PIPELINE: 'Pipeline fixed',
  SUCCESS_PIPELINE: 'Pipeline succeeded',
  MOVED_PROJECT: 'Project moved',
  NEW_EPIC: 'Epic opened',
};

export const eventName = (event: string): string => events[event] ?? event;
