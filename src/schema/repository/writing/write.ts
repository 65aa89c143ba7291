import type { Context } from '../../../context.ts';
import type { Sql } from '../../../database/index.ts';
import { PlainBadRequest } from '../../../errors.ts';
import { isAncestor } from '../../../git/history/index.ts';
import { isName } from '../../../git/names/index.ts';
import { listRefs } from '../../../git/refs/index.ts';
import { prepareChanges, type PreparedChanges, type RefChange } from '../../../git/refs/transaction.ts';
import type { Repository } from '../../../git/repository.ts';
import { removeRepository, removeStaleLocks } from '../../../git/storage/index.ts';
import { actorOf, protectionOf, refusalOfChange, type Facts, type RefPlace } from '../../../policy/index.ts';
import { markStorage } from '../storage/mark.ts';
import { writingPlace, type FirstBranch } from './place.ts';
import { ensureRepository, followDefault, settle } from './settle.ts';
import { forgetUnwritten, lockRepository, markApplied, protectBranch, recordChanges } from './statements.ts';

/**
 * The way of every change of a branch or tag, by the API, a page or a push (decision 0076): git locks the references and
 * compares them, PostgreSQL records what will happen, then git makes it. Whatever dies in between, the record says what to
 * finish: `settle`.
 */

/** The project whose repository is written to. */
export interface Written {
  readonly id: number;
  readonly facts: Facts;
}

/** Opens the repository of a project for a write: its files are there, and nothing of earlier writers is unfinished. */
export async function openForWriting(context: Context, project: Pick<Written, 'id'>): Promise<Repository> {
  return (await openedForWriting(context, project)).git;
}

/** The same. @returns also when, if it was made for this write: for `discardUnwritten` */
export async function openedForWriting(
  context: Context,
  { id }: Pick<Written, 'id'>,
): Promise<{ git: Repository; madeAt: string | undefined }> {
  const git = context.git.repository(id);
  await markStorage(context);
  return await context.database.transaction(async (sql) => {
    const [row] = await sql.rows(lockRepository, [id]);
    await ensureRepository(git);
    await settle(sql, id, git);
    return { git, madeAt: row!.is_new ? row!.locked_at : undefined };
  });
}

/** Takes a repository back that was made for a write which was refused, unless another writer has opened it since. */
export async function discardUnwritten(
  context: Context,
  { id }: Pick<Written, 'id'>,
  madeAt: string | undefined,
): Promise<void> {
  if (madeAt === undefined) return;
  await context.database.transaction(async (sql) => {
    const [discarded] = await sql.rows(forgetUnwritten, [id, madeAt]);
    if (discarded) await removeRepository(context.git.root, context.git.repository(id));
  });
}

interface HowToWrite {
  readonly via?: 'web' | 'merge';
  readonly within?: (sql: Sql) => Promise<void>;
  /** As a push would say: `ci.skip`. */
  readonly ciOptions?: readonly string[];
}

/**
 * Changes branches and tags: all of them, or none.
 * @param git from `openForWriting`; the objects are there
 * @param how by which rules; what else happens in the same transaction, after the locks are taken, before it commits; and what is
 *   said about pipelines
 * @throws PlainBadRequest with the first rule that refuses a change, Mismatch if a reference moved meanwhile, Conflict
 *   ('hierarchy'), NotFound, Busy
 */
export async function writeRefs(
  context: Context,
  project: Written,
  git: Repository,
  changes: readonly RefChange[],
  { via = 'web', within, ciOptions = [] }: HowToWrite = {},
): Promise<void> {
  let prepared: PreparedChanges | undefined;
  let recorded: Recorded;
  try {
    recorded = await context.database.transaction(async (sql) => {
      await sql.rows(lockRepository, [project.id]);
      await settle(sql, project.id, git);
      const { place, first } = await writingPlace(sql, context, project, via);
      const refusal = await refusalOf(git, place, changes);
      if (refusal !== undefined) throw new PlainBadRequest(refusal);
      await removeStaleLocks(
        git,
        changes.map(({ ref }) => ref),
      );
      prepared = await prepareChanges(git, changes);
      await within?.(sql);
      return await recordIn(sql, context, project, { place, first, changes, begins: firstOf(changes), ciOptions });
    });
  } catch (error) {
    await prepared?.abort();
    throw error;
  }
  await prepared!.commit();
  await finish(context, git, recorded);
}

/** What is said if a repository would become larger than it may be. */
export const fullText = ({ repository }: { readonly repository: number }): string =>
  `The repository is full: it may hold ${Math.floor(repository / 2 ** 20)} MiB.`;

/** What a transaction records. */
interface Recording {
  readonly place: RefPlace;
  readonly first: FirstBranch;
  readonly changes: readonly RefChange[];
  readonly begins: string | undefined;
  /** What a push says about its pipeline. */
  readonly ciOptions?: readonly string[];
}

/** What a transaction recorded. */
export interface Recorded {
  /** The rows of the changes. */
  readonly ids: readonly number[];
  readonly defaultBranch: string | null;
}

/**
 * Records changes in the transaction that holds the repository's row.
 * @param begins the branch that becomes the default one, if the project has none
 */
export async function recordIn(
  sql: Sql,
  { viewer }: Context,
  { id }: Pick<Written, 'id'>,
  { place, first, changes, begins: wanted, ciOptions = [] }: Recording,
): Promise<Recorded> {
  const begins = place.defaultBranch === null ? wanted : undefined;
  if (begins !== undefined && first.rule)
    await sql.rows(protectBranch, [id, begins, first.rule.push, first.rule.merge, first.rule.force]);
  const rows = await sql.rows(recordChanges, [
    id,
    actorOf(viewer),
    changes.map(({ ref }) => ref),
    changes.map(({ old }) => old ?? null),
    changes.map((change) => change.new ?? null),
    begins ?? null,
    ciOptions.length > 0 ? ciOptions : null,
  ]);
  return { ids: rows.map((row) => row.id), defaultBranch: begins ?? place.defaultBranch };
}

/** After git made the changes. */
export async function finish(context: Context, git: Repository, { ids, defaultBranch }: Recorded): Promise<void> {
  await followDefault(git, defaultBranch);
  await context.database.rows(markApplied, [ids]);
}

const heads = 'refs/heads/';

/** The branch that becomes the default one: `main` or `master` if it is among the first. */
export function firstOf(changes: readonly RefChange[]): string | undefined {
  const made = changes
    .filter((change) => change.new !== undefined && change.ref.startsWith(heads))
    .map(({ ref }) => ref.slice(heads.length));
  return ['main', 'master'].find((usual) => made.includes(usual)) ?? made[0];
}

/**
 * The first rule that refuses one of some changes.
 * @param git with the new objects: of a push, within its quarantine
 */
export async function refusalOf(
  git: Repository,
  place: RefPlace,
  changes: readonly RefChange[],
): Promise<string | undefined> {
  for (const { ref, old, new: next } of changes) {
    const branch = ref.startsWith(heads) ? ref.slice(heads.length) : undefined;
    const isProtected = branch !== undefined && protectionOf(place.rules, branch) !== undefined;
    const refusal = refusalOfChange(place, {
      ref,
      isNew: old === undefined,
      isDeleted: next === undefined,
      hasValidName: isName(ref.replace(/^refs\/(?:heads|tags)\//, '')),
      rewrites: isProtected && old !== undefined && next !== undefined && !(await isAncestor(git, old, next)),
      isOnProtected: isProtected && old === undefined && next !== undefined && (await isOnProtected(git, place, next)),
    });
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

/** Whether a commit is on a branch that a rule protects. One look, however many rules and branches there are. */
async function isOnProtected(git: Repository, { rules }: RefPlace, commit: string): Promise<boolean> {
  const refs = await listRefs(git, { below: ['refs/heads'], containing: commit });
  return refs.some(({ ref }) => protectionOf(rules, ref.slice(heads.length)) !== undefined);
}
