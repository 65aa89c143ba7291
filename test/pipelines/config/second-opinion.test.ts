import { execFile } from 'node:child_process';
import { cp, mkdtemp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { Plan } from '../../../src/ci/plan.ts';
import { runs } from '../../support/run/runs.ts';
import { planned, type Files } from './support.ts';

/**
 * Files that were written to cover what a configuration can say. What becomes of them at a push to `main` is compared with
 * what gitlab-ci-local makes of them, where that is run: it takes about a second a file.
 */

const run = promisify(execFile);
const folder = resolve(import.meta.dirname, '../ci-files');
const names = (await readdir(folder)).filter((name) => name.endsWith('.yml')).toSorted();
const included = await readdir(join(folder, 'included'));
const files: Files = Object.fromEntries(
  await Promise.all(
    included.map(async (name) => [`included/${name}`, await readFile(join(folder, 'included', name), 'utf8')] as const),
  ),
);

/** Where the other differs from what is documented, and why. */
const differences: Readonly<Record<string, string>> = {
  'only.yml': 'It ignores `only` and `except`.',
  'workflow.yml': 'It doesn’t show rules the variables of the workflow.',
};

async function planOfFile(name: string): Promise<Plan> {
  const result = await planned(await readFile(join(folder, name), 'utf8'), {
    files,
    predefined: { CI_COMMIT_BRANCH: 'main', CI_COMMIT_REF_SLUG: 'main', CI_PIPELINE_SOURCE: 'push' },
    paths: ['.gitlab-ci.yml', 'Dockerfile', 'src/a/b.ts'],
  });
  if (!('plan' in result)) throw new Error(`${name}: ${JSON.stringify(result)}`);
  return result.plan;
}

/** What is compared of a job. */
interface Seen {
  readonly name: string;
  readonly stage: string;
  readonly when: string;
  readonly needs: readonly string[] | null;
}

const byName = (jobs: readonly Seen[]) => jobs.toSorted((one, other) => (one.name < other.name ? -1 : 1));

/** The name of an entry, without what `parallel` adds. */
const entry = (name: string) => name.replace(/(?:: \[[^\]]*\]| \d+\/\d+)$/, '');

const seen = ({ jobs }: Plan): Seen[] =>
  byName(
    jobs.map(({ name, stage, when, needs }) => ({
      name: name.replace(/ (\d+\/\d+)$/, ': [$1]').replaceAll(', ', ','),
      stage,
      when,
      needs: needs && [...new Set(needs.map(({ job }) => entry(job)))].toSorted(),
    })),
  );

interface TheirJob {
  readonly name: string;
  readonly stage: string;
  readonly when: string;
  readonly needs?: readonly { readonly job: string }[];
}

function seenByThem(jobs: readonly TheirJob[]): Seen[] {
  const present = jobs.filter(({ when }) => when !== 'never');
  const known = new Set(present.map(({ name }) => entry(name)));
  return byName(
    present.map(({ name, stage, when, needs }) => ({
      name,
      stage,
      when,
      needs:
        needs
          ?.map(({ job }) => job)
          .filter((job) => known.has(job))
          .toSorted() ?? null,
    })),
  );
}

/** What gitlab-ci-local says of all files, in a repository of their own. It reaches nothing: nothing in them is remote. */
async function secondOpinion(): Promise<Record<string, TheirJob[]>> {
  const place = await mkdtemp(join(tmpdir(), 'second-opinion-'));
  try {
    await cp(folder, place, { recursive: true });
    await mkdir(join(place, 'src/a'), { recursive: true });
    await writeFile(join(place, 'src/a/b.ts'), '');
    await writeFile(join(place, 'Dockerfile'), '');
    const env = { PATH: process.env['PATH'], HOME: place, GIT_CONFIG_GLOBAL: '/dev/null', GIT_TERMINAL_PROMPT: '0' };
    const git = (...args: string[]) => run('git', args, { cwd: place, env });
    await git('init', '-q', '-b', 'main');
    await git('add', '-A');
    await git('-c', 'user.name=A', '-c', 'user.email=a@example.com', 'commit', '-qm', 'Files');
    await git('remote', 'add', 'origin', 'git@gitlab.example.com:group/app.git');
    const script = resolve(import.meta.dirname, 'second-opinion.mjs');
    const module = pathToFileURL(createRequire(import.meta.url).resolve('gitlab-ci-local')).href;
    const { stdout } = await run(process.execPath, [script, module, ...names], { cwd: place, env, maxBuffer: 2 ** 26 });
    return JSON.parse(stdout) as Record<string, TheirJob[]>;
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

test('all files are planned', async () => {
  expect(names.length).toBeGreaterThanOrEqual(30);
  for (const name of names) {
    const { jobs } = await planOfFile(name);
    expect(jobs.length, name).toBeGreaterThan(0);
    expect(
      jobs.filter((job) => job.name.startsWith('no-')),
      name,
    ).toEqual([]);
    const text = await readFile(join(folder, name), 'utf8');
    const wanted = [...text.matchAll(/^(yes-\d+):/gm)].map(([, found]) => found);
    expect(
      jobs.flatMap((job) => (job.name.startsWith('yes-') ? job.name : [])),
      name,
    ).toEqual(wanted);
  }
});

test('what another reader leaves out or ignores', async () => {
  const jobs = async (name: string) => (await planOfFile(name)).jobs.map((job) => job.name);
  expect(await jobs('only.yml')).toEqual(['a', 'd']);
  expect(await jobs('workflow.yml')).toEqual(['a']);
});

describe.runIf(runs > 1)('gitlab-ci-local', () => {
  test('agrees on jobs, stages, needs and when', { timeout: 300_000 }, async () => {
    const theirs = await secondOpinion();
    for (const name of names)
      if (!(name in differences)) expect(seen(await planOfFile(name)), name).toEqual(seenByThem(theirs[name]!));
  });
});
