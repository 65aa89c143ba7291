import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathOf } from '../../src/git/storage/create.ts';
import type { Fault } from '../fault.ts';
import { rootToken, type Gateway } from '../gateways.ts';
import { damageOf, gitIn } from '../git.ts';
import { promised, rounded } from '../promised.ts';
import { mountSmall, tryToMount, unmountSmall } from '../small-disk.ts';
import { allAnswered } from '../verify.ts';

/** Megabytes: repositories and what git needs beside them. */
const size = 64;
let folder: string | undefined;

interface Answer {
  readonly status: number;
  readonly text: string;
}

async function commit({ origin }: Gateway, project: number, path: string, content: string): Promise<Answer> {
  const answer = await fetch(`${origin}/api/v4/projects/${project}/repository/commits`, {
    method: 'POST',
    headers: { 'private-token': rootToken, 'content-type': 'application/json' },
    body: JSON.stringify({
      branch: 'main',
      commit_message: `Add ${path}`,
      actions: [{ action: 'create', file_path: path, content, encoding: 'base64' }],
    }),
  });
  return { status: answer.status, text: await answer.text() };
}

const some = (bytes: number) => randomBytes(bytes).toString('base64');

export const repositoryDiskFull: Fault = {
  name: 'repository-disk-full',
  what: `The disk of the repositories (a file system of ${size} MB) is full, and has room again later; the database's has room.`,
  // Pushes are refused while less than 256 MB are free, and logs of jobs are on the same disk.
  without: ['git', 'runner'],
  skipReason: tryToMount,
  async settings() {
    folder = await mkdtemp(join(tmpdir(), 'causeway-repository-disk-'));
    await chmod(folder, 0o755);
    mountSmall(folder, size);
    return [{ DATA_DIR: folder }, { DATA_DIR: folder }];
  },
  async run({ gateways, load }) {
    const [gateway] = gateways as [Gateway];
    const made = await fetch(`${gateway.origin}/api/v4/projects`, {
      method: 'POST',
      headers: { 'private-token': rootToken, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'full' }),
    });
    const { id } = (await made.json()) as { id: number };
    const first = await commit(gateway, id, 'first', some(1_000));
    const ballast = join(folder!, 'ballast');
    const { bavail, bsize } = await statfs(folder!);
    await writeFile(ballast, Buffer.alloc(bavail * bsize)).catch(() => {});
    const from = performance.now();
    const refused: Answer[] = [];
    for (let number = 0; number < 6; number++)
      refused.push(await commit(gateways[number % 2]!, id, `refused-${number}`, some(500_000)));
    const read = await fetch(`${gateway.origin}/api/v4/projects/${id}/repository/files/first?ref=main`, {
      headers: { 'private-token': rootToken },
    });
    await pause(500);
    const to = performance.now();
    await rm(ballast);
    const freedAt = performance.now();
    let again: number | undefined;
    let last: Answer = { status: 0, text: '' };
    for (let number = 0; again === undefined && performance.now() < freedAt + 60_000; number++) {
      last = await commit(gateways[number % 2]!, id, `again-${number}`, some(500_000));
      if (last.status === 201) again = performance.now() - freedAt;
      else await pause(250);
    }
    const repository = join(folder!, 'repositories', pathOf(id));
    const count = Number(gitIn(repository, ['rev-list', '--count', 'main']));
    const damage = damageOf(repository);
    const statuses = [...new Set(refused.map(({ status }) => status))];
    const leaks = refused.filter(({ text }) => text.includes(folder!) || /\b(fatal|errno|at \/)/i.test(text));
    return [
      promised(
        'Commits without room are refused with 503, and show no internals.',
        `${first.status} before, then ${statuses.join(', ')}: ${refused[0]!.text.slice(0, 120)}`,
        first.status === 201 && statuses.every((status) => status === 503) && leaks.length === 0,
      ),
      promised('What is there can be read meanwhile.', `answered ${read.status}`, read.status === 200),
      allAnswered('Everything else is answered meanwhile.', load.between(from, to)),
      promised(
        'Commits work again when there is room, without intervention.',
        again === undefined
          ? `not within a minute: ${last.status} ${last.text.slice(0, 120)}`
          : `after ${rounded(again)}`,
        again !== undefined,
      ),
      promised(
        'No commit is half there (`git fsck --strict`).',
        `${count} commits of 2; ${damage || 'nothing is damaged'}`,
        count === 2 && damage === '',
      ),
    ];
  },
  async clear() {
    if (folder === undefined) return;
    unmountSmall(folder);
    await rm(folder, { recursive: true, force: true });
    folder = undefined;
  },
};
