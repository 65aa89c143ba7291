import { calls, type Call } from '../load.ts';
import { promised } from '../promised.ts';
import { persistently } from '../verify.ts';
import { asked, newProject, repeated, untilAnswered, type Place, type Work } from './work.ts';

/** Milliseconds between two pipelines, and between two requests for a job. */
const interval = 700;

const configuration = 'build:\n  script: echo built\n';
const logOf = (id: number) => `Running job ${id}.\n`;

/** A pipeline, or the end of a job, that was acknowledged. */
interface Acknowledged {
  readonly id: number;
  /** By `performance.now()`. */
  readonly at: number;
}

/** Starts pipelines, and carries out their jobs as a runner does. */
export async function workAsRunner(place: Place): Promise<Work> {
  const { gateways, load } = place;
  const { id } = await newProject(place, 'built');
  const begin = (path: string, body: object) =>
    asked(load, gateways[0]!, (attempt) =>
      // 400: an attempt before this one made the file after all.
      calls.asRoot('POST', path, attempt > 1 ? [201, 400] : [201], body),
    );
  await begin(`projects/${id}/repository/commits`, {
    branch: 'main',
    commit_message: 'Build',
    actions: [{ action: 'create', file_path: '.gitlab-ci.yml', content: configuration }],
  });
  const { token } = (await begin('user/runners', { runner_type: 'project_type', project_id: id })) as {
    token: string;
  };

  const started: Acknowledged[] = [];
  const finished: Acknowledged[] = [];
  const given: number[] = [];
  const stopStarting = repeated(interval, async () => {
    const { wanted, text } = await load.send(calls.asRoot('POST', `projects/${id}/pipeline`, [201], { ref: 'main' }));
    if (wanted) started.push({ id: (JSON.parse(text) as { id: number }).id, at: performance.now() });
  });
  const stopRunning = repeated(interval, async () => {
    const { status, text } = await load.send(asRunner('POST', 'jobs/request', [201, 204], { token }));
    if (status !== 201) return;
    const job = JSON.parse(text) as { id: number; token: string };
    given.push(job.id);
    // 416: a piece whose answer was lost is there already.
    const { status: logged } = await untilAnswered(load.send, pieceOfLog(job));
    if (logged !== 202 && logged !== 416) return;
    // 403: so is the end of the job.
    const report = asRunner('PUT', `jobs/${job.id}`, [200, 202, 403], { token: job.token, state: 'success' });
    const ended = await untilAnswered(load.send, report);
    if (ended.status === 200) finished.push({ id: job.id, at: performance.now() });
  });

  return {
    async stop() {
      await Promise.all([stopStarting(), stopRunning()]);
    },
    async verify([at], before = Infinity) {
      const isMeant = (one: Acknowledged) => one.at < before;
      const lost: string[] = [];
      const read = (path: string) => persistently(load, at!, calls.asRoot('GET', `projects/${id}/${path}`, [200]));
      for (const one of started.filter(isMeant)) {
        const { status } = await read(`pipelines/${one.id}`);
        if (status !== 200) lost.push(`pipeline ${one.id} is answered ${status}`);
      }
      for (const one of finished.filter(isMeant)) {
        const job = await read(`jobs/${one.id}`);
        const state = job.status === 200 ? (JSON.parse(job.text) as { status: string }).status : job.status;
        if (state !== 'success') lost.push(`job ${one.id} is ${state}`);
        const log = await read(`jobs/${one.id}/trace`);
        if (log.text !== logOf(one.id)) lost.push(`the log of job ${one.id} is ${JSON.stringify(log.text)}`);
      }
      const twice = given.length - new Set(given).size;
      return [
        promised(
          'Runner: every job that was reported is done, with its log, and none is handed out twice.',
          `${started.length} pipelines, ${given.length} jobs handed out, ${twice} of them twice, ${finished.length} reported${lost.length > 0 ? `; ${lost.length} ×: ${lost.slice(0, 3).join(', ')}` : ''}`,
          lost.length === 0 && twice === 0 && finished.some(isMeant),
        ),
      ];
    },
  };
}

const asRunner = (method: 'POST' | 'PUT', path: string, wanted: readonly number[], body: object): Call => ({
  dialect: 'REST',
  method,
  path: `/api/v4/${path}`,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
  wanted,
});

function pieceOfLog({ id, token }: { readonly id: number; readonly token: string }): Call {
  const text = logOf(id);
  return {
    dialect: 'REST',
    method: 'PATCH',
    path: `/api/v4/jobs/${id}/trace`,
    headers: { 'job-token': token, 'content-type': 'text/plain', 'content-range': `0-${text.length - 1}` },
    body: text,
    wanted: [202, 403, 416],
    busy: [409],
  };
}
