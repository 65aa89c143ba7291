import { reportedStatuses } from '../../../values/ci/statuses.ts';
import { listRoute, ordering } from '../../engine/list-route.ts';
import { objectSchema, recordOf, type Record } from '../../engine/record.ts';
import { route, type AnyRoute } from '../../engine/route.ts';
import { moment, orNull, text } from '../../engine/schemas.ts';
import { UserBasic, userBasicFields, type UserBasicData } from '../../accounts/users/basic.ts';
import { writersOnly } from '../../repository/commits/writing.ts';

/** Statuses of commits. */

const tag = 'Commits';

interface StatusData {
  readonly id: number;
  readonly sha: string;
  readonly refName: string;
  readonly status: string;
  readonly name: string;
  readonly targetUrl: string | null;
  readonly description: string | null;
  readonly createdAt: string;
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
  readonly allowFailure: boolean;
  readonly coverage: number | null;
  readonly pipelineId: number;
  readonly user: UserBasicData | null;
}

const statusFields = `id: databaseId sha refName status name targetUrl description createdAt startedAt finishedAt allowFailure
  coverage pipelineId: pipelineDatabaseId user { ${userBasicFields} }`;

/** A job, or what a script reported. */
const CommitStatus: Record<StatusData> = {
  name: 'CommitStatus',
  schema: objectSchema({
    id: { type: 'integer' },
    sha: text,
    ref: text,
    status: text,
    name: text,
    target_url: orNull(text),
    description: orNull(text),
    created_at: moment,
    started_at: orNull(moment),
    finished_at: orNull(moment),
    allow_failure: { type: 'boolean' },
    coverage: orNull({ type: 'number' }),
    pipeline_id: { type: 'integer' },
    author: { ...UserBasic.schema, type: ['object', 'null'] },
  }),
  present: (one) => ({
    id: one.id,
    sha: one.sha,
    ref: one.refName,
    status: one.status.toLowerCase(),
    name: one.name,
    target_url: one.targetUrl,
    description: one.description,
    created_at: one.createdAt,
    started_at: one.startedAt,
    finished_at: one.finishedAt,
    allow_failure: one.allowFailure,
    coverage: one.coverage,
    pipeline_id: one.pipelineId,
    author: one.user && UserBasic.present(one.user),
  }),
};

const order = ordering({ id: 'id', pipeline_id: 'pipeline_id' }, 'id', 'asc');

export const statusRoutes: readonly AnyRoute[] = [
  listRoute<StatusData>({
    path: '/api/v4/projects/:id/repository/commits/:sha/statuses',
    summary: 'List the statuses of a commit',
    tag,
    of: 'CiJob',
    parameters: [
      { name: 'ref', type: 'string', description: 'Only those of this branch or tag.' },
      { name: 'stage', type: 'string', description: 'Only those of this stage.' },
      { name: 'name', type: 'string', description: 'Only those with this name.' },
      { name: 'pipeline_id', type: 'integer', description: 'Only those of this pipeline.' },
      { name: 'all', type: 'boolean', description: 'Also those in whose place a later one counts.' },
      ...order.parameters,
    ],
    within: { field: 'repository', args: { project: 'ID!' } },
    inner: { field: 'commit', args: { ref: 'String!' } },
    field: 'statuses',
    args: {
      refName: 'String',
      stage: 'String',
      name: 'String',
      pipelineId: 'CiPipelineID',
      all: 'Boolean',
      sort: 'String',
    },
    selection: statusFields,
    variables: ({ id, sha, ref, stage, name, pipeline_id: pipelineId, all, ...rest }) => ({
      project: id,
      ref: sha,
      refName: ref,
      stage,
      name,
      pipelineId,
      all: all === true,
      ...order.variables(rest),
    }),
    record: CommitStatus,
  }),
  route<{ commitStatusReport: { status: StatusData } }>({
    method: 'POST',
    path: '/api/v4/projects/:id/statuses/:sha',
    summary: 'Report a status of a commit',
    tag,
    parameters: [
      {
        name: 'state',
        type: 'string',
        required: true,
        allowed: reportedStatuses,
        description: 'What became of it.',
      },
      {
        name: 'ref',
        type: 'string',
        description: 'The branch or tag; if omitted, that of its newest pipeline, or a branch that contains it.',
      },
      { name: 'name', type: 'string', description: 'What was checked; `default` if omitted.' },
      { name: 'context', type: 'string', description: 'The same.' },
      { name: 'target_url', type: 'string', description: 'The script’s own page about it.' },
      { name: 'description', type: 'string', description: 'At most 255 characters.' },
      { name: 'coverage', type: 'float', description: 'In percent.' },
      { name: 'pipeline_id', type: 'integer', description: 'The pipeline, if the commit has several.' },
    ],
    example: { state: 'success' },
    operation: `mutation ($input: CommitStatusReportInput!) {
      commitStatusReport(input: $input) { status { ${statusFields} } }
    }`,
    variables: ({ id, sha, state, ref, name, context, target_url: targetUrl, description, ...values }) => ({
      input: {
        projectPath: id,
        sha,
        state: String(state).toUpperCase(),
        ref,
        name: name ?? context ?? 'default',
        targetUrl,
        description,
        coverage: values.coverage,
        pipelineId: values.pipeline_id,
      },
    }),
    guard: writersOnly,
    status: 201,
    record: recordOf(CommitStatus, ({ commitStatusReport }) => commitStatusReport.status),
    refusals: [404],
    dialect: 'version 4',
  }),
];
