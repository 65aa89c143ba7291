import { expect, vi } from 'vitest';
import { newCode, type Code } from '../../repository/support/code.ts';
import type { TestGateway } from '../../support/gateway.ts';

/** Requests to a project with a configuration of pipelines. */
export interface Ci extends Code {
  /** Replaces the configuration of a branch. @returns the commit */
  configure(yaml: string, further?: Record<string, unknown>): Promise<string>;
  /** Makes a pipeline over the API. */
  run(json?: Record<string, unknown>, token?: string): ReturnType<TestGateway['rest']>;
  /** The pipelines that pushes have made, once no job of the queue is left: the newest first. */
  pushed(): Promise<{ id: number; ref: string; sha: string; status: string; source: string }[]>;
  /** The jobs of a pipeline by their names, in the order of their stages. */
  jobs(pipeline: number): Promise<Record<string, string>>;
  /** Claims a job as a runner does, and ends it. */
  end(pipeline: number, name: string, outcome?: Record<string, unknown>): Promise<void>;
}

/** A project whose `main` has a configuration. */
export async function newCi(gateway: TestGateway, yaml: string, attributes: Record<string, unknown> = {}): Promise<Ci> {
  const { rest, sql, tokens } = gateway;
  const token = tokens.maintainer;
  const code = await newCode(gateway, attributes);
  await code.commit({ '.gitlab-ci.yml': yaml });
  const read = async (path: string) => (await rest('GET', `${code.path}${path}`, { token })).body;
  return {
    ...code,
    async configure(content, further = {}) {
      const actions = [{ action: 'update', file_path: '.gitlab-ci.yml', content }];
      const json = { branch: 'main', commit_message: 'Configure', actions, ...further };
      const { status, body, text } = await rest('POST', `${code.path}/repository/commits`, { token, json });
      if (status !== 201) throw new Error(`${status} ${text}`);
      return (body as { id: string }).id;
    },
    run: (json = { ref: 'main' }, as = token) => rest('POST', `${code.path}/pipeline`, { token: as, json }),
    async pushed() {
      await quiet(gateway);
      return await read('/pipelines?per_page=100');
    },
    async jobs(pipeline) {
      const rows = await sql<{ name: string; status: string }>(
        'select name, status from ci_jobs where pipeline_id = $1 and not retried order by stage_index, id',
        [pipeline],
      );
      return Object.fromEntries(rows.map(({ name, status }) => [name, status]));
    },
    async end(pipeline, name, outcome = {}) {
      await endJob(gateway, pipeline, name, outcome);
    },
  };
}

/** Waits until no job of the queue makes pipelines any more. */
export async function quiet({ sql }: TestGateway): Promise<void> {
  const names = [
    'create_pipelines',
    'create_merge_request_pipeline',
    'follow_references',
    'stop_merge_request_environments',
    'tell_people',
  ];
  await vi.waitFor(
    async () => {
      const left = await sql('select name from jobs where name = any($1::text[]) and dead_at is null', [names]);
      expect(left).toEqual([]);
    },
    { timeout: 20_000, interval: 20 },
  );
}

/** Has a pending job run, and ends it. */
async function endJob(
  { sql, gateway }: TestGateway,
  pipeline: number,
  name: string,
  { status = 'success', ...outcome }: Record<string, unknown>,
): Promise<void> {
  const [claimed] = await sql<{ id: number }>(
    `update ci_jobs set status = 'running', started_at = now(), contacted_at = now(), token_digest = sha256(id::text::bytea)
      where pipeline_id = $1 and name = $2 and status = 'pending' and not retried returning id`,
    [pipeline, name],
  );
  if (!claimed) throw new Error(`${name} isn’t pending.`);
  const { finishJob } = await import('../../../src/schema/pipelines/processing/finish.ts');
  expect(await finishJob(gateway.application, claimed.id, { status, ...outcome } as never)).toBe('finished');
}
