import type { HandedArtifacts, HandedDependency, HandedJob, HandedVariable } from '../../../values/ci/handed-job.ts';
import { failureReasonsOfRunners } from '../../../values/ci/runners.ts';
import type { Record } from '../../engine/record.ts';
import { text } from '../../engine/schemas.ts';

/** A job as runners read it (contract §9.3): their program refuses numbers as texts, and null for an object. */

const variable = ({ key, value, public: isPublic, masked, file, raw }: HandedVariable) => ({
  key,
  value,
  public: isPublic,
  masked,
  ...(file && { file }),
  ...(raw && { raw }),
});

const artifacts = ({ name, untracked, paths, exclude, when, expireIn, type, format }: HandedArtifacts) => ({
  ...(name !== null && { name }),
  untracked,
  paths,
  ...(exclude.length > 0 && { exclude }),
  when,
  ...(expireIn !== null && { expire_in: expireIn }),
  artifact_type: type,
  artifact_format: format,
});

const dependency = ({ id, name, token, artifactsFile }: HandedDependency) => ({
  id,
  name,
  token,
  ...(artifactsFile && { artifacts_file: artifactsFile }),
});

const image = ({
  name,
  alias,
  entrypoint,
  command,
  variables: own,
  pullPolicy,
  executors,
}: NonNullable<HandedJob['image']>) => ({
  name,
  ...(alias !== undefined && { alias }),
  ...(entrypoint && { entrypoint }),
  ...(command && { command }),
  ports: [],
  ...(own && { variables: own.map(({ key, value }) => ({ key, value })) }),
  ...(pullPolicy && { pull_policy: pullPolicy }),
  ...(executors && { executor_opts: executors }),
});

function present(job: HandedJob) {
  const { git } = job;
  return {
    id: job.id,
    token: job.token,
    allow_git_fetch: job.allowGitFetch,
    job_info: {
      id: job.id,
      name: job.name,
      stage: job.stage,
      project_id: job.projectId,
      project_name: job.projectName,
      time_in_queue_seconds: job.queuedSeconds,
      project_jobs_running_on_instance_runners_count:
        job.runningInProject === null ? '+Inf' : String(job.runningInProject),
    },
    git_info: {
      repo_url: git.repoUrl,
      ref: git.ref,
      sha: git.sha,
      before_sha: git.beforeSha,
      ref_type: git.refType,
      refspecs: git.refspecs,
      depth: git.depth,
      repo_object_format: 'sha1',
      protected: git.isProtected,
    },
    runner_info: { timeout: job.timeout, runner_session_url: null },
    variables: job.variables.map(variable),
    steps: job.steps.map(({ allowFailure, ...step }) => ({ ...step, allow_failure: allowFailure })),
    hooks: job.hooks,
    image: job.image && image(job.image),
    services: job.services.map(image),
    artifacts: job.artifacts.length === 0 ? null : job.artifacts.map(artifacts),
    cache: job.cache.map(({ fallbackKeys, ...cache }) => ({ ...cache, fallback_keys: fallbackKeys })),
    credentials: [],
    dependencies: job.dependencies.map(dependency),
    features: { trace_sections: true, failure_reasons: failureReasonsOfRunners },
  };
}

const number = { type: 'integer' };
const object = { type: 'object' };
const objects = { type: 'array', items: object };

export const JobForRunner: Record<HandedJob> = {
  name: 'JobForRunner',
  schema: {
    type: 'object',
    description: 'A job, for the program of a runner.',
    properties: {
      id: number,
      token: { ...text, description: 'The token of the job, which works while it runs.' },
      allow_git_fetch: { type: 'boolean' },
      job_info: object,
      git_info: object,
      runner_info: object,
      variables: objects,
      steps: objects,
      hooks: objects,
      image: { type: ['object', 'null'] },
      services: objects,
      artifacts: { type: ['array', 'null'], items: object },
      cache: objects,
      credentials: objects,
      dependencies: objects,
      features: object,
    },
  },
  present,
};
