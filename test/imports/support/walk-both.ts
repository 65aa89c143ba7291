import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import type { TestGateway } from '../../support/gateway.ts';
import { both } from './compare.ts';
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

/** What an import doesn't take, or what people did there, as docs/coming-from-gitlab.md says. */
export const leftOut: Readonly<Record<string, string>> = {};

interface Difference {
  readonly template: string;
  readonly path: string;
  readonly there: unknown;
  readonly here: unknown;
}

/** @param most how many records of a list are looked into */
export async function walkBoth(origin: TestGateway, token: string, target: Target, most: number) {
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
          return values.slice(0, most).map((value) => `${path}/${encodeURIComponent(value)}`);
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
    for (const path of await pathsOf(template)) {
      const { there, here } = await both(origin, token, target, path);
      compared++;
      if (!isDeepStrictEqual(there, here)) differences.push({ template, path, there, here });
    }
  }
  return { compared, differences };
}
