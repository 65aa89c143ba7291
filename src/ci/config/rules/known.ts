import type { WrittenCache } from '../jobs/containers.ts';
import type { Matcher } from '../patterns/matcher.ts';
import { contentsFor } from './cache-keys.ts';
import type { KnownFacts, PipelineFacts } from './facts.ts';
import type { Policy } from './only.ts';
import type { Rule } from './read.ts';

/** What is asked about an event. */
interface Asking {
  readonly rules: readonly Rule[];
  readonly policies?: readonly Policy[];
  readonly caches?: readonly WrittenCache[];
  readonly matcher: Matcher;
}

/** Looks up what rules ask for, once. */
export async function knownFacts(
  { rules: all, policies = [], caches = [], matcher }: Asking,
  facts: PipelineFacts,
): Promise<KnownFacts> {
  const rules = new Set(all);
  const compared = new Set<string>();
  for (const { changes } of rules) if (changes) compared.add(changes.compareTo ?? '');
  if (policies.some(({ changes }) => changes)) compared.add('');
  const changed = new Map<string, readonly string[] | null>();
  for (const ref of compared) changed.set(ref, await facts.changedPaths(ref === '' ? undefined : ref));
  const paths = [...rules].some((rule) => rule.exists) ? await facts.paths() : [];
  const contents = await contentsFor(caches, facts);
  return { facts, changed, paths, contents, matcher };
}
