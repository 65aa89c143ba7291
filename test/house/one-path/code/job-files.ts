import type { Input, Inputs } from '../inputs.ts';

/**
 * The inputs for the routes of what jobs leave: the job 950 of pipeline 2 in `demo/storefront` has an archive. They come
 * after those of pipelines.
 */

export const tablesOfJobFiles = ['ci_traces', 'ci_artifacts', 'ci_test_reports', 'ci_reported_variables'];
export const sequencesOfJobFiles = ['ci_traces', 'ci_artifacts'];

const project = 'demo/storefront';

export const jobFilesToBegin = `
  with job as (
    insert into ci_jobs (id, kind, pipeline_id, project_id, name, stage, stage_index, ref, sha, status, finished_at)
    select 950, 'job', p.id, p.project_id, 'archive', 'test', 2, p.ref, p.sha, 'success', now()
      from pipelines p join projects place on place.id = p.project_id
     where place.full_path = '${project}' order by p.id desc limit 1
    returning id
  ), earlier as (
    insert into ci_jobs (id, kind, pipeline_id, project_id, name, stage, stage_index, ref, sha, status, finished_at)
    select 951, 'job', p.id, p.project_id, 'archive', 'test', 2, p.ref, p.sha, 'failed', now()
      from pipelines p join projects place on place.id = p.project_id
     where place.full_path = '${project}' and p.status <> 'success' order by p.id limit 1
    returning id
  ), artifact as (
    insert into ci_artifacts (id, job_id, kind, format, filename, size, sha256, location, expires_at, complete)
    select id, id, 'archive', 'zip', 'artifacts.zip', 5, '\\x00', '00/00000000-0000-0000-0000-000000000' || id,
           '2099-01-01', true from (select id from job union all select id from earlier) its
  )
  insert into ci_test_reports (job_id, cases)
  select id, '[{"status": "failed", "name": "n", "classname": "c", "file": null, "executionTime": 1, "output": "o"}]'
    from job`;

const places = (path: Input['path'] = {}): Input[] =>
  [project, 'hidden/project', 'nothing/here'].map((id) => ({ id, path, values: {} }));

const ofJob = [...places({ job_id: '950' }), { id: project, path: { job_id: '99' }, values: {} }];
const ofPipeline = [...places({ pipeline_id: '2' }), { id: project, path: { pipeline_id: '99' }, values: {} }];

const at = '/api/v4/projects/:id';

export const inputsOfJobFiles = (): Inputs => ({
  [`POST ${at}/jobs/:job_id/artifacts/keep`]: { readable: ofJob },
  [`DELETE ${at}/jobs/:job_id/artifacts`]: { readable: ofJob },
  [`DELETE ${at}/artifacts`]: { readable: places() },
  [`GET ${at}/pipelines/:pipeline_id/test_report`]: { readable: ofPipeline },
  [`GET ${at}/pipelines/:pipeline_id/test_report_summary`]: { readable: ofPipeline },
});
