import { scopeOf } from '../../../ci/config/rules/scope.ts';
import type { AutoCancel, Plan, PlannedJob, PlannedVariable } from '../../../ci/plan.ts';
import type { PipelineFacts } from '../../../ci/config/index.ts';
import type { Context } from '../../../context.ts';
import type { Sql } from '../../../database/index.ts';
import { NotFound } from '../../../errors.ts';
import {
  available,
  holds,
  mayChange,
  isAdministrator,
  isProtectedRef,
  mayRunOn,
  roles,
  runPipelines,
} from '../../../policy/index.ts';
import type { PipelineSource } from '../../../values/ci/pipeline-sources.ts';
import { rulesAbout } from '../../repository/protected-tags/read.ts';
import type { RepositoryRecord } from '../../repository/repositories/look-up.ts';
import { lockPipelineNumbers, type LockedPipeline } from '../pipelines/open.ts';
import { namedPipeline, type PipelineRecord } from '../pipelines/read.ts';
import { endPipeline } from '../pipelines/settle.ts';
import { processPipeline } from '../processing/process.ts';
import { sealForPipeline } from '../processing/sealing.ts';
import { cancelSuperfluous } from './superfluous.ts';
import { hasConfiguration, planAt, usualPath } from './configuration.ts';
import { factsFor, type Event, type OfMergeRequest } from './facts.ts';
import { checkVariables, type GivenVariable } from './input.ts';
import { AlreadyMade, NoConfiguration, refused, WrongConfiguration } from './refused.ts';
import { targetOf } from './refs.ts';
import { findCreating, insertJobs, insertPlanned, storePipelineVariables, type CreatingRow } from './statements.ts';

/** What a pipeline is made for. */
export interface NewPipeline {
  /** A branch or tag. */
  readonly ref: string;
  readonly source: PipelineSource;
  readonly variables?: readonly GivenVariable[];
  /** Variables that say why it is made: no one needs a right to give them. */
  readonly reasons?: readonly GivenVariable[];
  /** What the schedule says that starts it. */
  readonly scheduleDescription?: string;
  /** What else is written together with it. */
  readonly also?: (sql: Sql, pipelineId: number) => Promise<void>;
  /** Where the branch was before. */
  readonly beforeSha?: string | null;
  readonly mergeRequest?: OfMergeRequest;
  /** Whether it is made only if its merge request has none for the commit. */
  readonly isFirst?: boolean;
  /** The commit, if it isn’t the one that the branch is at. */
  readonly commit?: string;
  /** Whether the person who pushed wants no jobs. */
  readonly isSkipped?: boolean;
  /** The change of the branch, for which there is one pipeline. */
  readonly refChangeId?: number;
}

/** A pipeline before it is stored. */
interface Ready {
  readonly event: Event;
  readonly asked: NewPipeline;
  readonly settings: CreatingRow;
  readonly personId: number | null;
}

/**
 * Makes a pipeline of a branch or tag by its configuration, as the viewer, and starts its first jobs.
 * @throws InvalidFields for `base`, in the words of the contract: nothing is stored
 */
export async function createPipeline(
  context: Context,
  repository: RepositoryRecord,
  asked: NewPipeline,
): Promise<PipelineRecord> {
  const ready = await readyFor(context, repository, asked);
  const facts = await factsFor(context, repository, ready.settings, ready.event);
  const plan = await planAt(ready.event.target.git, ready.event.target.commit.id, ready.settings.configPath, facts);
  const id = await context.database.transaction((sql) =>
    storePlanned(context, sql, repository, ready, { plan, facts }),
  );
  return await stored(context, repository, ready, id);
}

/**
 * The same for a push: without a configuration there is no pipeline; one that is wrong makes a failed one, and a commit whose
 * message says so, or a push that does, a skipped one.
 * @returns null without a configuration, and if there is one for this change already
 * @throws InvalidFields if none is made
 */
export async function createPushed(
  context: Context,
  repository: RepositoryRecord,
  asked: NewPipeline & { readonly refChangeId: number },
): Promise<PipelineRecord | null> {
  const ready = await readyFor(context, repository, asked);
  const { target } = ready.event;
  if (!(await hasConfiguration(target.git, target.commit.id, ready.settings.configPath))) return null;
  if (asked.isSkipped || skips(target.commit.message))
    return await storeEnded(context, repository, ready, { status: 'skipped', errors: null });
  try {
    return await createPipeline(context, repository, asked);
  } catch (error) {
    if (error instanceof NoConfiguration) return null;
    if (!(error instanceof WrongConfiguration)) throw error;
    return await storeEnded(context, repository, ready, { status: 'failed', errors: error.sentences.join('\n') });
  }
}

/** Whether a message says that a push of it makes no jobs. */
export const skips = (message: string): boolean => /\[(?:ci[ _-]skip|skip[ _-]ci)\]/i.test(message);

/**
 * What a pipeline would be planned with, without making it.
 * @throws InvalidFields if none would be made
 */
export async function factsToTry(
  context: Context,
  repository: RepositoryRecord,
  asked: NewPipeline,
): Promise<PipelineFacts> {
  const { settings, event } = await readyFor(context, repository, asked);
  return await factsFor(context, repository, settings, event);
}

/** Where the configuration of a project is. */
export async function configurationPath({ database }: Context, { id }: RepositoryRecord): Promise<string> {
  const [settings] = await database.rows(findCreating, [id]);
  return settings?.configPath || usualPath;
}

/** @throws InvalidFields */
async function readyFor(context: Context, repository: RepositoryRecord, asked: NewPipeline): Promise<Ready> {
  const { viewer } = context;
  if (!holds(available('builds'), viewer, repository.facts)) throw refused('Pipelines are disabled!');
  if (!mayChange(runPipelines, viewer, repository.facts, repository.archived))
    throw refused('Insufficient permissions to create a new pipeline');
  const variables = asked.variables ?? [];
  checkVariables(givenTo(asked));
  const target = await targetOf(repository, asked.ref, asked.commit);
  const [[settings], rules] = await Promise.all([
    context.database.rows(findCreating, [repository.id]),
    rulesAbout(context, repository, target),
  ]);
  if (!settings) throw new NotFound('Project');
  if (!mayRunOn({ viewer, facts: repository.facts, archived: repository.archived, ...rules }, target))
    throw refused(
      `You do not have sufficient permission to run a pipeline on '${target.ref}'. Please select a different branch or contact your administrator for assistance.`,
    );
  if (variables.length > 0 && !maySetVariables(context, repository, settings))
    throw refused('Insufficient permissions to set pipeline variables');
  const isProtected = isProtectedRef(rules, target);
  const event: Event = {
    source: asked.source,
    target,
    isProtected,
    beforeSha: asked.beforeSha ?? null,
    mergeRequest: asked.mergeRequest ?? null,
    scheduleDescription: asked.scheduleDescription ?? null,
    variables: givenTo(asked)
      .filter(({ kind }) => kind === 'env_var')
      .map(planned),
  };
  return { event, asked, settings, personId: viewer.person?.id ?? null };
}

/** The variables of a pipeline. */
const givenTo = ({ variables = [], reasons = [] }: NewPipeline): readonly GivenVariable[] => [...variables, ...reasons];

const planned = ({ key, value, raw }: GivenVariable): PlannedVariable => ({ key, value, ...(raw && { raw }) });

const levels: { readonly [role: string]: number } = {
  developer: roles.developer,
  maintainer: roles.maintainer,
  owner: roles.owner,
};

/** Whether the viewer gives variables to pipelines, by the project’s setting. */
function maySetVariables({ viewer }: Context, { facts }: RepositoryRecord, { variablesRole }: CreatingRow): boolean {
  const level = levels[variablesRole ?? 'developer'];
  return level !== undefined && (isAdministrator(viewer) || facts.accessLevel >= level);
}

/** Warnings of a pipeline that are kept. */
const mostWarnings = 25;

const insert = async (
  sql: Sql,
  { id }: Pick<RepositoryRecord, 'id'>,
  { event, asked, personId }: Ready,
  {
    name = null,
    errors = null,
    autoCancel = {},
    warnings = [],
  }: {
    readonly name?: string | null;
    readonly errors?: string | null;
    readonly autoCancel?: AutoCancel;
    readonly warnings?: readonly string[];
  },
): Promise<LockedPipeline | undefined> => {
  const { ref, tag, commit } = event.target;
  const of = [id, ref, tag, commit.id, event.source, personId, event.beforeSha];
  const rest = [name, errors, event.mergeRequest?.id ?? null, event.isProtected, asked.refChangeId ?? null];
  const cancels = [autoCancel.onNewCommit ?? null, autoCancel.onJobFailure ?? null];
  const isFirst = asked.isFirst ?? false;
  // Others may just be making one: a statement of its own, since one sees only what was committed before it waited.
  if (isFirst) await lockPipelineNumbers(sql, id);
  return (await sql.rows(insertPlanned, [...of, ...rest, ...cancels, isFirst, warnings]))[0];
};

/** @returns its id; undefined if there is one already: for this change, or for its merge request */
async function storePlanned(
  { keys }: Context,
  sql: Sql,
  repository: RepositoryRecord,
  ready: Ready,
  { plan, facts }: { readonly plan: Plan; readonly facts: PipelineFacts },
): Promise<number | undefined> {
  const pipeline = await insert(sql, repository, ready, {
    name: plan.name?.slice(0, 255) || null,
    autoCancel: plan.autoCancel,
    warnings: plan.warnings.slice(0, mostWarnings),
  });
  if (!pipeline) return undefined;
  const { settings, personId, asked } = ready;
  const environments = plan.jobs.map((job) => environmentOf(job, facts));
  await sql.rows(insertJobs, [
    pipeline.id,
    JSON.stringify(plan.jobs),
    personId,
    settings.timeout ?? 3600,
    environments,
  ]);
  const variables = givenTo(asked);
  if (variables.length > 0) {
    const sealed = variables.map(({ key, value }) => sealForPipeline(keys, pipeline.id, key, value));
    await sql.rows(storePipelineVariables, [
      pipeline.id,
      variables.map((one) => one.key),
      variables.map(({ kind }) => kind),
      sealed,
      variables.map(({ raw }) => raw ?? false),
    ]);
  }
  await processPipeline(sql, pipeline, personId);
  await asked.also?.(sql, pipeline.id);
  return pipeline.id;
}

/** The name of the environment that a job deploys to, with values in place of variables. */
const environmentOf = (job: PlannedJob, facts: PipelineFacts): string | null =>
  job.environment && scopeOf(facts, job).expand(job.environment.name);

/** A pipeline that ends without jobs. */
async function storeEnded(
  context: Context,
  repository: RepositoryRecord,
  ready: Ready,
  { status, errors }: { readonly status: 'failed' | 'skipped'; readonly errors: string | null },
): Promise<PipelineRecord | null> {
  const id = await context.database.transaction(async (sql) => {
    const pipeline = await insert(sql, repository, ready, { errors });
    if (pipeline) await endPipeline(sql, pipeline, { status, actorId: ready.personId });
    return pipeline?.id;
  });
  return id === undefined ? null : await stored(context, repository, ready, id);
}

/** What was stored; older pipelines that it makes superfluous are canceled. */
async function stored(
  context: Context,
  repository: RepositoryRecord,
  { settings, event, personId }: Ready,
  id: number | undefined,
): Promise<PipelineRecord> {
  if (id === undefined) throw new AlreadyMade(event.target.ref);
  if (settings.cancelsOlder) await cancelSuperfluous(context, repository.id, id, personId);
  const made = await namedPipeline(context, repository.id, { id: String(id) });
  if (!made) throw new NotFound('Pipeline');
  return made;
}
