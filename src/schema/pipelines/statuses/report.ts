import { afterReport, timesAfter } from '../../../ci/transitions.ts';
import type { Context } from '../../../context.ts';
import type { Sql } from '../../../database/index.ts';
import { Forbidden, NotFound, PlainBadRequest } from '../../../errors.ts';
import { readRef } from '../../../git/objects/index.ts';
import { listRefs } from '../../../git/refs/index.ts';
import { runPipelines, writes } from '../../../policy/index.ts';
import { reportedStatuses, type ReportedStatus } from '../../../values/ci/statuses.ts';
import { builder } from '../../engine/builder.ts';
import { mutation, type FieldsOf } from '../../engine/mutation.ts';
import { heads } from '../../repository/branches/read.ts';
import { repositoryIn, type RepositoryRecord } from '../../repository/repositories/look-up.ts';
import { revisionIn, type Revision } from '../../repository/repositories/revision.ts';
import { jobById, type JobRecord } from '../jobs/read.ts';
import { CiJob } from '../jobs/types.ts';
import { openPipelineOf, refOfNewestPipeline, type LockedPipeline } from '../pipelines/open.ts';
import { mayRun } from '../pipelines/rights.ts';
import { settlePipeline } from '../pipelines/settle.ts';
import { pipelineId } from '../pipelines/types.ts';
import { checkSaid } from './input.ts';
import { continueStatus, findOpenStatus, insertStatus, type OpenStatus } from './statements.ts';

/** Statuses that scripts outside report of commits. */

const ReportedStatusEnum = builder.enumType('CommitStatusState', {
  description: 'What a script reports of a commit.',
  values: Object.fromEntries(reportedStatuses.map((status) => [status.toUpperCase(), { value: status }])) as {
    readonly [Name in Uppercase<ReportedStatus>]: { readonly value: Lowercase<Name> };
  },
});

mutation('commitStatusReport', {
  description:
    'Reports a status of a commit. It continues the one of the same name that you reported before, while that hasn’t finished; otherwise it is a new one, which counts in place of older ones of its name. From Developer up.',
  admission: { class: 'token', scopes: writes },
  input: (t) => ({
    projectPath: t.id({ required: true, description: 'Full path, global id or number.' }),
    sha: t.string({ required: true, description: 'The commit: its name or the beginning of it, a branch or a tag.' }),
    state: t.field({ type: ReportedStatusEnum, required: true }),
    ref: t.string({
      description:
        'The branch or tag. If omitted, that of the newest pipeline of the commit, or a branch that contains it.',
    }),
    name: t.string({ defaultValue: 'default', description: 'What was checked.' }),
    targetUrl: t.string({ description: 'The script’s own page about it: http or https.' }),
    description: t.string({ description: 'At most 255 characters.' }),
    coverage: t.float({ description: 'In percent.' }),
    pipelineId: t.field({ type: 'CiPipelineID', description: 'The pipeline, if the commit has several.' }),
  }),
  payload: (t: FieldsOf<{ status: JobRecord }>) => ({ status: t.expose('status', { type: CiJob }) }),
  resolve: async (context, { projectPath, sha, state, pipelineId: given, ...rest }) => {
    const repository = await repositoryIn(context, projectPath, runPipelines);
    const revision = sha === '' ? undefined : await revisionIn(repository, sha);
    if (!revision) throw new NotFound('Commit');
    const said = { ...rest, name: rest.name || 'default' };
    checkSaid(said);
    const wanted = given == null ? null : pipelineId(given);
    const on = await refFor(context, repository, revision, { ref: said.ref, wanted });
    const { person } = context.viewer;
    if (!person || !(await mayRun(context, repository, on))) throw new Forbidden();
    const id = await context.database.transaction(async (sql) => {
      const pipeline = await openPipelineOf(sql, {
        projectId: repository.id,
        sha: revision.commit.id,
        ...on,
        id: wanted,
        userId: person.id,
      });
      const written = await writeStatus(sql, pipeline, { ...said, state, userId: person.id });
      await settlePipeline(sql, pipeline, person.id);
      return written;
    });
    return { status: (await jobById(context, id))! };
  },
});

/** Where a status belongs. */
interface On {
  readonly ref: string;
  readonly tag: boolean;
}

/** The branch or tag of a report. @throws NotFound if none is named and none contains the commit */
async function refFor(
  context: Context,
  { id }: RepositoryRecord,
  { git, commit }: Revision,
  { ref, wanted }: { readonly ref?: string | null | undefined; readonly wanted: number | null },
): Promise<On> {
  const named = ref ? ref.replace(/^refs\/(?:heads|tags)\//, '') : undefined;
  const known = named ?? (await refOfNewestPipeline(context, id, commit.id, wanted));
  if (known !== undefined) {
    const [branch, tag] = await Promise.all([readRef(git, `${heads}${known}`), readRef(git, `refs/tags/${known}`)]);
    return { ref: known, tag: branch === undefined && tag !== undefined };
  }
  if (wanted !== null) throw new NotFound('Pipeline for pipeline_id, sha and ref');
  const [first] = await listRefs(git, { below: ['refs/heads'], containing: commit.id });
  if (!first) throw new NotFound('References for commit');
  return { ref: first.ref.slice(heads.length), tag: false };
}

interface Report {
  readonly state: ReportedStatus;
  readonly name: string;
  readonly userId: number;
  readonly targetUrl?: string | null;
  readonly description?: string | null;
  readonly coverage?: number | null;
}

const fresh: Pick<OpenStatus, 'status' | 'startedAt' | 'finishedAt'> = {
  status: 'created',
  startedAt: null,
  finishedAt: null,
};

/** Adds or continues a status in a pipeline that this transaction has locked. @throws PlainBadRequest */
async function writeStatus(sql: Sql, pipeline: LockedPipeline, report: Report): Promise<number> {
  const { state, name, userId, targetUrl, description, coverage } = report;
  const { id, projectId, ref, tag, sha } = pipeline;
  const [open] = await sql.rows(findOpenStatus, [id, name, ref, userId]);
  const before = open ?? fresh;
  const status = afterReport(before.status, state);
  if (typeof status !== 'string') throw new PlainBadRequest(status.refusal);
  const { startedAt, finishedAt } = timesAfter(before, status, new Date());
  const reason = status === 'failed' ? 'api_failure' : null;
  const said = [reason, description || null, targetUrl || null, coverage ?? null];
  const [written] = open
    ? await sql.rows(continueStatus, [open.id, status, startedAt, finishedAt, ...said])
    : await sql.rows(insertStatus, [
        id,
        projectId,
        name,
        ref,
        tag,
        sha,
        status,
        userId,
        startedAt,
        finishedAt,
        ...said,
      ]);
  return written!.id;
}
