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
import { changeRefs } from '../../../git/refs/transaction.ts';
import type { Repository } from '../../../git/repository.ts';
import { fetchRef, keepAround } from '../../../git/storage/index.ts';
import { publishTodos } from '../../planning/live/publish.ts';
import { writeSystemNotes } from '../../planning/notes/system.ts';
import { linkIssues } from '../closing/link.ts';
import { outdateDiffNotes } from '../diff-notes/outdate.ts';
import { commitsNote } from './note.ts';
import {
  findBranches,
  lockBranches,
  storeMergeStatus,
  storeVersion,
  unmergeableTodos,
  type BranchesRow,
} from './statements.ts';

/**
 * What a merge request is, by its branches: a version for each head of the source branch, with everything that it shows
 * kept alive in the repository of the target; and whether git can merge it.
 *
 * Git is read first, without a lock; then a transaction stores what was seen, if nobody else has stored something since.
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
 * @param actor who pushed; null if nobody is known
 */
export async function refreshVersion(context: Context, id: number, actor: number | null = null): Promise<void> {
  for (let round = 0; round < 3; round++) {
    const [row] = await context.database.rows(findBranches, [id]);
    if (!row || row.state !== 'OPENED') return;
    const seen = await look(context, row);
    const version = await versionOf(row, seen);
    const status = await statusOf(row, seen, version);
    let owed: readonly number[] = [];
    const stored = await context.database.transaction(async (sql) => {
      const [now] = await sql.rows(lockBranches, [id]);
      if (!now || now.state !== 'OPENED') return true;
      if (now.head_sha !== row.head_sha || now.target_branch !== row.target_branch || now.base_sha !== row.base_sha)
        return false;
      if (version) await store(context, sql, now, seen.target, version, actor);
      if (status) await sql.rows(storeMergeStatus, [id, status.status, status.head, status.tip, status.needsRebase]);
      if (status?.conflicts && !now.merge_status.startsWith('CANNOT')) owed = await tellOfConflict(sql, now);
      return true;
    });
    if (stored) return publishTodos(context, owed, null);
  }
}

/** Tells those who want it merged that its branches conflict. @returns the people who have a to-do */
async function tellOfConflict(sql: Sql, { id, project_id: projectId }: BranchesRow): Promise<number[]> {
  const owed = await sql.rows(unmergeableTodos, [id]);
  const waitedForId = owed.find(({ waited }) => waited)?.user_id;
  const changed = waitedForId === undefined ? {} : { waitedForId };
  await record(sql, 'merge_request.unmergeable', { actorId: null, projectId, subjectId: id, changed });
  return owed.map(({ user_id: userId }) => userId);
}

/** After a change of the description: notes which issues merging closes from now on. */
export async function relinkIssues(context: Context, id: number): Promise<void> {
  await context.database.transaction(async (sql) => {
    const [row] = await sql.rows(lockBranches, [id]);
    if (row?.state !== 'OPENED') return;
    const { head_sha: head, base_sha: base } = row;
    const target = context.git.repository(row.project_id);
    await linkIssues(context, sql, row, target, head === null || base === null ? undefined : { base, head });
  });
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
  // Where the target only went on, the diff stays the same.
  if (head === row.head_sha && base === row.base_sha) return undefined;
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
  /** Whether both branches change the same. */
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
  return {
    status: mergeable ? 'CAN_BE_MERGED' : 'CANNOT_BE_MERGED',
    head,
    tip,
    needsRebase: !isAhead,
    conflicts: adds && !mergeable,
  };
}

/** Stores a new version, with what follows from a push, and lets clients of git fetch its head. */
async function store(
  context: Context,
  sql: Sql,
  row: BranchesRow,
  target: Repository,
  { head, base, start, files, commits }: Version,
  actor: number | null,
): Promise<void> {
  const wasFirst = row.head_sha === null;
  const ref = `refs/merge-requests/${row.iid}/head`;
  const old = await readRef(target, ref);
  if (old !== head) await changeRefs(target, [{ ref, old, new: head }]);
  await sql.rows(storeVersion, [row.id, head, base, start, files, commits]);
  await linkIssues(context, sql, row, target, { base, head });
  if (wasFirst) return;
  const author = actor ?? row.author_id;
  const from = { base: row.base_sha!, head: row.head_sha!, start: row.start_sha! };
  const moved = { mergeRequestId: row.id, from, to: { base, head, start }, actorId: author };
  await outdateDiffNotes(sql, target, moved);
  if (row.head_sha === head) return;
  const isForward = await isAncestor(target, row.head_sha!, head);
  const not = isForward ? [row.head_sha!] : [start];
  const added = await logPage(target, { from: [head], not }, { skip: 0, count: 100 });
  const what = { mergeRequestId: row.id, projectId: row.project_id, authorId: author };
  await writeSystemNotes(sql, what, [commitsNote(added)]);
  await record(sql, 'merge_request.pushed', { actorId: actor, projectId: row.project_id, subjectId: row.id });
}
