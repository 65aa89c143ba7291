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
