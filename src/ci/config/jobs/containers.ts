import type { Image, PlannedCache } from '../../plan.ts';
import { isList, isMapping, type Value } from '../yaml/values.ts';
import { Fields } from './fields.ts';

const imageKeys = new Set(['name', 'entrypoint', 'pull_policy', 'docker', 'kubernetes', 'user']);
const serviceKeys = new Set([...imageKeys, 'alias', 'command', 'variables', 'ports']);

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
  return {
    name,
    ...(entrypoint && { entrypoint }),
    ...(alias !== undefined && { alias }),
    ...(command && { command }),
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

/** The key of a cache; of files, it is made of their names. */
function cacheKey(fields: Fields): string {
  const value = fields.get('key');
  if (value === undefined) return 'default';
  if (!isMapping(value)) return fields.string('key') ?? 'default';
  const inner = new Fields(value, `${fields.where}:key`, fields.report);
  inner.allow(new Set(['files', 'prefix']));
  const files = inner.strings('files');
  const prefix = inner.string('prefix');
  if (!files || files.length === 0) inner.refuse('files', "can't be blank");
  return [...(prefix === undefined ? [] : [prefix]), ...(files ?? [])].join('-');
}

function cacheOf(value: Value, fields: Fields): PlannedCache | undefined {
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

export function readCache(fields: Fields): readonly PlannedCache[] | undefined {
  const value = fields.get('cache');
  if (value === undefined) return undefined;
  const caches = isList(value) ? value : [value];
  if (caches.length > mostCaches) return fields.refuseEntry('cache', `is too long (maximum is ${mostCaches})`);
  return caches.flatMap((cache) => cacheOf(cache, fields) ?? []);
}
