/** Words for causes, reasons and outcomes of messages. */

/** Names in capital letters as words: `NEW_NOTE` is “New note”. */
const wordsOf = (name: string): string => name.charAt(0) + name.slice(1).toLowerCase().replaceAll('_', ' ');

const causeWords: Readonly<Record<string, string>> = {
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
  REVIEWER_CHANGED: 'Review requested',
  UNAPPROVED: 'Approval taken back',
  MOVED_PROJECT: 'Project moved',
  DAILY_LIMIT: 'Daily limit reached',
  RELABELLED: 'Labels added',
  MENTIONED: 'New mention',
  ACCESS_REQUESTED: 'Access requested',
  ACCESS_GRANTED: 'Access granted',
  ACCESS_DENIED: 'Access denied',
};
export const causeOf = (name: string): string => causeWords[name] ?? wordsOf(name);

const reasonWords: Readonly<Record<string, string>> = {
  OWN_ACTIVITY: 'you did it yourself',
  ASSIGNED: 'it is assigned to you',
  REVIEW_REQUESTED: 'your review was requested',
  MENTIONED: 'you are mentioned',
  SUBSCRIBED: 'you are subscribed',
};
const viaWords: Readonly<Record<string, string>> = {
  PARTICIPANT: 'you take part',
  MENTION: 'it was given to or taken from you',
  SUBSCRIPTION: 'you are subscribed',
  SETTING: 'of your settings',
};
/** Why a person was notified, after “because”. */
export const whyOf = (reason: string | null, via: string): string =>
  (reason === null ? viaWords[via] : reasonWords[reason]) ?? wordsOf(via).toLowerCase();

const stateWords: Readonly<Record<string, string>> = {
  WAITING: 'Waiting',
  SENT: 'Sent',
  FAILED: 'Failed',
  DROPPED: 'Not sent',
};
/** What became of a message. */
export const stateOf = (state: string, outcome: string | null): string => {
  const word = state === 'WAITING' && outcome !== null ? 'Held' : (stateWords[state] ?? wordsOf(state));
  return outcome === null ? word : `${word}: ${wordsOf(outcome).toLowerCase()}`;
};

export const toneOf = (state: string): 'good' | 'caution' | 'danger' | undefined =>
  state === 'SENT' ? 'good' : state === 'FAILED' ? 'danger' : state === 'WAITING' ? 'caution' : undefined;
