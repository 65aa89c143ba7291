import { ciStatuses } from '../../../values/ci/statuses.ts';
import { PublicUser, publicUserFields, type PublicUserData } from '../../accounts/users/record.ts';
import { objectSchema, type JsonSchema, type Record } from '../../engine/record.ts';
import { count, flag, moment, orNull, text } from '../../engine/schemas.ts';
import { Commit, commitFields, type CommitData } from '../../repository/commits/record.ts';
import { Runner, runnerFields, type RunnerData } from '../runners/record.ts';
import { PipelineBasic, pipelineBasicFields, type PipelineBasicData } from '../pipelines/record.ts';

export interface JobData {
  readonly id: number;
  readonly status: string;
  readonly stageName: string;
  readonly name: string;
  readonly refName: string;
  readonly tag: boolean;
  readonly coverage: number | null;
  readonly allowFailure: boolean;
  readonly createdAt: string;
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
  readonly erasedAt: string | null;
  readonly exactDuration: number | null;
  readonly queuedDuration: number | null;
  readonly user: PublicUserData | null;
  readonly commit: CommitData | null;
  readonly pipeline: PipelineBasicData;
  readonly failureReason: string | null;
  readonly webUrl: string;
  readonly tags: readonly string[];
  readonly runner: RunnerData | null;
  readonly artifacts: {
    readonly nodes: readonly {
      readonly fileType: string;
      readonly size: number;
      readonly name: string;
      readonly fileFormat: string;
    }[];
  };
  readonly artifactsExpireAt: string | null;
}

/** The fields that operations select for `Job`. */
export const jobFields = `id: databaseId status stageName name refName tag coverage allowFailure createdAt startedAt finishedAt
  erasedAt exactDuration queuedDuration user { ${publicUserFields} } commit { ${commitFields} }
  pipeline { ${pipelineBasicFields} } failureReason webUrl tags runner { ${runnerFields} }
  artifacts { nodes { fileType size name fileFormat } } artifactsExpireAt`;

const seconds: JsonSchema = { type: ['number', 'null'], description: 'In seconds.' };

const file = { filename: text, size: count };

function archiveOf({ artifacts }: JobData) {
  const archive = artifacts.nodes.find(({ fileType }) => fileType === 'ARCHIVE');
  return archive && { filename: archive.name, size: archive.size };
}

/** A job. The keys are exactly those that clients know: some refuse others. */
export const Job: Record<JobData> = {
  name: 'Job',
  schema: objectSchema(
    {
      id: count,
      status: { type: 'string', enum: ciStatuses },
      stage: text,
      name: text,
      ref: text,
      tag: flag,
      coverage: orNull({ type: 'number' }),
      allow_failure: flag,
      created_at: moment,
      started_at: orNull(moment),
      finished_at: orNull(moment),
      erased_at: orNull(moment),
      duration: seconds,
      queued_duration: seconds,
      user: { ...PublicUser.schema, type: ['object', 'null'] },
      commit: { ...Commit.schema, type: ['object', 'null'] },
      pipeline: PipelineBasic.schema,
      failure_reason: { ...text, description: 'Only of a job that failed.' },
      web_url: { type: 'string', format: 'uri' },
      project: objectSchema({ ci_job_token_scope_enabled: flag }),
      artifacts_file: { ...objectSchema(file), description: 'Only if there is an archive.' },
      artifacts: { type: 'array', items: objectSchema({ file_type: text, ...file, file_format: text }) },
      runner: { ...Runner.schema, type: ['object', 'null'] },
      runner_manager: { type: 'null', description: 'Always null: machines are shown to those who administer them.' },
      artifacts_expire_at: orNull(moment),
      archived: flag,
      tag_list: { type: 'array', items: text },
    },
    ['failure_reason', 'artifacts_file'],
  ),
  present: (job) => ({
    id: job.id,
    status: job.status.toLowerCase(),
    stage: job.stageName,
    name: job.name,
    ref: job.refName,
    tag: job.tag,
    coverage: job.coverage,
    allow_failure: job.allowFailure,
    created_at: job.createdAt,
    started_at: job.startedAt,
    finished_at: job.finishedAt,
    erased_at: job.erasedAt,
    duration: job.exactDuration,
    queued_duration: job.queuedDuration,
    user: job.user && PublicUser.present(job.user),
    commit: job.commit && Commit.present(job.commit),
    pipeline: PipelineBasic.present(job.pipeline),
    failure_reason: job.status === 'FAILED' ? (job.failureReason ?? 'unknown_failure') : undefined,
    web_url: job.webUrl,
    project: { ci_job_token_scope_enabled: false },
    artifacts_file: archiveOf(job),
    artifacts: job.artifacts.nodes.map(({ fileType, size, name, fileFormat }) => ({
      file_type: fileType.toLowerCase(),
      size,
      filename: name,
      file_format: fileFormat,
    })),
    runner: job.runner && Runner.present(job.runner),
    runner_manager: null,
    artifacts_expire_at: job.artifactsExpireAt,
    archived: false,
    tag_list: job.tags,
  }),
};
