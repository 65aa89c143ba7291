import { createHash, randomBytes } from 'node:crypto';
import { link, mkdir, open, rm, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { deflate as deflateBytes, constants } from 'node:zlib';
import { Invalid, writingFailed } from '../errors.ts';
import type { Repository } from '../repository.ts';

/**
 * Writing objects without starting git: a loose object is its header and content, deflated, under its SHA-1. Many, or
 * such as git should check first, go as one pack through `git index-pack --strict`.
 */

/** An object to be written. */
export interface NewObject {
  readonly id: string;
  readonly type: 'blob' | 'tree' | 'commit' | 'tag';
  readonly content: Buffer;
}

const deflate = promisify(deflateBytes);
/** From so many objects on, a pack is faster than files that are each synced to the disk. */
const manyObjects = 32;
const numbers = { commit: 1, tree: 2, blob: 3, tag: 4 } as const;

/** An object with its name. */
export function newObject(type: NewObject['type'], content: Buffer): NewObject {
  const id = createHash('sha1').update(`${type} ${content.length}\0`).update(content).digest('hex');
  return { id, type, content };
}

/**
 * Writes objects. Nothing refers to them yet, so losing them is harmless; they last when this returns.
 * @param checked whether git must check their content first (`.gitmodules` and its like)
 * @throws Invalid when git refuses one, Busy when the disk is full, Broken
 */
export async function writeObjects(
  repository: Repository,
  objects: readonly NewObject[],
  checked = false,
): Promise<void> {
  const all = [...new Map(objects.map((object) => [object.id, object])).values()];
  if (checked || all.length >= manyObjects) return await writePack(repository, all);
  // What is in a pack already needn't be written again, unless it is about to be pruned: blobs that exist are few.
  await Promise.all(all.map((object) => writeLoose(repository.path, object)));
}

async function writeLoose(path: string, { id, type, content }: NewObject): Promise<void> {
  const file = join(path, 'objects', id.slice(0, 2), id.slice(2));
  // An object that is there already gets a new time, so that pruning leaves it, as git does it.
  const now = new Date();
  if (
    await utimes(file, now, now).then(
      () => true,
      () => false,
    )
  )
    return;
  const bytes = await deflate(Buffer.concat([Buffer.from(`${type} ${content.length}\0`), content]), {
    level: constants.Z_BEST_SPEED,
  });
  const folder = dirname(file);
  const draft = join(folder, `tmp_obj_${randomBytes(8).toString('hex')}`);
  const create = () => open(draft, 'wx', 0o444);
  try {
    const handle = await create().catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
      await mkdir(folder, { mode: 0o755 }).catch((reason: NodeJS.ErrnoException) => {
        if (reason.code !== 'EEXIST') throw reason;
      });
      return await create();
    });
    try {
      await handle.writeFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await link(draft, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  } catch (error) {
    throw writingFailed('An object could not be written.', (error as Error).message);
  } finally {
    await rm(draft, { force: true });
  }
}

async function writePack(repository: Repository, objects: readonly NewObject[]): Promise<void> {
  const head = Buffer.from('PACK\0\0\0\x02\0\0\0\0', 'latin1');
  head.writeUInt32BE(objects.length, 8);
  const parts: Buffer[] = [head];
  for (const { type, content } of objects) {
    parts.push(packHeader(numbers[type], content.length), await deflate(content, { level: constants.Z_BEST_SPEED }));
  }
  const pack = Buffer.concat(parts);
  const input = Buffer.concat([pack, createHash('sha1').update(pack).digest()]);
  const { code, stderr } = await repository.run(['index-pack', '--stdin', '--strict', '--threads=1'], { input });
  if (code === 0) return;
  const refused = /object [0-9a-f]{40}: (?<problem>\w+): |fsck error/.exec(stderr);
  if (refused) throw new Invalid(`Git refuses the content of a file: ${refused.groups?.problem ?? 'invalid'}.`);
  throw writingFailed('Objects could not be written.', stderr);
}

/** The type and size before an object in a pack: gitformat-pack(5). */
function packHeader(type: number, size: number): Buffer {
  const bytes: number[] = [];
  let rest = Math.floor(size / 16);
  let byte = (type << 4) | (size % 16);
  while (rest > 0) {
    bytes.push(byte | 0x80);
    byte = rest % 128;
    rest = Math.floor(rest / 128);
  }
  bytes.push(byte);
  return Buffer.from(bytes);
}
