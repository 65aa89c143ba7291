import type { Command } from '../../../markdown/commands.ts';
import { adminIssue, readIssue, updateIssue } from '../../../policy/index.ts';
import { titleProblems } from '../../../values/text/lengths.ts';
import { humanDuration, readDuration } from '../time-tracking/duration.ts';
import { readDay } from './dates.ts';
import type { Definition, Known } from './definition.ts';
import { actionsBeyondTheIssue } from './beyond-the-issue.ts';
import { largestInteger } from '../../../values/integers.ts';

/** The commands of texts (GitLab's quick actions), each with its right, what it does and what is said of it. */

const labelsIn = (argument: string): string[] =>
  [...argument.matchAll(/~?"([^"]+)"|~?([^\s~",]+)/g)].map(([, quoted, word]) => (quoted ?? word)!);
export const userIn = (argument: string): string =>
  argument
    .split(/[\s,]+/)[0]!
    .replace(/^@/, '')
    .toLowerCase();
const milestoneIn = (argument: string): string => argument.replace(/^%/, '').replace(/^"(.*)"$/, '$1');

const labelNames = (argument: string) => ({ labels: labelsIn(argument) });
const userNames = (argument: string) => ({ users: [userIn(argument)] });

/** The labels that an argument names and that exist. */
const found = (argument: string, { labels }: Known) =>
  [...new Set(labelsIn(argument))].flatMap((title) => (labels.has(title) ? [{ title, id: labels.get(title)! }] : []));
const ids = (labels: readonly { readonly id: number }[]) => labels.map(({ id }) => id);
const ofLabels = (labels: readonly { readonly title: string }[]) =>
  `${labels.map(({ title }) => `~"${title}"`).join(' ')} ${labels.length === 1 ? 'label' : 'labels'}`;
const byIds = (labels: readonly { readonly id: number }[]) => ({ titles: [], ids: ids(labels) });
const ofMilestone = (title: string) => (/\s/.test(title) ? `%"${title}"` : `%${title}`);

const shortDay = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });

function stateChange(state: 'CLOSED' | 'OPENED', event: string, message: string): Definition {
  return {
    right: updateIssue,
    read: (_argument, { before }) =>
      before.state === state ? undefined : { message, changes: { state_event: event }, change: { state } },
  };
}

const lock = (isLocked: boolean): Definition => ({
  right: adminIssue,
  read: () => ({
    message: `${isLocked ? 'Locked' : 'Unlocked'} the discussion.`,
    changes: { discussion_locked: isLocked },
    change: { discussionLocked: isLocked },
  }),
});

const subscription = (subscribed: boolean): Definition => ({
  right: readIssue,
  read: () => ({
    message: subscribed ? 'Subscribed to notifications.' : 'Unsubscribed from this issue.',
    changes: { subscription_event: subscribed ? 'subscribe' : 'unsubscribe' },
    deed: { kind: 'subscribe', subscribed },
  }),
});

const assign: Definition = {
  right: adminIssue,
  names: userNames,
  read(argument, { users, actor }) {
    const name = userIn(argument);
    const id = name === 'me' ? actor.id : users.get(name);
    if (id === undefined) return undefined;
    const username = name === 'me' ? actor.username : name;
    return { message: `Assigned @${username}.`, changes: { assignee_ids: [id] }, change: { assigneeId: id } };
  },
};

const unlabel: Definition = {
  right: adminIssue,
  names: labelNames,
  read(argument, known) {
    const gone = argument === '' ? known.before.labels : found(argument, known);
    if (gone.length === 0) return undefined;
    return argument === ''
      ? { message: 'Removed all labels.', changes: { label_ids: [] }, change: { labels: { titles: [], ids: [] } } }
      : {
          message: `Removed ${ofLabels(gone)}.`,
          changes: { remove_label_ids: ids(gone) },
          change: { removeLabels: byIds(gone) },
        };
  },
};

const label: Definition = {
  right: adminIssue,
  names: labelNames,
  read(argument, known) {
    const added = found(argument, known);
    if (added.length === 0) return undefined;
    return {
      message: `Added ${ofLabels(added)}.`,
      changes: { add_label_ids: ids(added) },
      change: { addLabels: byIds(added) },
    };
  },
};

const estimate: Definition = {
  right: adminIssue,
  read(argument, { settings }) {
    const seconds = readDuration(argument);
    if (seconds === undefined || seconds <= 0) return undefined;
    return {
      message: `Set time estimate to ${humanDuration(seconds, settings)}.`,
      changes: { time_estimate: seconds },
      deed: { kind: 'estimate', seconds },
    };
  },
};

const removeEstimate: Definition = {
  right: adminIssue,
  read: () => ({
    message: 'Removed time estimate.',
    changes: { time_estimate: 0 },
    deed: { kind: 'estimate', seconds: 0 },
  }),
};

const spend: Definition = {
  right: adminIssue,
  read(argument, { before, actor, settings }) {
    const [, time = '', date] = /^(.*?)(?:\s+(\d{4}[-/.]\d{1,2}[-/.]\d{1,2}))?$/.exec(argument) ?? [];
    const seconds = readDuration(time);
    const day = date === undefined ? undefined : readDay(date);
    // Time isn't spent on days to come.
    if (!seconds || (date !== undefined && (day === undefined || day > readDay('today')!))) return undefined;
    const total = before.timeSpent + seconds;
    if (total < 0 || total > largestInteger) return undefined;
    return {
      message: `${seconds < 0 ? 'Subtracted' : 'Added'} ${humanDuration(seconds, settings)} spent time.`,
      changes: { spend_time: { duration: seconds, user_id: actor.id, ...(day !== undefined && { spent_at: day }) } },
      deed: { kind: 'spend', seconds, day },
    };
  },
};

const removeSpent: Definition = {
  right: adminIssue,
  read: (_argument, { actor }) => ({
    message: 'Removed spent time.',
    changes: { spend_time: { duration: 'reset', user_id: actor.id } },
    deed: { kind: 'reset spent' },
  }),
};

/** By name. */
const definitions: Readonly<Record<string, Definition>> = {
  close: stateChange('CLOSED', 'close', 'Closed this issue.'),
  reopen: stateChange('OPENED', 'reopen', 'Reopened this issue.'),
  title: {
    right: updateIssue,
    read: (title) =>
      title === '' || titleProblems(title).length > 0
        ? undefined
        : { message: `Changed the title to "${title}".`, changes: { title }, change: { title } },
  },
  label,
  labels: label,
  unlabel,
  remove_label: unlabel,
  relabel: {
    right: adminIssue,
    names: labelNames,
    read(argument, known) {
      const all = found(argument, known);
      if (all.length === 0) return undefined;
      return {
        message: `Replaced all labels with ${ofLabels(all)}.`,
        changes: { label_ids: ids(all) },
        change: { labels: byIds(all) },
      };
    },
  },
  assign,
  reassign: assign,
  unassign: {
    right: adminIssue,
    read(argument, { before: { assignee } }) {
      if (assignee === null || (argument !== '' && userIn(argument) !== assignee.username.toLowerCase()))
        return undefined;
      return {
        message: `Removed assignee @${assignee.username}.`,
        changes: { assignee_ids: [] },
        change: { assigneeId: null },
      };
    },
  },
  milestone: {
    right: adminIssue,
    names: (argument) => ({ milestones: [milestoneIn(argument)] }),
    read(argument, { milestones }) {
      const title = milestoneIn(argument);
      const id = milestones.get(title);
      if (id === undefined) return undefined;
      return {
        message: `Set the milestone to ${ofMilestone(title)}.`,
        changes: { milestone_id: id },
        change: { milestoneId: id },
      };
    },
  },
  remove_milestone: {
    right: adminIssue,
    read: (_argument, { before: { milestone } }) =>
      milestone === null
        ? undefined
        : {
            message: `Removed ${ofMilestone(milestone.title)} milestone.`,
            changes: { milestone_id: null },
            change: { milestoneId: null },
          },
  },
  estimate,
  estimate_time: estimate,
  remove_estimate: removeEstimate,
  remove_time_estimate: removeEstimate,
  spend,
  spent: spend,
  spend_time: spend,
  remove_time_spent: removeSpent,
  due: {
    right: adminIssue,
    read(argument) {
      const day = readDay(argument);
      if (day === undefined) return undefined;
      return {
        message: `Set the due date to ${shortDay.format(new Date(`${day}T00:00:00Z`))}.`,
        changes: { due_date: day },
        change: { dueDate: day },
      };
    },
  },
  remove_due_date: {
    right: adminIssue,
    read: () => ({ message: 'Removed the due date.', changes: { due_date: null }, change: { dueDate: null } }),
  },
  todo: {
    right: readIssue,
    read: () => ({ message: 'Added a to-do item.', changes: { todo_event: 'add' }, deed: { kind: 'todo' } }),
  },
  done: {
    right: readIssue,
    read: () => ({ message: 'Marked to do as done.', changes: { todo_event: 'done' }, deed: { kind: 'done' } }),
  },
  subscribe: subscription(true),
  unsubscribe: subscription(false),
  confidential: {
    right: adminIssue,
    read: () => ({
      message: 'Made this issue confidential.',
      changes: { confidential: true },
      change: { confidential: true },
    }),
  },
  lock: lock(true),
  unlock: lock(false),
  ...actionsBeyondTheIssue,
};

/** The definition of a command; undefined for any other word, whose line stays. */
export const definitionOf = (name: string): Definition | undefined =>
  Object.hasOwn(definitions, name) ? definitions[name] : undefined;

/** Commands that are a text: their line stays, with this at its end. */
const texts: Readonly<Record<string, string>> = { shrug: '¯\\＿(ツ)＿/¯', tableflip: '(╯°□°)╯︵ ┻━┻' };

/** The text in place of a command. */
export const textOf = ({ name, argument }: Command): string | undefined =>
  Object.hasOwn(texts, name) ? `${argument} ${texts[name]}`.trim() : undefined;
