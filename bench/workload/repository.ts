import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fillRepository, someFile, someFolder } from '../apart/big-repository.ts';
import type { Ask, Call } from '../load.ts';
import type { Store } from '../store.ts';
import { bearing, both, cpu, throughput, type MakeCalls, type Work } from './request.ts';

/** Files, folders and commits of one repository of 5,000 commits, beside the floor. */

/** Whose repository it is: that of a project of the second person. Pipelines have that of the first. */
const owner = ({ people }: Store) => people[1]!;

const ofRepository =
  (path: (turn: number) => string, contains: string): MakeCalls =>
  (store) => ({
    next: (turn): Call => ({
      path: `/api/v4/projects/${owner(store).project}/repository/${path(turn)}`,
      headers: bearing(owner(store)),
      contains,
    }),
  });

const encoded = (turn: number) => encodeURIComponent(someFile(turn));
const file = ofRepository((turn) => `files/${encoded(turn)}?ref=main`, '"last_commit_id"');
const raw = ofRepository((turn) => `files/${encoded(turn)}/raw?ref=main`, '\n');
const folder = ofRepository((turn) => `tree?ref=main&path=${someFolder(turn)}`, '"100644"');
const commits = (page: number) => ofRepository(() => `commits?ref_name=main&page=${page}`, '"short_id"');

/** Pushes the repository, in the first run. */
async function push(store: Store, ask: Ask): Promise<void> {
  const { project, token } = owner(store);
  const headers = bearing(owner(store));
  const branches = await ask({ path: `/api/v4/projects/${project}/repository/branches`, headers });
  if (branches !== '[]') return;
  const record = JSON.parse(await ask({ path: `/api/v4/projects/${project}`, headers })) as {
    http_url_to_repo: string;
  };
  const url = new URL(record.http_url_to_repo);
  url.username = 'bench';
  url.password = token;
  const scratch = await mkdtemp(join(tmpdir(), 'causeway-bench-push-'));
  try {
    execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=main'], { cwd: scratch });
    fillRepository(scratch);
    execFileSync('git', ['push', '--quiet', url.href, 'main'], { cwd: scratch });
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

const reading = (name: string, calls: MakeCalls, more: Partial<Work> = {}): Work => ({
  name: `repository, ${name}`,
  contenders: both(calls),
  targets: [cpu('floor', 2), throughput('floor')],
  furnish: push,
  alike: true,
  ...more,
});

export const repositoryWork: readonly Work[] = [
  reading('a file', file, { key: true }),
  reading('a raw file', raw),
  reading('a folder of 100 files', folder),
  reading('20 commits, page 1', commits(1)),
  reading('20 commits, page 100', commits(100)),
];
