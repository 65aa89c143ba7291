import { createHash } from 'node:crypto';
import type { PlannedCache } from '../../plan.ts';
import type { WrittenCache } from '../jobs/containers.ts';
import type { KnownFacts, PipelineFacts } from './facts.ts';

/** Looks up the files that make the keys of caches, each once. */
export async function contentsFor(
  caches: Iterable<WrittenCache>,
  facts: Pick<PipelineFacts, 'contents'>,
): Promise<KnownFacts['contents']> {
  const paths = new Set([...caches].flatMap(({ key }) => (typeof key === 'string' ? [] : key.files)));
  const contents = new Map<string, string | null>();
  for (const path of paths) contents.set(path, await facts.contents(path));
  return contents;
}

/** A cache with its key: one of files changes when they do, and is `default` without them. */
export function cacheWithKey({ key, ...cache }: WrittenCache, contents: KnownFacts['contents']): PlannedCache {
  if (typeof key === 'string') return { key, ...cache };
  const found = new Set(key.files.flatMap((path) => contents.get(path) ?? []));
  const digest =
    found.size === 0
      ? 'default'
      : createHash('sha256')
          .update([...found].toSorted().join('-'))
          .digest('hex')
          .slice(0, 40);
  return { key: key.prefix === undefined ? digest : `${key.prefix}-${digest}`, ...cache };
}
