import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { both, type Side } from './compare.ts';
import type { Target } from './target.ts';

/** A walk over every list of version 4 that has no parameters but those of its path, at two instances. */

const { paths } = JSON.parse(readFileSync('contract/openapi.json', 'utf8')) as {
  paths: Record<string, { get?: object }>;
};

/** What names a record in the path of its lists. */
const names: Readonly<Record<string, string>> = {
  issue_iid: 'iid',
  merge_request_iid: 'iid',
  epic_iid: 'iid',
  sha: 'id',
  branch: 'name',
  name: 'name',
  tag_name: 'name',
  key: 'key',
};

/** Not lists of what is there: searches, files, and what others than GET would be needed for. */
const skipped =
  /search|archive|raw|\{file_path\}|\{artifact_path\}|exists|user_agent_detail|\/avatar|locations|templates|info$/;

export interface Difference {
  /** The path as the OpenAPI document has it. */
  readonly template: string;
  readonly path: string;
  readonly there: unknown;
  readonly here: unknown;
}

interface Bounds {
  /** How many people, groups, projects and so on are looked into. */
  readonly places: number;
  /** How many records of a list in them: the last, which are the oldest mostly. */
  readonly parts: number;
}

/** Compares what two instances answer. */
export async function walkBoth(
  origin: Side,
  token: string,
  target: Side & Pick<Target, 'token'>,
  { places, parts }: Bounds,
) {
  const lists = new Map<string, Promise<readonly Record<string, unknown>[]>>();
  const listAt = (path: string) => {
    const found =
      lists.get(path) ??
      origin
        .rest('GET', `/api/v4${path}?per_page=100`, { token })
        .then(({ body }) => (Array.isArray(body) ? body : []));
    lists.set(path, found);
    return found;
  };
  /** The paths of a template: each of its lists gives the names of what follows. */
  async function pathsOf(template: string): Promise<readonly string[]> {
    let found = [''];
    for (const segment of template.split('/').filter((one) => one !== '')) {
      const parameter = /^\{(\w+)\}$/.exec(segment)?.[1];
      if (parameter === undefined) {
        found = found.map((path) => `${path}/${segment}`);
        continue;
      }
      const next = await Promise.all(
        found.map(async (path) => {
          const field = names[parameter] ?? 'id';
          const values = (await listAt(path)).flatMap((record) =>
            record[field] == null ? [] : [String(record[field])],
          );
          const bound = path.lastIndexOf('/') === 0 ? places : parts;
          return values.slice(-bound).map((value) => `${path}/${encodeURIComponent(value)}`);
        }),
      );
      found = next.flat();
    }
    return found;
  }

  const differences: Difference[] = [];
  let compared = 0;
  for (const [full, { get }] of Object.entries(paths)) {
    const template = full.replace('/api/v4', '');
    if (!get || skipped.test(template)) continue;
    const all = await pathsOf(template);
    compared += all.length;
    const answers = await Promise.all(
      all.map(async (path) => ({ path, ...(await both(origin, token, target, path)) })),
    );
    differences.push(
      ...answers.flatMap((one) => (isDeepStrictEqual(one.there, one.here) ? [] : [{ template, ...one }])),
    );
  }
  return { compared, differences };
}
