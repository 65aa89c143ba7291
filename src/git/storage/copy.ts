import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Broken } from '../errors.ts';
import { checkedObject, checkedRef } from '../names/refs.ts';
import type { Repository } from '../repository.ts';
import { failureOf } from '../runner/index.ts';
import { outputOf } from '../runner/output.ts';
import { sync } from './create.ts';

/**
 * A repository as one pack and a list of references: what a backup holds. Git makes and reads the pack, so maintenance may
 * run meanwhile; no configuration and no hook is in it (contract S5, S7).
 */

/**
 * Every object that some objects lead to, as a pack.
 * @param tips objects that are there; at least one
 * @returns a stream that fails if git fails
 */
export async function packOf(repository: Repository, tips: readonly string[]): Promise<Readable> {
  const job = await repository.start(['pack-objects', '--revs', '--stdout', '--quiet', '--delta-base-offset'], {
    kind: 'upkeep',
    input: true,
  });
  job.input.end(tips.map((id) => `${checkedObject(id)}\n`).join(''));
  return outputOf(job);
}

/** Adds the objects of a pack. @throws Broken if it is incomplete or was changed */
export async function addPack(repository: Repository, pack: AsyncIterable<Buffer>): Promise<void> {
  const job = await repository.start(['index-pack', '--stdin'], { kind: 'upkeep', input: true });
  // The name of the pack, which isn't needed.
  job.output.resume();
  const sent = await pipeline(pack, job.input).then(
    () => undefined,
    (error: unknown) => error,
  );
  if (sent !== undefined) job.stop();
  const ended = await job.ended;
  if (ended.code === 0) return;
  // If git ended first, its reason is better than that no one reads.
  if (ended.cause === 'stopped' && !isClosed(sent)) throw sent;
  throw ended.code === null ? failureOf(ended) : new Broken('The objects of a repository are damaged.', ended.stderr);
}

const isClosed = (error: unknown) =>
  ['EPIPE', 'ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE'].includes(
    (error as NodeJS.ErrnoException | undefined)?.code ?? '',
  );

/** Gives a new repository its references. Their objects are there. @param refs none of them is there yet */
export async function writeFirstRefs(
  { path }: Repository,
  refs: readonly { readonly ref: string; readonly id: string }[],
): Promise<void> {
  const lines = refs.map(({ ref, id }) => `${checkedObject(id)} ${checkedRef(ref)}\n`);
  const file = join(path, 'packed-refs');
  await writeFile(`${file}.new`, lines.join(''), { flush: true, mode: 0o600 });
  await rename(`${file}.new`, file);
  await sync(path);
}
