import type { Image, PlannedCache } from '../../plan.ts';
import { isList, isMapping, type Value } from '../yaml/values.ts';
import { Fields } from './fields.ts';
import { readVariables } from './variables.ts';

const imageKeys = new Set(['name', 'entrypoint', 'pull_policy', 'docker', 'kubernetes', 'user']);
const serviceKeys = new Set([...imageKeys, 'alias', 'command', 'variables', 'ports']);

const pullPolicies = ['always', 'never', 'if-not-present'];

/** When an image is pulled. */
function readPullPolicy(image: Fields): readonly string[] | undefined {
  const value = image.get('pull_policy');
  const policies = typeof value === 'string' ? [value] : image.strings('pull_policy');
  const unknown = policies?.filter((policy) => !pullPolicies.includes(policy)) ?? [];
  return unknown.length > 0
    ? image.refuse('pull_policy', `contains unknown values: ${unknown.slice(0, 20).join(', ')}`)
    : policies;
}

/** What executors know of an image besides its name. */
const executorKeys = { docker: ['platform', 'user'], kubernetes: ['user'] } as const;

function readExecutors(image: Fields): Image['executors'] {
  const found = Object.entries(executorKeys).flatMap(([executor, keys]) => {
    const fields = image.inner(executor);
    if (!fields) return [];
    fields.allow(new Set<string>(keys));
    const given = keys.flatMap((key) => {
      const text = fields.string(key);
      return text === undefined ? [] : [[key, text] as const];
    });
    return [[executor, Object.fromEntries(given)] as const];
  });
  return found.length > 0 ? Object.fromEntries(found) : undefined;
}

function containerOf(value: Value, fields: Fields, key: string, keys: ReadonlySet<string>): Image | undefined {
  if (typeof value === 'string' && value !== '') return { name: value };
  if (!isMapping(value)) return fields.refuseEntry(key, 'should be a hash or a string');
  const inner = new Fields(value, `${fields.where}:${key}`, fields.report);
  inner.allow(keys);
  const name = inner.string('name');
  if (!name) return inner.refuse('name', "can't be blank");
  const words = (of: string) => (typeof inner.get(of) === 'string' ? [inner.string(of)!] : inner.strings(of));
  const entrypoint = words('entrypoint');
  const command = keys.has('command') ? words('command') : undefined;
  const alias = keys.has('alias') ? inner.string('alias') : undefined;
  const variables = keys.has('variables')
    ? readVariables(value.get('variables'), `${inner.where}:variables`, fields.report, value.entries.get('variables'))
    : [];
  const pullPolicy = readPullPolicy(inner);
  const executors = readExecutors(inner);
  return {
    name,
    ...(entrypoint && { entrypoint }),
    ...(alias !== undefined && { alias }),
    ...(command && { command }),
    ...(variables.length > 0 && { variables }),
    ...(pullPolicy && { pullPolicy }),
    ...(executors && { executors }),
  };
}

export function readImage(fields: Fields): Image | undefined {
  const value = fields.get('image');
  return value === undefined ? undefined : containerOf(value, fields, 'image', imageKeys);
}

export function readServices(fields: Fields): readonly Image[] | undefined {
  const value = fields.get('services');
  if (value === undefined) return undefined;
  if (!isList(value)) return fields.refuseEntry('services', 'should be an array');
  return value.flatMap((service) => containerOf(service, fields, 'services', serviceKeys) ?? []);
}

const cacheKeys = new Set(['key', 'paths', 'untracked', 'policy', 'when', 'unprotect', 'fallback_keys']);
const cacheWhens = ['on_success', 'on_failure', 'always'] as const;
const mostCaches = 4;

/** Most files whose contents make the key of a cache. */
const mostFiles = 2;

/** The key of a cache that follows the contents of files. */
interface KeyOfFiles {
  readonly prefix?: string;
  readonly files: readonly string[];
}

/** A cache before it is known what its files contain. */
export type WrittenCache = Omit<PlannedCache, 'key'> & { readonly key: string | KeyOfFiles };

function cacheKey(fields: Fields): string | KeyOfFiles {
  const value = fields.get('key');
  if (value === undefined) return 'default';
  if (!isMapping(value)) return fields.string('key') ?? 'default';
  const inner = new Fields(value, `${fields.where}:key`, fields.report);
  inner.allow(new Set(['files', 'prefix']));
  const files = inner.strings('files') ?? [];
  const prefix = inner.string('prefix');
  if (files.length === 0) inner.refuse('files', "can't be blank");
  if (files.length > mostFiles) inner.refuse('files', `has too many items (maximum is ${mostFiles})`);
  return { ...(prefix && { prefix }), files };
}

function cacheOf(value: Value, fields: Fields): WrittenCache | undefined {
  if (!isMapping(value)) return fields.refuseEntry('cache', 'should be a hash or an array of hashes');
  const inner = new Fields(value, `${fields.where}:cache`, fields.report);
  inner.allow(cacheKeys);
  return {
    key: cacheKey(inner),
    paths: inner.strings('paths') ?? [],
    untracked: inner.boolean('untracked') ?? false,
    policy: inner.string('policy') ?? 'pull-push',
    when: inner.oneOf('when', cacheWhens) ?? 'on_success',
    fallbackKeys: inner.strings('fallback_keys') ?? [],
    ...(inner.boolean('unprotect') && { isUnprotected: true }),
  };
}

export function readCache(fields: Fields): readonly WrittenCache[] | undefined {
  const value = fields.get('cache');
  if (value === undefined) return undefined;
  const caches = isList(value) ? value : [value];
  if (caches.length > mostCaches) return fields.refuseEntry('cache', `is too long (maximum is ${mostCaches})`);
  return caches.flatMap((cache) => cacheOf(cache, fields) ?? []);
}
