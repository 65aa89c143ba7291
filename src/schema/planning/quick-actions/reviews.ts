import type { Context } from '../../../context.ts';
import { splitCommands } from '../../../markdown/commands.ts';
import {
  createNote,
  holds,
  isAdministrator,
  readMergeRequest,
  setMergeRequestMetadata,
  updateMergeRequest,
  type Condition,
  type Facts,
} from '../../../policy/index.ts';
import type { Sql } from '../../../database/index.ts';
import { isDraft } from '../../../values/text/draft-title.ts';
import { follow } from '../../reviews/merge-requests/changes/apply.ts';
import {
  changeWithin,
  isAnotherOpen,
  type Effect,
  type MergeRequestChange,
} from '../../reviews/merge-requests/changes/change.ts';
import { lookUpMergeRequestById, type SeenMergeRequest } from '../../reviews/merge-requests/look-up.ts';
import { mergeRequestById } from '../../reviews/merge-requests/read.ts';
import { upToDate } from '../../reviews/merge-requests/up-to-date.ts';
import { trackerOf } from '../time-tracking/track.ts';
import type { Definition, Known, Outcome } from './definition.ts';
import { begin, readyFor, type Later } from './merging.ts';
import { knownFor, maxCommands, merged, outcomesOf, performOn, type CommonDeed, type QuickActions } from './plan.ts';
import { definitionOf, textOf, userIn } from './table.ts';

/** Commands in texts about merge requests: those of issues that fit, and their own. */

/** What a command does to a merge request. */
interface ReviewOutcome extends Pick<Outcome, 'message' | 'changes'> {
  readonly change?: MergeRequestChange;
  readonly deed?: CommonDeed;
  /** Done after the commit. */
  readonly after?: Later;
}

/** What a command needs to know of it besides what those of issues do. */
interface Reviewed {
  readonly title: string;
  readonly isMerged: boolean;
  /** Whether another one of its branches is open. */
  readonly hasRival: boolean;
  readonly sourceBranch: string | null;
  readonly targetBranch: string;
  readonly reviewer: { readonly id: number; readonly username: string } | null;
  /** What the viewer may begin now. */
  readonly ready: ReadonlySet<Later>;
}

interface ReviewDefinition {
  readonly right: Condition;
  readonly names?: Definition['names'];
  readonly read: (argument: string, known: Known, reviewed: Reviewed) => ReviewOutcome | undefined;
}

/** The commands that issues have, too, by the right that they need here. */
const shared: readonly (readonly [Condition, readonly string[]])[] = [
  [updateMergeRequest, ['title']],
  [
    setMergeRequestMetadata,
    (
      'label labels unlabel remove_label relabel assign reassign unassign milestone ' +
      'remove_milestone estimate estimate_time remove_estimate remove_time_estimate spend spent spend_time remove_time_spent lock unlock'
    ).split(' '),
  ],
  [readMergeRequest, ['todo', 'done', 'subscribe', 'unsubscribe']],
  [createNote, ['award', 'react']],
];

/** The same command here: what it would do to an issue alone, it doesn't. */
function here(name: string, right: Condition): ReviewDefinition {
  const { names, read } = definitionOf(name)!;
  return {
    right,
    ...(names && { names }),
    read(argument, known) {
      const outcome = read(argument, known);
      if (!outcome) return undefined;
      const { message, changes, change, deed } = outcome;
      return {
        message: message.replace('this issue', 'this merge request'),
        changes,
        ...(change && { change: change as MergeRequestChange }),
        ...(deed && { deed: deed as CommonDeed }),
      };
    },
  };
}

const stateChange = (state: 'CLOSED' | 'OPENED', event: string, message: string): ReviewDefinition => ({
  right: updateMergeRequest,
  read: (_argument, { before }, { isMerged }) =>
    isMerged || before.state === state ? undefined : { message, changes: { state_event: event }, change: { state } },
});

const draft = (wanted: (title: string) => boolean): ReviewDefinition => ({
  right: updateMergeRequest,
  read(_argument, _known, { title }) {
    const becomes = wanted(title);
    if (becomes === isDraft(title)) return undefined;
    return {
      message: becomes ? 'Marked this merge request as a draft.' : 'Marked this merge request as ready.',
      changes: { wip_event: becomes ? 'draft' : 'ready' },
      change: { draft: becomes },
    };
  },
});

const review: ReviewDefinition = {
  right: setMergeRequestMetadata,
  names: (argument) => ({ users: [userIn(argument)] }),
  read(argument, { users, actor }) {
    const name = userIn(argument);
    const id = name === 'me' ? actor.id : users.get(name);
    if (id === undefined) return undefined;
    return {
      message: `Requested a review from @${name === 'me' ? actor.username : name}.`,
      changes: { reviewer_ids: [id] },
      change: { reviewerId: id },
    };
  },
};

const unassignReviewer: ReviewDefinition = {
  right: setMergeRequestMetadata,
  read(argument, { actor }, { reviewer }) {
    const name = userIn(argument);
    const username = name === 'me' ? actor.username.toLowerCase() : name;
    if (!reviewer || (name !== '' && username !== reviewer.username.toLowerCase())) return undefined;
    return {
      message: `Removed reviewer @${reviewer.username}.`,
      changes: { reviewer_ids: [] },
      change: { reviewerId: null },
    };
  },
};

const reopening = stateChange('OPENED', 'reopen', 'Reopened this merge request.');

const definitions: Readonly<Record<string, ReviewDefinition>> = {
  ...Object.fromEntries(shared.flatMap(([right, names]) => names.map((name) => [name, here(name, right)]))),
  close: stateChange('CLOSED', 'close', 'Closed this merge request.'),
  // Two open ones of the same branches can't be: the comment stays a comment.
  reopen: {
    ...reopening,
    read: (argument, known, reviewed) => (reviewed.hasRival ? undefined : reopening.read(argument, known, reviewed)),
  },
  draft: draft(() => true),
  wip: draft((title) => !isDraft(title)),
  ready: draft(() => false),
  assign_reviewer: review,
  reviewer: review,
  request_review: review,
  unassign_reviewer: unassignReviewer,
  remove_reviewer: unassignReviewer,
  target_branch: {
    right: updateMergeRequest,
    read(branch, _known, { isMerged, sourceBranch, targetBranch }) {
      if (isMerged || branch === '' || branch === sourceBranch || branch === targetBranch) return undefined;
      if (!/^[^\s~^:?*[\\]{1,255}$/.test(branch)) return undefined;
      return {
        message: `Set target branch to ${branch}.`,
        changes: { target_branch: branch },
        change: { targetBranch: branch },
      };
    },
  },
  merge: {
    right: readMergeRequest,
    read(_argument, _known, { ready }) {
      const changes = { merge: true };
      if (ready.has('merge')) return { message: 'Merged this merge request.', changes, after: 'merge' };
      const message = 'Scheduled to merge this merge request (Merge when pipeline succeeds).';
      return ready.has('schedule') ? { message, changes, after: 'schedule' } : undefined;
    },
  },
  rebase: {
    right: readMergeRequest,
    read: (_argument, _known, { ready }) =>
      ready.has('rebase')
        ? { message: 'Scheduled a rebase of this merge request.', changes: { rebase: true }, after: 'rebase' }
        : undefined,
  },
};

const define = (name: string): ReviewDefinition | undefined =>
  Object.hasOwn(definitions, name) ? definitions[name] : undefined;

interface OfMergeRequest {
  readonly id: number;
  readonly projectId: number;
  readonly facts: Facts;
}

/** What the commands of a text do to a merge request that exists. */
export interface ReviewPlan {
  /** The text without its commands. */
  readonly text: string;
  readonly status: QuickActions;
  /** Changes the merge request, with what the caller changes, in the transaction of the text. */
  readonly within: (sql: Sql, change?: MergeRequestChange) => Promise<void>;
  /** Does the rest, after the commit. */
  readonly after: () => Promise<void>;
}

/** A merge request that is being made. */
interface Fresh {
  readonly title: string;
  readonly sourceProjectId: number;
  readonly sourceBranch: string;
  readonly targetBranch: string;
}

const nothingYet = {
  state: 'OPENED',
  labels: [],
  assignee: null,
  reviewer: null,
  milestone: null,
  timeEstimate: 0,
  timeSpent: 0,
} as const;

interface Planned extends Pick<ReviewPlan, 'text' | 'status'> {
  readonly outcomes: readonly ReviewOutcome[];
  readonly seen: SeenMergeRequest | undefined;
}

interface PlannedFor extends Omit<OfMergeRequest, 'id'> {
  readonly id?: number;
  /** What it is, if it doesn't exist yet. */
  readonly fresh?: Fresh;
}

/** What the commands of a text do. Undefined: it has none. */
async function planned(
  context: Context,
  { id, projectId, facts, fresh }: PlannedFor,
  given: string,
  head?: string | null,
): Promise<Planned | undefined> {
  const { text, commands: all } = splitCommands(given, (name) => define(name) !== undefined, textOf);
  if (all.length === 0 && text === given) return undefined;
  const commands = all.slice(0, maxCommands);
  const { viewer } = context;
  const may = commands.filter(({ name }) => isAdministrator(viewer) || holds(define(name)!.right, viewer, facts));
  let outcomes: readonly ReviewOutcome[] = [];
  let seen: SeenMergeRequest | undefined;
  if (may.length > 0) {
    const one = id === undefined ? { ...nothingYet, ...fresh! } : await mergeRequestById(context, id);
    const wanted = new Set(may.map(({ name }) => name));
    if (id !== undefined && (wanted.has('merge') || wanted.has('rebase'))) {
      const { mergeRequest } = await lookUpMergeRequestById(context, String(id));
      seen = await upToDate(context, { project: String(mergeRequest.projectId), iid: String(mergeRequest.iid) });
    }
    const known = await knownFor(
      context,
      {
        projectId,
        before: async () => ({
          state: one.state === 'OPENED' ? 'OPENED' : 'CLOSED',
          labels: one.labels,
          assignee: one.assignee,
          milestone: one.milestone,
          timeEstimate: one.timeEstimate,
          timeSpent: one.timeSpent,
        }),
      },
      may,
      define,
    );
    const reviewed: Reviewed = {
      title: one.title,
      isMerged: one.state === 'MERGED',
      hasRival: one.state === 'CLOSED' && wanted.has('reopen') && (await isAnotherOpen(context, one)),
      sourceBranch: one.sourceProjectId === projectId ? one.sourceBranch : null,
      targetBranch: one.targetBranch,
      reviewer: one.reviewer,
      ready: await readyFor(context, seen, wanted, head),
    };
    outcomes = outcomesOf(may, known, ({ name, argument }, now) => define(name)!.read(argument, now, reviewed));
  }
  return {
    text,
    outcomes,
    seen,
    status: {
      names: [...new Set(commands.map(({ name }) => name))],
      messages: outcomes.map(({ message }) => message),
      changes: Object.assign({}, ...outcomes.map((one) => one.changes)) as Record<string, unknown>,
      only: text.trim() === '' && commands.length > 0,
      allowed: may.length > 0 || commands.length === 0,
    },
  };
}

/**
 * Reads the commands of a text about a merge request. Undefined: it has none.
 * @param head the head that the author saw, if they say
 */
export async function planForReview(
  context: Context,
  about: OfMergeRequest,
  given: string,
  head?: string | null,
): Promise<ReviewPlan | undefined> {
  const plan = await planned(context, about, given, head);
  if (!plan) return undefined;
  const { text, status, outcomes, seen } = plan;
  const { id, projectId } = about;
  const by = trackerOf(context);
  const changes = outcomes.flatMap(({ change }) => change ?? []);
  let effect: Effect | undefined;
  return {
    text,
    status,
    async within(sql, change = {}) {
      const whole = changes.reduce<MergeRequestChange>((one, other) => merged(one, other), change);
      if (Object.keys(whole).length > 0) effect = await changeWithin(sql, by.actor, { id, projectId }, whole);
      for (const { deed } of outcomes) if (deed) await performOn(sql, deed, { mergeRequestId: id }, by);
    },
    async after() {
      await follow(context, by.actor, id, effect);
      if (seen) await begin(context, seen, new Set(outcomes.flatMap(({ after }) => after ?? [])));
    },
  };
}

/** The commands of the description of a merge request that is being made. */
export interface NewReviewPlan {
  /** The text without its commands. */
  readonly text: string;
  readonly change: MergeRequestChange;
  /** Does the rest, in the transaction in which it is made. */
  readonly finish: (sql: Sql, id: number) => Promise<void>;
}

/** Reads them. Undefined: it has none. */
export async function planForNewReview(
  context: Context,
  about: Omit<OfMergeRequest, 'id'> & { readonly fresh: Fresh },
  given: string,
): Promise<NewReviewPlan | undefined> {
  const plan = await planned(context, about, given);
  if (!plan) return undefined;
  const by = trackerOf(context);
  const changes = plan.outcomes.flatMap(({ change }) => change ?? []);
  const change = changes.reduce<MergeRequestChange>((one, other) => merged(one, other), {});
  return {
    text: plan.text,
    change,
    async finish(sql, id) {
      const { state, discussionLocked } = change;
      if (state === 'CLOSED' || discussionLocked !== undefined)
        await changeWithin(sql, by.actor, { id, projectId: about.projectId }, { state, discussionLocked });
      for (const { deed } of plan.outcomes) if (deed) await performOn(sql, deed, { mergeRequestId: id }, by);
    },
  };
}
