import type { TestGateway } from '../../support/gateway.ts';
import { newCode, type Code } from '../../repository/support/code.ts';

/** A project with commits on `main` and on `topic`, and requests that report statuses of them. */
export interface Reported extends Code {
  /** The commit of `main`, which `topic` has, too. */
  readonly sha: string;
  /** The commit of `topic`. */
  readonly topic: string;
  /** Reports a status of the topic’s commit, unless `sha` says otherwise; as the maintainer, if no token is given. */
  report(
    said: Readonly<Record<string, unknown>> & { readonly sha?: string; readonly token?: string },
  ): ReturnType<TestGateway['rest']>;
}

export async function newReported(gateway: TestGateway, attributes: Record<string, unknown> = {}): Promise<Reported> {
  const { rest, tokens } = gateway;
  const code = await newCode(gateway, attributes);
  const sha = await code.commit({ 'a.txt': 'a' });
  await code.branch('topic');
  const topic = await code.commit({ 'b.txt': 'b' }, { branch: 'topic' });
  return {
    ...code,
    sha,
    topic,
    report: ({ sha: of = topic, token = tokens.maintainer, ...json }) =>
      rest('POST', `${code.path}/statuses/${encodeURIComponent(of)}`, { token, json }),
  };
}

const target = 'https://ci.example.com/jobs/with-a-long-address/that-needs-several-lines-on-a-phone/1';

/** Reports statuses of all kinds in a project that `fillWithCode` filled. @returns the id of the last pipeline */
export async function fillWithPipelines({ rest, tokens }: TestGateway, { path }: Code): Promise<number> {
  const branch = 'feature/a-name-of-some-length';
  const reports = [
    { ref: 'main', state: 'success', name: 'build' },
    { ref: branch, state: 'failed', name: 'test of everything that could go wrong on a phone', target_url: target },
    { ref: 'v1.0', state: 'pending', name: 'deploy' },
    {
      ref: 'main',
      state: 'failed',
      name: 'unit',
      description: 'Three of 1,204 tests fail; see the report',
      coverage: 81.2,
    },
    {
      ref: 'main',
      state: 'running',
      name: 'browser/with-a-rather-long-name-that-has-no-spaces-in-it',
      target_url: target,
    },
    { ref: 'main', state: 'canceled', name: 'lint' },
  ];
  let id = 0;
  for (const json of reports) {
    const url = `${path}/statuses/${encodeURIComponent(json.ref)}`;
    const { status, body, text } = await rest('POST', url, { token: tokens.maintainer, json });
    if (status !== 201) throw new Error(`${url}: ${status} ${text}`);
    id = (body as { pipeline_id: number }).pipeline_id;
  }
  return id;
}
