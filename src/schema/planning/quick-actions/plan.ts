import type { Context } from '../../../context.ts';
import type { Sql } from '../../../database/index.ts';
import { splitCommands, type Command } from '../../../markdown/commands.ts';
import { holds, isAdministrator, type Facts } from '../../../policy/index.ts';
import type { IssueChange } from '../issues/changes/change.ts';
import type { LabelNames } from '../labels/choose.ts';
import { NotFound, PlainBadRequest } from '../../../errors.ts';
import { readLine } from '../../../markdown/markdown.ts';
import { emojiNamed } from '../../../values/text/emoji.ts';
import { branchForIssue } from '../../reviews/merge-requests/changes/branch-of-issue.ts';
import { toggleAward } from '../awards/of-item.ts';
import { requirePerson } from '../issues/changes/input.ts';
import { lookUpIssueById, type SeenIssue } from '../issues/look-up.ts';
import { cloneWithin, moveWithin, targetOf, type Copied } from '../issues/changes/move.ts';
import { markDuplicateWithin } from '../links/links.ts';
import { idOf, kindOf, type ItemId } from '../notes/item.ts';
import { publishTodos } from '../live/publish.ts';
import { issuesNamed } from '../notes/text.ts';
import { setSubscribed } from '../subscriptions/subscribe.ts';
import { estimateTime, removeSpentTime, spendTime, type Tracker } from '../time-tracking/track.ts';
import { findNamed } from './statements.ts';
import { addTodo, finishTodosOf } from '../todos/of-item.ts';
import type { Deed, Definition, IssueBefore, Known, Outcome } from './definition.ts';
import { definitionOf, textOf } from './table.ts';

/** Reading the commands of a text, with the rights of the viewer, and doing what they say. */

/** The issue that a text is about, or that it makes. */
interface About {
  /** Undefined for a new one. */
  readonly issueId?: number;
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
  /**
   * Moves and clones the issue: after everything else of the transaction, so that the copy has it, too. Adds to `copies`.
   */
  readonly leave: (sql: Sql) => Promise<void>;
  readonly copies: readonly Copied[];
  /** The branches that are made for the issue after the commit, each with a merge request. */
  readonly branches: readonly Extract<Deed, { readonly kind: 'branch' }>[];
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
export const maxCommands = 100;

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
export async function planCommands(context: Context, target: About, given: string): Promise<Plan | undefined> {
  const { text, commands: all } = splitCommands(given, (name) => definitionOf(name) !== undefined, textOf);
  const commands = all.slice(0, maxCommands);
  if (commands.length === 0) return text === given ? undefined : without(text);
  const may = commands.filter(({ name }) => {
    const { right } = definitionOf(name)!;
    return isAdministrator(context.viewer) || holds(right, context.viewer, target.facts);
  });
  const known = may.length > 0 && (await knownFor(context, target, may, definitionOf));
  const outcomes: Outcome[] = known
    ? outcomesOf(may, known, ({ name, argument }, now) => definitionOf(name)!.read(argument, now))
    : [];
  const actor = requirePerson(context);
  const copies: Copied[] = [];
  return {
    text,
    change: outcomes.map(({ change }) => change ?? {}).reduce(merged, {}),
    finish: async (sql, issueId) => {
      for (const { deed } of outcomes)
        if (deed) await perform(sql, deed, issueId, { actor, settings: context.settings });
    },
    leave: async (sql) => {
      for (const { deed } of outcomes) {
        if (deed?.kind === 'move') copies.push(await moveWithin(sql, actor, deed.self, deed.target));
        if (deed?.kind === 'clone') copies.push(await cloneWithin(sql, actor, deed.self, deed.target, deed.withNotes));
      }
    },
    copies,
    branches: outcomes.flatMap(({ deed }) => (deed?.kind === 'branch' ? [deed] : [])),
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
  leave: async () => {},
  copies: [],
  branches: [],
  status: { names: [], messages: [], changes: {}, only: false, allowed: true },
});

/** Reads commands in their order: each knows what those before it leave. @param read undefined for one without effect */
export function outcomesOf<Of extends { readonly deed?: Deed }>(
  commands: readonly Command[],
  known: Known,
  read: (command: Command, now: Known) => Of | undefined,
): Of[] {
  const outcomes: Of[] = [];
  let now = known;
  for (const command of commands) {
    const outcome = read(command, now);
    if (!outcome) continue;
    outcomes.push(outcome);
    now = knownAfter(now, outcome);
  }
  return outcomes;
}

/** What is known after a command: the next one subtracts from the time that this one leaves. */
function knownAfter(known: Known, { deed }: { readonly deed?: Deed }): Known {
  if (deed?.kind !== 'spend' && deed?.kind !== 'reset spent') return known;
  const timeSpent = deed.kind === 'spend' ? known.before.timeSpent + deed.seconds : 0;
  return { ...known, before: { ...known.before, timeSpent } };
}

/** What commands name, with the issue that they are about. */
export async function knownFor(
  context: Context,
  { issueId, projectId, before }: Pick<About, 'issueId' | 'projectId' | 'before'>,
  commands: readonly Command[],
  define: (name: string) => Pick<Definition, 'names'> | undefined,
): Promise<Known> {
  const names = commands.map(({ name, argument }) => define(name)!.names?.(argument) ?? {});
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
    settings: context.settings,
    before: await before(),
    actor: context.viewer.person!,
    users: byName('user'),
    labels: byName('label'),
    milestones: byName('milestone'),
    ...(await aroundFor(context, issueId, {
      emoji: all(names.map(({ emoji }) => emoji)),
      issues: all(names.map(({ issues }) => issues)),
      projects: all(names.map(({ projects }) => projects)),
      branches: all(names.map(({ branches }) => branches)),
    })),
  };
}

type Around = Pick<Known, 'emoji' | 'self' | 'issues' | 'projects' | 'branches'>;

/** What commands name elsewhere. Issues that exist already lead there; new ones don't. */
async function aroundFor(
  context: Context,
  issueId: number | undefined,
  { emoji, issues, projects, branches }: { readonly [Key in Exclude<keyof Around, 'self'>]: readonly string[] },
): Promise<Around> {
  const needsSelf = issueId !== undefined && issues.length + projects.length + branches.length > 0;
  const self = needsSelf ? await lookUpIssueById(context, String(issueId)) : undefined;
  return {
    self,
    emoji: await found(emoji, async (given) => (await emojiNamed(given.replace(/^:(.+):$/, '$1')))?.name),
    issues: await found(self ? issues : [], (given) => issueNamed(context, self!, given)),
    projects: await found(self ? projects : [], (given) => projectNamed(context, self!, given)),
    branches: await found(self ? branches : [], (given) => branchForIssue(context, self!, given)),
  };
}

/** What some texts name, without those that name nothing. */
async function found<Value>(
  given: readonly string[],
  find: (text: string) => Promise<Value | undefined>,
): Promise<ReadonlyMap<string, Value>> {
  const pairs = await Promise.all(given.map(async (text) => ({ text, value: await find(text) })));
  return new Map(pairs.flatMap(({ text, value }) => (value === undefined ? [] : [[text, value] as const])));
}

/** The issue that a reference names, if the viewer reads it. */
async function issueNamed(context: Context, { issue }: SeenIssue, given: string): Promise<SeenIssue | undefined> {
  const references = readLine(given).references.filter(({ kind }) => kind === 'issue');
  const [named] = await issuesNamed(context, issue.projectPath, references.slice(0, 1));
  return named && (await orUndefined(lookUpIssueById(context, String(named.id))));
}

/** The project where the viewer may move or clone an issue; its own, if none is named. */
const projectNamed = (context: Context, self: SeenIssue, given: string) =>
  orUndefined(targetOf(context, self, given === '' ? String(self.issue.projectId) : given, ''));

/** Undefined for what is missing, hidden or not allowed: a command that names it has no effect. */
async function orUndefined<Value>(work: Promise<Value>): Promise<Value | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof NotFound || error instanceof PlainBadRequest) return undefined;
    throw error;
  }
}

/** Publishes the to-dos that came with copies, after the commit. */
export const publishCopies = (context: Context, plan: Plan | undefined): void =>
  plan?.copies.forEach(({ id, todoOwners }) => publishTodos(context, todoOwners, id));

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

/** What an item takes besides changes of itself. */
export type CommonDeed = Exclude<Deed, { readonly kind: 'duplicate' | 'move' | 'clone' | 'branch' }>;

/** Does it to an issue or a merge request. */
export async function performOn(sql: Sql, deed: CommonDeed, item: ItemId, by: Tracker): Promise<void> {
  const { actor } = by;
  switch (deed.kind) {
    case 'estimate':
      return await estimateTime(sql, item, by, deed.seconds);
    case 'spend':
      return void (await spendTime(sql, item, by, deed));
    case 'reset spent':
      return await removeSpentTime(sql, item, actor);
    case 'subscribe':
      return void (await setSubscribed(sql, item, actor, deed.subscribed));
    case 'award': {
      const column = kindOf(item) === 'issue' ? 'issue_id' : 'merge_request_id';
      return await toggleAward(sql, { column, id: idOf(item) }, actor, deed.name);
    }
    case 'todo':
      return void (await addTodo(sql, item, actor));
    case 'done':
      return void (await finishTodosOf(sql, item, actor));
  }
}

async function perform(sql: Sql, deed: Deed, issueId: number, by: Tracker): Promise<void> {
  switch (deed.kind) {
    case 'duplicate':
      return await markDuplicateWithin(sql, by.actor, deed.self, deed.original);
    case 'move':
    case 'clone':
    case 'branch':
      // Afterwards: see `leave` and `branches`.
      return;
    default:
      return await performOn(sql, deed, { issueId }, by);
  }
}
