import type { Context } from '../../../context.ts';
import type { Sql } from '../../../database/index.ts';
import { splitCommands, type Command } from '../../../markdown/commands.ts';
import { holds, isAdministrator, type Facts } from '../../../policy/index.ts';
import type { IssueChange, LabelNames } from '../issues/change.ts';
import { requirePerson } from '../issues/input.ts';
import { setSubscribed } from '../subscriptions/subscribe.ts';
import { estimateTime, removeSpentTime, spendTime } from '../time-tracking/track.ts';
import { findNamed } from './statements.ts';
import { addTodo, finishTodosOf } from '../todos/of-issue.ts';
import { definitionOf, textOf, type Deed, type IssueBefore, type Known, type Outcome } from './table.ts';

/** Reading the commands of a text, with the rights of the viewer, and doing what they say. */

/** The issue that a text is about, or that it makes. */
interface Target {
  readonly projectId: number;
  readonly facts: Facts;
  /** The issue before; undefined for a new one. */
  readonly before: () => Promise<IssueBefore>;
}

/** What the commands of a text do. */
export interface Plan {
  /** The text without its commands. */
  readonly text: string;
  /** The change of the issue itself. */
  readonly change: IssueChange;
  /** Does the rest, in the transaction of the change. */
  readonly finish: (sql: Sql, issueId: number) => Promise<void>;
  readonly status: QuickActions;
}

/** What is known of commands afterwards. */
export interface QuickActions {
  readonly names: readonly string[];
  /** What they did, in words. */
  readonly messages: readonly string[];
  /** What they changed, as clients of version 4 see it. */
  readonly changes: Readonly<Record<string, unknown>>;
  /** Whether the text has nothing but commands. */
  readonly only: boolean;
  /** Whether the viewer may do any of it. */
  readonly allowed: boolean;
}

/** How many commands one text has at most; further lines of them do nothing. */
const maxCommands = 100;

/** An issue that is being made. */
export const newIssue: IssueBefore = {
  state: 'OPENED',
  labels: [],
  assignee: null,
  milestone: null,
  timeEstimate: 0,
  timeSpent: 0,
};

/** Reads the commands of a text. Undefined: it has none. */
export async function planCommands(context: Context, target: Target, given: string): Promise<Plan | undefined> {
  const { text, commands: all } = splitCommands(given, (name) => definitionOf(name) !== undefined, textOf);
  const commands = all.slice(0, maxCommands);
  if (commands.length === 0) return text === given ? undefined : without(text);
  const may = commands.filter(({ name }) => {
    const { right } = definitionOf(name)!;
    return isAdministrator(context.viewer) || holds(right, context.viewer, target.facts);
  });
  const outcomes = may.length === 0 ? [] : outcomesOf(may, await knownFor(context, target, may));
  const actor = requirePerson(context);
  return {
    text,
    change: outcomes.map(({ change }) => change ?? {}).reduce(merged, {}),
    finish: async (sql, issueId) => {
      for (const { deed } of outcomes) if (deed) await perform(sql, deed, { issueId, actor });
    },
    status: {
      names: [...new Set(commands.map(({ name }) => name))],
      messages: outcomes.map(({ message }) => message),
      changes: Object.assign({}, ...outcomes.map(({ changes }) => changes)) as Record<string, unknown>,
      only: text.trim() === '',
      allowed: may.length > 0,
    },
  };
}

/** Only the text changes. */
const without = (text: string): Plan => ({
  text,
  change: {},
  finish: async () => {},
  status: { names: [], messages: [], changes: {}, only: false, allowed: true },
});

const outcomesOf = (commands: readonly Command[], known: Known): Outcome[] =>
  commands.flatMap(({ name, argument }) => definitionOf(name)!.read(argument, known) ?? []);

/** What commands name, with the issue that they are about. */
async function knownFor(context: Context, { projectId, before }: Target, commands: readonly Command[]): Promise<Known> {
  const names = commands.map(({ name, argument }) => definitionOf(name)!.names?.(argument) ?? {});
  const all = (of: (typeof names)[number][keyof (typeof names)[number]][]) => [
    ...new Set(of.flatMap((one) => one ?? [])),
  ];
  const wanted = [
    all(names.map(({ users }) => users)),
    all(names.map(({ labels }) => labels)),
    all(names.map(({ milestones }) => milestones)),
  ];
  const rows = wanted.every((one) => one.length === 0)
    ? []
    : await context.database.rows(findNamed, [projectId, ...wanted]);
  const byName = (kind: (typeof rows)[number]['kind']) =>
    new Map(rows.filter((row) => row.kind === kind).map(({ name, id }) => [name, id]));
  return {
    before: await before(),
    actor: context.viewer.person!,
    users: byName('user'),
    labels: byName('label'),
    milestones: byName('milestone'),
  };
}

const joined = (one: LabelNames | undefined, other: LabelNames | undefined): LabelNames | undefined =>
  one && other ? { titles: [...one.titles, ...other.titles], ids: [...one.ids, ...other.ids] } : (other ?? one);

/** Two changes, one after the other. */
export function merged(one: IssueChange, other: IssueChange): IssueChange {
  const changed = Object.fromEntries(Object.entries(other).filter(([, value]) => value !== undefined));
  return {
    ...one,
    ...changed,
    addLabels: joined(one.addLabels, other.addLabels),
    removeLabels: joined(one.removeLabels, other.removeLabels),
  };
}

async function perform(
  sql: Sql,
  deed: Deed,
  { issueId, actor }: { readonly issueId: number; readonly actor: number },
): Promise<void> {
  switch (deed.kind) {
    case 'estimate':
      return await estimateTime(sql, issueId, actor, deed.seconds);
    case 'spend':
      return void (await spendTime(sql, issueId, actor, deed));
    case 'reset spent':
      return await removeSpentTime(sql, issueId, actor);
    case 'subscribe':
      return void (await setSubscribed(sql, issueId, actor, deed.subscribed));
    case 'todo':
      return await addTodo(sql, issueId, actor);
    case 'done':
      return await finishTodosOf(sql, issueId, actor);
  }
}
