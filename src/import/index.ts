import { importedKinds, type ImportedKind } from '../values/imported-kinds.ts';
import { ImportError, OriginClient } from './client.ts';
import { Importer, type Run } from './importer.ts';
import { Report } from './report.ts';
import { importPeople, importSshKeys, importStars } from './steps/people.ts';
import { importMergeRequests } from './steps/merge-requests.ts';
import { importIssues, importLabelsAndMilestones } from './steps/planning.ts';
import { importErrorTracking, importNotificationSettings } from './steps/settings.ts';
import { importSnippets } from './steps/snippets.ts';
import { importProtectedBranches, importRepositories } from './steps/code.ts';
import { importTriggers, importVariables } from './steps/pipelines.ts';
import { importGroups, importMembers, importProjects, importShares } from './steps/places.ts';

/** Takes people, groups, projects and what is in them over from another instance, through its API of version 4. */

export { instanceAddress } from './client.ts';
export type { Run } from './importer.ts';
export { Report } from './report.ts';

export interface ImportOptions {
  readonly from: string;
  /** Of an administrator there. */
  readonly token: string;
  readonly run: Run;
  /** Whether nothing is written. */
  readonly dryRun: boolean;
  /** The parts that are imported; all if it is empty. */
  readonly only: readonly Part[];
  readonly group?: string | undefined;
  readonly since?: string | undefined;
  /** People there who are people here: name there, name here. */
  readonly same: ReadonlyMap<string, string>;
  readonly signal: AbortSignal;
  readonly progress: (label: string, done: number, all: number) => void;
}

/** What `--only` names. A part needs those before it, but they may have been imported earlier. */
export const parts = ['people', 'groups', 'projects', 'issues', 'snippets', 'settings', 'code', 'pipelines'] as const;
export type Part = (typeof parts)[number];

interface Step {
  readonly kind: ImportedKind;
  readonly part: Part;
  readonly run: (importer: Importer) => Promise<void>;
  /** Whether it also finds what later steps read. Then it is done again when an import is resumed. */
  readonly finds?: true;
}

const steps: readonly Step[] = [
  { kind: 'people', part: 'people', run: importPeople, finds: true },
  { kind: 'sshKeys', part: 'people', run: importSshKeys },
  { kind: 'groups', part: 'groups', run: importGroups, finds: true },
  { kind: 'projects', part: 'projects', run: importProjects, finds: true },
  { kind: 'members', part: 'groups', run: importMembers },
  { kind: 'shares', part: 'groups', run: importShares },
  { kind: 'stars', part: 'projects', run: importStars },
  { kind: 'labels', part: 'issues', run: importLabelsAndMilestones },
  { kind: 'issues', part: 'issues', run: importIssues },
  { kind: 'snippets', part: 'snippets', run: importSnippets },
  { kind: 'notificationSettings', part: 'settings', run: importNotificationSettings },
  { kind: 'errorTracking', part: 'settings', run: importErrorTracking },
  // Before the branches that they protect.
  { kind: 'protectedBranches', part: 'code', run: importProtectedBranches },
  { kind: 'repositories', part: 'code', run: importRepositories },
  { kind: 'mergeRequests', part: 'code', run: importMergeRequests },
  { kind: 'triggers', part: 'pipelines', run: importTriggers },
  { kind: 'variables', part: 'pipelines', run: importVariables },
];

/** Steps that a dry run does: for the others, what they refer to isn't there yet. */
const examined: ReadonlySet<ImportedKind> = new Set(['people', 'groups', 'projects']);

/**
 * Imports. What was imported stays if it is interrupted, and the next run goes on.
 * @returns what it did
 * @throws ImportError
 */
export async function importFrom(options: ImportOptions): Promise<Report> {
  const { run, dryRun, only, same, signal } = options;
  const client = new OriginClient({ url: options.from, token: options.token, signal });
  await requireAdministrator(client);
  const { begun } = await run<{ begun: { originId: number; finished: readonly string[] } }>(
    'mutation ($input: ImportBeginInput!) { begun: importBegin(input: $input) { originId finished } }',
    { input: { url: client.url } },
  );
  const { originId } = begun;
  const report = new Report();
  const importer = new Importer({
    client,
    token: options.token,
    run,
    originId,
    report,
    dryRun,
    signal,
    finished: new Set(begun.finished),
    progress: options.progress,
    same,
    group: options.group,
    since: options.since,
  });
  await sayWhoIsTheSame(importer, same);
  if (dryRun) await countTheRest(importer);
  for (const { kind, part, run: work, finds } of steps) {
    if (dryRun && !examined.has(kind)) continue;
    if (only.length > 0 && !only.includes(part)) continue;
    if (finds) await work(importer);
    else await importer.part(importedKinds[kind], () => work(importer));
  }
  if (!dryRun)
    await run('mutation ($input: ImportFinishInput!) { importFinish(input: $input) { originId } }', {
      input: { originId },
    });
  return report;
}

/** Lists of the whole instance that a dry run only counts. */
const counted = { issues: '/issues', 'merge requests': '/merge_requests', 'snippets of people': '/snippets/all' };

async function countTheRest({ options: { client, report } }: Importer): Promise<void> {
  for (const [what, path] of Object.entries(counted)) {
    const count = await client.count(path, { scope: 'all' }).catch(() => undefined);
    if (count !== undefined) report.counted(what, count);
  }
}

/** @throws ImportError */
async function requireAdministrator(client: OriginClient): Promise<void> {
  const own = await client.get('/user');
  if (own.is_admin === true) return;
  throw new ImportError(
    `The token is that of ${String(own.username)}, who is no administrator there.`,
    'Only administrators see everything. Make a token of one.',
  );
}

/** @throws ImportError for somebody who isn't there */
async function sayWhoIsTheSame(
  { options: { client, run, originId, dryRun } }: Importer,
  same: ReadonlyMap<string, string>,
) {
  for (const [there, here] of same) {
    const found = await client.all('/users', { username: there });
    // An instance that ignored the filter would answer with anybody.
    const person = found.find(({ username }) => String(username).toLowerCase() === there.toLowerCase());
    if (typeof person?.id !== 'number')
      throw new ImportError(`Nobody is called ${there} there.`, 'Check the name in --same.');
    if (dryRun) continue;
    await run('mutation ($input: ImportSamePersonInput!) { importSamePerson(input: $input) { userId } }', {
      input: { originId, key: String(person.id), username: here },
    });
  }
}
