import { randomUUID } from 'node:crypto';
import type { Context } from '../../../context.ts';
import type { Sql } from '../../../database/index.ts';
import { record } from '../../../events/record.ts';
import { statsBetween } from '../../../git/diff/index.ts';
import { NotFound as NoObject } from '../../../git/errors.ts';
import { countCommits, isAncestor, logPage, mergeBase } from '../../../git/history/index.ts';
import { canMerge } from '../../../git/merge/index.ts';
import { isName } from '../../../git/names/index.ts';
import { readRef } from '../../../git/objects/index.ts';
import type { Commit } from '../../../git/objects/parse.ts';
import { changeRefs } from '../../../git/refs/transaction.ts';
import type { Repository } from '../../../git/repository.ts';
import { fetchRef, keepAround } from '../../../git/storage/index.ts';
import { publishMergeRequest, publishTodos } from '../../planning/live/publish.ts';
import { autoMergeDroppedNote, writeSystemNotes } from '../../planning/notes/system.ts';
import { linkIssues, messagesOf } from '../closing/link.ts';
import { outdateDiffNotes, readMoves } from '../diff-notes/outdate.ts';
import type { Tracer } from '../diff-notes/trace.ts';
import { changeWithin } from '../merge-requests/changes/change.ts';
import { mergeWhenDue } from '../merging/when-due.ts';
import { commitsNote } from './note.ts';
import {
  findBranches,
  findPusher,
  lockBranches,
  settlePushers,
  storeMergeStatus,
  storeVersion,
  unmergeableTodos,
  type BranchesRow,
} from './statements.ts';

/**
 * What a merge request is, by its branches: a version for each head of the source branch, with everything that it shows
 * kept alive in the repository of the target; and whether git can merge it.
 *
 * Git is read first, without a lock; then a transaction stores what was seen, if no one else has stored something since.
 */

/** One more than a count ever shows. */
const mostCommits = 1_001;
const mostFiles = 1_001;

/** The heads of both branches, undefined where a branch is missing. The objects of the head are in the target. */
interface Seen {
  readonly target: Repository;
  readonly tip: string | undefined;
  readonly head: string | undefined;
}

/** A version that isn't stored yet. */
interface Version {
  readonly head: string;
  readonly base: string;
  readonly start: string;
  readonly files: number;
  readonly commits: number;
}

/**
 * Brings an open merge request up to date with its branches.
 * @param given who pushed; null: the journal knows, if anyone did
 * @returns whether there is a new version, for which it was noted which issues merging closes
 */
export async function refreshVersion(context: Context, id: number, given: number | null = null): Promise<boolean> {
  for (let round = 0; round < 3; round++) {
    const [row] = await context.database.rows(findBranches, [id]);
    if (!row || row.state !== 'OPENED') return false;
    const seen = await look(context, row);
    const version = await versionOf(row, seen);
    const [status, read] = await Promise.all([
      statusOf(row, seen, version),
      version && readChange(context, row, seen.target, version),
    ]);
    const actor = given ?? (read?.added ? await pusherOf(context, row, version!.head) : null);
    const todoOwners: number[] = [];
    const stored = await context.database.transaction(async (sql) => {
      const [now] = await sql.rows(lockBranches, [id]);
      if (!now || now.state !== 'OPENED') return true;
      if (isAnother(now, row)) return false;
      if (version) todoOwners.push(...(await store(context, sql, now, seen.target, version, { ...read!, actor })));
      if (status) todoOwners.push(...(await storeStatus(sql, now, status)));
      return true;
    });
    if (!stored) continue;
    if (version || status) publishMergeRequest(context, id, [...(version ? (['DIFF'] as const) : []), 'MERGE_STATUS']);
    publishTodos(context, todoOwners, null);
    return version !== undefined;
  }
  return false;
}

/** Whether a concurrent run stored something: perhaps about a later head of the target, which must not be lost. */
const isAnother = (now: BranchesRow, row: BranchesRow): boolean =>
  now.head_sha !== row.head_sha ||
  now.target_branch !== row.target_branch ||
  now.base_sha !== row.base_sha ||
  now.checked_target !== row.checked_target;

/** Notifies those who want it merged that its branches conflict. @returns the people who have a to-do */
async function notifyOfConflict(sql: Sql, { id, project_id: projectId }: BranchesRow): Promise<number[]> {
  const owed = await sql.rows(unmergeableTodos, [id]);
  const waitedForId = owed.find(({ waited }) => waited)?.user_id;
  const changed = waitedForId === undefined ? {} : { waitedForId };
  await record(sql, 'merge_request.unmergeable', { actorId: null, projectId, subjectId: id, changed });
  return owed.map(({ user_id: userId }) => userId);
}

/** After a change of the description, the target or the state: notes which issues merging closes from now on. */
export async function relinkIssues(context: Context, id: number): Promise<void> {
  for (let round = 0; round < 3; round++) {
    const [row] = await context.database.rows(findBranches, [id]);
    if (row?.state !== 'OPENED') return;
    const { head_sha: head, base_sha: base } = row;
    const target = context.git.repository(row.project_id);
    const messages = head === null || base === null ? [] : await messagesOf(target, { base, head });
    const linked = await context.database.transaction(async (sql) => {
      const [now] = await sql.rows(lockBranches, [id]);
      if (now?.state !== 'OPENED') return true;
      if (now.head_sha !== head || now.base_sha !== base) return false;
      await linkIssues(context, sql, now, messages);
      return true;
    });
    if (linked) return;
  }
}

/** Reads the heads of both branches, and brings what is new into the target. */
async function look(context: Context, row: BranchesRow): Promise<Seen> {
  const target = context.git.repository(row.project_id);
  const nothing = { target, tip: undefined, head: undefined };
  if (!row.has_target) return nothing;
  const tip = await branchIn(target, row.target_branch);
  if (row.source_project_id === null || !row.has_source) return { ...nothing, tip };
  const source = context.git.repository(row.source_project_id);
  const head = await branchIn(source, row.source_branch);
  if (head === undefined || head === row.head_sha) return { target, tip, head };
  return { target, tip, head: await bring(row.source_branch, target, source, head) };
}

const branchIn = async (git: Repository, branch: string): Promise<string | undefined> =>
  isName(branch) ? await readRef(git, `refs/heads/${branch}`) : undefined;

/** Brings the objects of the head of a fork's branch into the target. `versionOf` keeps them. @returns what it is by then */
async function bring(
  branch: string,
  target: Repository,
  source: Repository,
  seen: string,
): Promise<string | undefined> {
  if (source.path === target.path) return seen;
  // A name of its own, since several may fetch at once.
  const to = `refs/fetched/${randomUUID()}`;
  try {
    await fetchRef(target, source, { branch, to });
  } catch (error) {
    if (error instanceof NoObject) return undefined;
    throw error;
  }
  const head = (await readRef(target, to))!;
  await changeRefs(target, [{ ref: to, old: head, new: undefined }]);
  return head;
}

/** The version that both heads make; undefined if it is the stored one, or if a branch is missing. */
async function versionOf(row: BranchesRow, { target, tip, head }: Seen): Promise<Version | undefined> {
  if (head === undefined || tip === undefined) return undefined;
  if (head === row.head_sha && tip === row.start_sha) return undefined;
  // Histories that have nothing in common are compared as they are.
  const base = (await mergeBase(target, [tip, head])) ?? tip;
  // Where the target only went on, the diff stays the same. One that took in the head says what was merged.
  if (head === row.head_sha && (base === row.base_sha || base === head)) return undefined;
  const [{ files }, commits] = await Promise.all([
    statsBetween(target, base, head),
    countCommits(target, { from: [head], not: [tip] }, mostCommits),
  ]);
  // Objects without a reference stay for two weeks: those of the head are still there.
  await keepAround(target, [head, base, tip]);
  return { head, base, start: tip, files: Math.min(files, mostFiles), commits };
}

interface Status {
  readonly status: 'CAN_BE_MERGED' | 'CANNOT_BE_MERGED';
  /** Null while a branch is missing. */
  readonly head: string | null;
  readonly tip: string | null;
  readonly needsRebase: boolean;
  /** Whether there are commits that don't fit. */
  readonly conflicts: boolean;
}

/** Whether git can merge; undefined if that is known already. */
async function statusOf(
  row: BranchesRow,
  { target, tip, head }: Seen,
  version: Version | undefined,
): Promise<Status | undefined> {
  if (head === undefined || tip === undefined)
    return { status: 'CANNOT_BE_MERGED', head: null, tip: null, needsRebase: false, conflicts: false };
  const isKnown = row.merge_status === 'CAN_BE_MERGED' || row.merge_status === 'CANNOT_BE_MERGED';
  if (!version && isKnown && row.checked_head === head && row.checked_target === tip) return undefined;
  const adds = version ? version.commits > 0 : !(await isAncestor(target, head, tip));
  const [mergeable, isAhead] = adds
    ? await Promise.all([canMerge(target, tip, head), isAncestor(target, tip, head)])
    : [false, true];
  const status = mergeable ? 'CAN_BE_MERGED' : 'CANNOT_BE_MERGED';
  return { status, head, tip, needsRebase: !isAhead, conflicts: adds && !mergeable };
}

/**
 * Stores it. People are notified of a new conflict once: not again after each push that leaves the conflict.
 * @returns who got a to-do
 */
async function storeStatus(
  sql: Sql,
  row: BranchesRow,
  { status, head, tip, needsRebase, conflicts }: Status,
): Promise<readonly number[]> {
  const isNew = conflicts && !row.merge_status.startsWith('CANNOT');
  const owed = isNew ? await notifyOfConflict(sql, row) : [];
  const [stored] = await sql.rows(storeMergeStatus, [row.id, status, head, tip, needsRebase]);
  // It may have waited for this alone.
  if (status === 'CAN_BE_MERGED' && stored?.auto_merge) await mergeWhenDue(sql, row.id, stored.merge_after);
  return owed;
}

/** What git says of a new version that replaces another one, or of the first. */
interface ReadChange {
  /** Of its commits. */
  readonly messages: readonly string[];
  /** The commits of a push, the newest first; undefined where the head stays, and for the first version. */
  readonly added: readonly Commit[] | undefined;
  readonly moves: Tracer | undefined;
}

/** Reads it, before the transaction. */
async function readChange(
  { database }: Context,
  row: BranchesRow,
  target: Repository,
  version: Version,
): Promise<ReadChange> {
  const [messages, added, moves] = await Promise.all([
    messagesOf(target, version),
    addedBy(row, target, version),
    row.head_sha === null ? undefined : readMoves(database, target, replacedBy(row, version)),
  ]);
  return { messages, added, moves };
}

async function addedBy({ head_sha: before }: BranchesRow, target: Repository, { head, start }: Version) {
  if (before === null || before === head) return undefined;
  const not = (await isAncestor(target, before, head)) ? [before] : [start];
  return await logPage(target, { from: [head], not }, { skip: 0, count: 100 });
}

const replacedBy = (row: BranchesRow, { base, head, start }: Version) => ({
  mergeRequestId: row.id,
  from: { base: row.base_sha!, head: row.head_sha!, start: row.start_sha! },
  to: { base, head, start },
});

/** Who made the branch what it is; null if no one is known. */
async function pusherOf({ database }: Context, row: BranchesRow, head: string): Promise<number | null> {
  const [pushed] = await database.rows(findPusher, [row.source_project_id, `refs/heads/${row.source_branch}`, head]);
  return pushed?.actor_id ?? null;
}

/** A commit that says in its title that it isn't ready. */
const unready = /^\s*(?:fixup!|squash!|amend!|\[wip\]|wip[:\s]|draft:|\[draft\]|\(draft\))/i;

/**
 * Stores a new version, with what follows from a push, and lets clients of git fetch its head.
 * @param read what git says of it, and who pushed
 * @returns who got to-dos, or has some less
 */
async function store(
  context: Context,
  sql: Sql,
  row: BranchesRow,
  target: Repository,
  version: Version,
  { messages, added, moves, actor }: ReadChange & { readonly actor: number | null },
): Promise<readonly number[]> {
  const { head, base, start, files, commits } = version;
  const ref = `refs/merge-requests/${row.iid}/head`;
  const old = await readRef(target, ref);
  if (old !== head) await changeRefs(target, [{ ref, old, new: head }]);
  const [stored] = await sql.rows(storeVersion, [row.id, head, base, start, files, commits]);
  await linkIssues(context, sql, row, messages);
  if (row.head_sha === null) return [];
  const author = actor ?? row.author_id;
  await outdateDiffNotes(sql, target, replacedBy(row, version), { moves, actorId: author });
  if (!added) return [];
  const what = { mergeRequestId: row.id, projectId: row.project_id, authorId: author };
  const notes = [commitsNote(added), ...(stored!.dropped ? [autoMergeDroppedNote('source branch was updated')] : [])];
  const [noteId] = await writeSystemNotes(sql, what, notes);
  if (added.some(({ message }) => unready.test(message)))
    await changeWithin(sql, actor, { id: row.id, projectId: row.project_id }, { draft: true });
  const pushed = { actorId: actor, projectId: row.project_id, subjectId: row.id };
  await record(sql, 'merge_request.pushed', { ...pushed, changed: { noteId: noteId! } });
  if (actor === null) return [];
  const settled = await sql.rows(settlePushers, [row.id, actor]);
  return settled.length > 0 ? [actor] : [];
}
