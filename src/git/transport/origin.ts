import { createHash } from 'node:crypto';
import { readdir, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { configured } from '../environment.ts';
import { Broken, Busy, GitError, Invalid, TooLarge } from '../errors.ts';
import type { Repository } from '../repository.ts';

/**
 * Fetching from another instance, which an operator named, over HTTP. Its answers are trusted as little as a push: objects
 * are checked, and time and bytes are bounded.
 */

/** A repository of another instance. */
export interface Origin {
  /** `http:` or `https:`, without a credential. */
  readonly url: string;
  readonly token: string;
}

/** The other side doesn't give the repository. */
class OriginRefused extends GitError {
  readonly code = 'INVALID';
}

/** Where fetched references are put until they are compared with ours: no one sees them. */
export const fetchedRefs = 'refs/imports/next';

const wanted = ['refs/heads/*', 'refs/tags/*', 'refs/merge-requests/*/head'];

const milliseconds = 3 * 3_600_000;
/** How often what arrives is measured, in milliseconds. */
const measuring = 1_000;
/** Bytes of the list of references: about a million. */
const longestList = 100 * 2 ** 20;

/** What keeps git on the path to this one host. */
const careful = {
  'http.followRedirects': 'false',
  'http.proxy': '',
  'http.lowSpeedLimit': '100',
  'http.lowSpeedTime': '120',
  // What servers have let in for long, as they do.
  'fetch.fsck.badTimezone': 'ignore',
  'fetch.fsck.missingSpaceBeforeDate': 'ignore',
  'fetch.fsck.zeroPaddedFilemode': 'ignore',
  'fetch.fsckObjects': 'true',
  'transfer.unpackLimit': '100',
};

/** The environment of the one process that sends the token. */
function environmentOf({ url, token }: Origin): Readonly<Record<string, string>> {
  const { protocol, origin, username, password } = new URL(url);
  if (!/^https?:$/.test(protocol) || username !== '' || password !== '')
    throw new Invalid('The address of the repository is invalid.');
  return {
    GIT_ALLOW_PROTOCOL: protocol.slice(0, -1),
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: `http.${origin}/.extraHeader`,
    GIT_CONFIG_VALUE_0: `Authorization: Basic ${Buffer.from(`oauth2:${token}`).toString('base64')}`,
  };
}

/**
 * A digest of the branches, tags and heads of merge requests that the other side has now.
 * @throws OriginRefused, TimedOut, Busy
 */
export async function originDigest({ engine }: Repository, origin: Origin): Promise<Buffer> {
  const { code, output, stderr } = await engine.runner.run(
    {
      kind: 'transfer',
      owner: 'import',
      args: [...configured(careful), 'ls-remote', '--refs', '--quiet', origin.url, ...wanted],
      environment: environmentOf(origin),
      milliseconds: 300_000,
    },
    { bound: longestList },
  );
  if (code !== 0) throw refusedWith(stderr);
  return createHash('sha256').update(output).digest();
}

/**
 * Brings the branches, tags and heads of merge requests of the other side to `fetchedRefs`, with their objects. Ours stay.
 * @throws OriginRefused, TooLarge, TimedOut, Busy
 */
export async function fetchOrigin(repository: Repository, origin: Origin): Promise<void> {
  const { limits, path } = repository;
  const ended = new AbortController();
  const before = await packedBytes(path);
  const measure = async () => {
    if ((await packedBytes(path)) - before > limits.imported)
      ended.abort(new TooLarge('The repository', limits.imported));
    const { bavail, bsize } = await statfs(path);
    if (bavail * bsize < limits.freeSpace) ended.abort(new Busy('The disk is almost full.', 600));
  };
  const timer = setInterval(() => void measure().catch((error: unknown) => ended.abort(error)), measuring);
  try {
    const { code, stderr } = await repository.run(
      [
        'fetch',
        '--quiet',
        '--prune',
        '--no-tags',
        '--no-write-fetch-head',
        '--no-auto-maintenance',
        '--no-recurse-submodules',
        origin.url,
        ...wanted.map((ref) => `+${ref}:${ref.replace('refs', fetchedRefs)}`),
      ],
      {
        kind: 'transfer',
        owner: 'import',
        milliseconds,
        configuration: careful,
        environment: environmentOf(origin),
        signal: ended.signal,
      },
    );
    if (code !== 0) throw refusedWith(stderr);
  } finally {
    clearInterval(timer);
  }
}

/** Bytes of packs, also of one that just arrives. */
async function packedBytes(path: string): Promise<number> {
  const folder = join(path, 'objects/pack');
  const names = await readdir(folder).catch(() => []);
  // Git renames a pack when it is complete.
  const sizes = await Promise.all(
    names.map((name) =>
      stat(join(folder, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

const refusals: readonly [RegExp, string][] = [
  [
    /Authentication failed|could not read (?:Username|Password)|error: 40[13]/,
    'The token may not read its repository.',
  ],
  [/repository '.*' not found/, 'It has no repository there.'],
  [/error: 3\d\d|unable to update url base from redirection/, 'Its repository is at another address.'],
  [/fsck error|index-pack failed|unpack-objects failed/, 'Its repository has objects that git refuses as broken.'],
];

function refusedWith(stderr: string): GitError {
  const known = refusals.find(([pattern]) => pattern.test(stderr));
  return known ? new OriginRefused(known[1]) : new Broken('Its repository couldn’t be fetched.', stderr);
}
