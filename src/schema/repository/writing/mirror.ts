import type { Context } from '../../../context.ts';
import { Conflict } from '../../../git/errors.ts';
import { isName } from '../../../git/names/index.ts';
import { listRefs } from '../../../git/refs/index.ts';
import { prepareChanges, type PreparedChanges, type RefChange } from '../../../git/refs/transaction.ts';
import type { Repository } from '../../../git/repository.ts';
import { removeStaleLocks } from '../../../git/storage/index.ts';
import { fetchedRefs, fetchOrigin, type Origin } from '../../../git/transport/index.ts';
import { writingDefault } from './place.ts';
import { settle } from './settle.ts';
import { lockRepository, recordImported } from './statements.ts';
import { discardUnwritten, finish, firstOf, openedForWriting, type Recorded } from './write.ts';

/**
 * Takes the branches and tags of another instance's repository over, by the way of every change (decision 0076): what is
 * fetched waits below `refs/imports/next`, which no one sees. What the other side had before is below `refs/imports/last`:
 * only what no one changed here since then moves. No rule refuses it, and nothing follows from it.
 */

const lastRefs = 'refs/imports/last';
/** References that are locked at once. */
const atOnce = 500;

/** @returns how what is here differs @throws GitError, NotFound if the project is being removed */
export async function mirrorRepository(
  context: Context,
  id: number,
  origin: Origin,
  defaultBranch: string | undefined,
): Promise<readonly string[]> {
  await writingDefault(context.database, id);
  const { git, madeAt } = await openedForWriting(context, { id });
  try {
    await fetchOrigin(git, origin);
  } catch (error) {
    await discardUnwritten(context, { id }, madeAt);
    throw error;
  }
  const { changes, remarks } = await changesOf(git, await writingDefault(context.database, id));
  const begins = changes.find((change) => change.ref === `refs/heads/${defaultBranch}` && change.new !== undefined);
  const ordered = begins ? [begins, ...changes.filter((change) => change !== begins)] : changes;
  const first = begins ? defaultBranch : firstOf(changes);
  // Names that are gone make room for those that begin like them.
  const removed = ordered.filter((change) => change.new === undefined);
  const others = ordered.filter((change) => change.new !== undefined);
  for (const some of [...chunksOf(removed), ...chunksOf(others)])
    remarks.push(...(await writeChunk(context, id, git, { changes: some, first })));
  await remember(git);
  return remarks;
}

function chunksOf<One>(all: readonly One[]): readonly (readonly One[])[] {
  return Array.from({ length: Math.ceil(all.length / atOnce) }, (_, place) =>
    all.slice(place * atOnce, (place + 1) * atOnce),
  );
}

/** What the references below a folder hold, by their names in it. */
async function refsBelow(git: Repository, folder: string): Promise<Map<string, { id: string; isCommit: boolean }>> {
  const refs = await listRefs(git, { below: [`${folder}/heads`, `${folder}/tags`] });
  return new Map(refs.map(({ ref, id, commit }) => [ref.slice(folder.length + 1), { id, isCommit: commit === id }]));
}

const words = (name: string) => name.replace(/^heads\//, 'The branch ').replace(/^tags\//, 'The tag ');

/** What changed there and not here. */
async function changesOf(git: Repository, defaultBranch: string | null) {
  const next = await refsBelow(git, fetchedRefs);
  const last = await refsBelow(git, lastRefs);
  const ours = await refsBelow(git, 'refs');
  const changes: RefChange[] = [];
  const remarks: string[] = [];
  for (const name of new Set([...next.keys(), ...last.keys()])) {
    const theirs = next.get(name);
    const before = last.get(name)?.id;
    const mine = ours.get(name)?.id;
    if (theirs?.id === mine || theirs?.id === before) continue;
    if (theirs && (!isName(name.replace(/^(?:heads|tags)\//, '')) || (name.startsWith('heads/') && !theirs.isCommit)))
      remarks.push(`${words(name)} isn’t valid here.`);
    else if (mine !== before) remarks.push(`${words(name)} was changed on both sides: it stays as it is here.`);
    else if (!theirs && name === `heads/${defaultBranch}`) remarks.push(`${words(name)} was removed there.`);
    else changes.push({ ref: `refs/${name}`, old: mine, new: theirs?.id });
  }
  return { changes, remarks };
}

interface Chunk {
  readonly changes: readonly RefChange[];
  /** The branch that becomes the default one, if the project has none. */
  readonly first: string | undefined;
}

/** Makes some changes; one by one, if the names of some stand in each other's way. @returns what couldn't be made */
async function writeChunk(context: Context, id: number, git: Repository, chunk: Chunk): Promise<readonly string[]> {
  try {
    await write(context, id, git, chunk);
    return [];
  } catch (error) {
    if (!(error instanceof Conflict)) throw error;
    const [only] = chunk.changes;
    if (chunk.changes.length === 1) return [`${words(only!.ref.slice('refs/'.length))} begins like another one here.`];
    const remarks: string[] = [];
    for (const change of chunk.changes)
      remarks.push(...(await writeChunk(context, id, git, { ...chunk, changes: [change] })));
    return remarks;
  }
}

async function write(context: Context, id: number, git: Repository, { changes, first }: Chunk): Promise<void> {
  const begins = changes.some(({ ref }) => ref === `refs/heads/${first}`) ? first : undefined;
  let prepared: PreparedChanges | undefined;
  let recorded: Recorded;
  try {
    recorded = await context.database.transaction(async (sql) => {
      await sql.rows(lockRepository, [id]);
      await settle(sql, id, git);
      const defaultBranch = await writingDefault(sql, id);
      await removeStaleLocks(
        git,
        changes.map(({ ref }) => ref),
      );
      prepared = await prepareChanges(git, changes);
      const rows = await sql.rows(recordImported, [
        id,
        changes.map(({ ref }) => ref),
        changes.map(({ old }) => old ?? null),
        changes.map((change) => change.new ?? null),
        begins ?? null,
      ]);
      return { ids: rows.map((row) => row.id), defaultBranch: defaultBranch ?? begins ?? null };
    });
  } catch (error) {
    await prepared?.abort();
    throw error;
  }
  await prepared!.commit();
  await finish(context, git, recorded);
}

/** Notes what the other side has now, for the next comparison. */
async function remember(git: Repository): Promise<void> {
  const next = await refsBelow(git, fetchedRefs);
  const last = await refsBelow(git, lastRefs);
  const gone = [...last.keys()].filter((name) => !next.has(name)).map((name) => `delete ${lastRefs}/${name}\0\0`);
  const made = [...next]
    .filter(([name, { id }]) => last.get(name)?.id !== id)
    .map(([name, { id }]) => `update ${lastRefs}/${name}\0${id}\0\0`);
  for (const lines of [gone, made])
    if (lines.length > 0)
      await git.read(['update-ref', '--stdin', '-z'], { kind: 'refs', input: lines.join(''), milliseconds: 300_000 });
}
