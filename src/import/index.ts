import { importedKinds, type ImportedKind } from '../values/kinds/imported-kinds.ts';
import { ImportError, NotGiven, OriginClient } from './client.ts';
import { Importer, type Run } from './importer.ts';
import { Report } from './report.ts';
import { importPeople, importSshKeys, importStars } from './steps/people.ts';
import { importMergeRequests } from './steps/merge-requests.ts';
import { importIssues, importLabelsAndMilestones } from './steps/planning.ts';
import { importErrorTracking, importNotificationSettings } from './steps/settings.ts';
import { importSubscriptions } from './steps/subscriptions.ts';
import { importSnippets } from './steps/snippets.ts';
import { importProtectedBranches, importProtectedTags, importRepositories } from './steps/code.ts';
import { importTriggers, importVariables } from './steps/pipelines.ts';
import { importAccessRequests, importGroups, importMembers, importProjects, importShares } from './steps/places.ts';

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

/** What `--only` names. A part needs those before it, but these may have been imported by an earlier run. */
export const parts = ['people', 'groups', 'projects', 'issues', 'snippets', 'settings', 'code', 'pipelines'] as const;
export type Part = (typeof parts)[number];

/** What the first steps find for the others. */
type Found = 'people' | 'groups' | 'projects';

interface Step {
  readonly kind: ImportedKind;
  readonly part: Part;
  readonly run: (importer: Importer) => Promise<void>;
  /** What it works on. A run without the part that writes these only finds them. */
  readonly reads: readonly Found[];
}

/** In their order, and before the steps. They are done again when an import is resumed. */
const finding: { readonly [One in Found]: (importer: Importer, isWritten: boolean) => Promise<void> } = {
  people: importPeople,
  groups: importGroups,
  projects: importProjects,
};

const steps: readonly Step[] = [
  { kind: 'sshKeys', part: 'people', run: importSshKeys, reads: ['people'] },
  { kind: 'members', part: 'groups', run: importMembers, reads: ['groups', 'projects'] },
  { kind: 'accessRequests', part: 'groups', run: importAccessRequests, reads: ['groups', 'projects'] },
  { kind: 'shares', part: 'groups', run: importShares, reads: ['groups', 'projects'] },
  { kind: 'stars', part: 'projects', run: importStars, reads: ['people'] },
  { kind: 'labels', part: 'issues', run: importLabelsAndMilestones, reads: ['groups', 'projects'] },
  { kind: 'issues', part: 'issues', run: importIssues, reads: ['projects'] },
  { kind: 'snippets', part: 'snippets', run: importSnippets, reads: ['projects'] },
  { kind: 'notificationSettings', part: 'settings', run: importNotificationSettings, reads: ['people'] },
  { kind: 'errorTracking', part: 'settings', run: importErrorTracking, reads: ['projects'] },
  // Before the branches and tags that they protect.
  { kind: 'protectedBranches', part: 'code', run: importProtectedBranches, reads: ['projects'] },
  { kind: 'protectedTags', part: 'code', run: importProtectedTags, reads: ['projects'] },
  { kind: 'repositories', part: 'code', run: importRepositories, reads: ['projects'] },
  { kind: 'mergeRequests', part: 'code', run: importMergeRequests, reads: ['projects'] },
  { kind: 'subscriptions', part: 'settings', run: importSubscriptions, reads: ['people', 'projects'] },
  { kind: 'triggers', part: 'pipelines', run: importTriggers, reads: ['projects'] },
  { kind: 'variables', part: 'pipelines', run: importVariables, reads: ['groups', 'projects'] },
];

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
  try {
    await sayWhoIsTheSame(importer, same);
    const wanted = only.length > 0 ? only : parts;
    if (dryRun) await countTheRest(importer, wanted);
    await importParts(importer, wanted);
  } catch (error) {
    // Without these lists, there is nothing to go on with.
    if (error instanceof NotGiven) throw new ImportError(error.message, remedyFor(error, options));
    throw error;
  }
  report.skips(importer.skipped);
  if (!dryRun)
    await run('mutation ($input: ImportFinishInput!) { importFinish(input: $input) { originId } }', {
      input: { originId },
    });
  return report;
}

/** A dry run only looks at what everything else refers to: for the others, that isn't there yet. */
async function importParts(importer: Importer, wanted: readonly Part[]): Promise<void> {
  const { dryRun } = importer.options;
  const its = dryRun ? [] : steps.filter(({ part }) => wanted.includes(part));
  for (const [found, find] of Object.entries(finding) as [Found, (typeof finding)[Found]][]) {
    const isWritten = wanted.includes(found);
    if (isWritten || its.some(({ reads }) => reads.includes(found))) await find(importer, isWritten);
  }
  for (const { kind, run } of its) await importer.part(importedKinds[kind], () => run(importer));
}

const remedyFor = ({ status }: NotGiven, { group }: ImportOptions): string =>
  group !== undefined && status === 404
    ? 'Check the path in --group.'
    : 'Run the command again later: it goes on where it stopped.';

/** Lists that a dry run only counts, of the instance and of a group, if groups have such a list. */
const counted = [
  { what: 'issues', part: 'issues', whole: '/issues', inGroup: '/issues' },
  { what: 'merge requests', part: 'code', whole: '/merge_requests', inGroup: '/merge_requests' },
  { what: 'snippets', part: 'snippets', whole: '/snippets/all', inGroup: undefined },
] as const;

async function countTheRest(importer: Importer, wanted: readonly Part[]): Promise<void> {
  const { client, group, report, since } = importer.options;
  for (const { what, part, whole, inGroup } of counted) {
    if (!wanted.includes(part) || (group !== undefined && inGroup === undefined)) continue;
    const path = group === undefined ? whole : `/groups/${encodeURIComponent(group)}${inGroup}`;
    const query = { scope: 'all', ...(since !== undefined && part !== 'snippets' && { updated_after: since }) };
    const count = await client.count(path, query).catch(() => undefined);
    if (count !== undefined) report.counted(what, count);
  }
}

/** @throws ImportError */
async function requireAdministrator(client: OriginClient): Promise<void> {
  const own = await client.get('/user').catch((error: unknown) => {
    if (!(error instanceof NotGiven)) throw error;
    throw new ImportError(error.message, 'Is this the address of a GitLab?');
  });
  if (own.is_admin === true) return;
  throw new ImportError(
    `The token is that of ${String(own.username)}, who is no administrator there.`,
    'Only administrators see everything. Make a token of one.',
  );
}

/** @throws ImportError for someone who isn't there */
async function sayWhoIsTheSame(
  { options: { client, run, originId, dryRun } }: Importer,
  same: ReadonlyMap<string, string>,
) {
  for (const [there, here] of same) {
    const found = await client.all('/users', { username: there });
    // An instance that ignored the filter would answer with other people.
    const person = found.find(({ username }) => String(username).toLowerCase() === there.toLowerCase());
    if (typeof person?.id !== 'number')
      throw new ImportError(`No one is called ${there} there.`, 'Check the name in --same.');
    if (dryRun) continue;
    await run('mutation ($input: ImportSamePersonInput!) { importSamePerson(input: $input) { userId } }', {
      input: { originId, key: String(person.id), username: here },
    });
  }
}
