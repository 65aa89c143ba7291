import { expect } from 'vitest';
import type { TestGateway } from '../../support/gateway.ts';
import { newReviewed } from '../../reviews/support/reviewed.ts';
import { id, page, Refusal, type ClientDocument, type Expected } from '../client-documents.ts';

/**
 * Documents that published clients send about issues, merge requests, pipelines and snippets, in our own words. They run on
 * the project `maintainer/harbour`.
 */

/** What the documents name by ids. */
export interface Work {
  readonly issue: string;
  readonly mergeRequests: readonly [string, string];
  readonly thread: string;
  readonly comment: string;
  readonly snippet: string;
  readonly head: string;
  readonly refs: { readonly baseSha: string; readonly headSha: string; readonly startSha: string };
}

export interface WorkDocument extends ClientDocument {
  /** Variables that name what it is about. */
  readonly named?: (work: Work) => Readonly<Record<string, unknown>>;
}

export async function makeWork(gateway: TestGateway): Promise<Work> {
  const { rest, tokens } = gateway;
  const token = tokens.maintainer;
  const { code, full, conflicting, comment, thread } = await newReviewed(gateway, { name: 'harbour' });
  const read = async (path: string) => (await rest('GET', code.path + path, { token })).body;
  const [one, other] = [await read(`/merge_requests/${full}`), await read(`/merge_requests/${conflicting}`)];
  const files = [{ file_path: 'tide.sh', content: 'echo tide\n' }];
  const snippet = await rest('POST', `${code.path}/snippets`, {
    token,
    json: { title: 'Tide', description: 'Says it', visibility: 'public', files },
  });
  const { base_sha: baseSha, head_sha: headSha, start_sha: startSha } = one.diff_refs;
  return {
    issue: `gid://gitlab/Issue/${(await read('/issues/1')).id}`,
    mergeRequests: [`gid://gitlab/MergeRequest/${one.id}`, `gid://gitlab/MergeRequest/${other.id}`],
    thread: `gid://gitlab/Discussion/${thread}`,
    comment: `gid://gitlab/Note/${comment}`,
    snippet: `gid://gitlab/ProjectSnippet/${snippet.body.id}`,
    head: one.sha,
    refs: { baseSha, headSha, startSha },
  };
}

export const path = 'maintainer/harbour';
export const project = { id: id('Project'), fullPath: path, webUrl: page(path) };
export const maintainer = {
  name: 'Mary Maintainer',
  username: 'maintainer',
  avatarUrl: null,
  webUrl: page('maintainer'),
};
export const author = { id: id('User'), name: 'Mary Maintainer', avatarUrl: null, webUrl: page('maintainer') };
export const title = 'Let ships with a deeper draught in, if the tide is high enough for them';
export const sha = expect.stringMatching(/^[0-9a-f]{40}$/);
export const whole = { hasNextPage: false, endCursor: expect.any(String) };
export const some = (entry: unknown) => expect.arrayContaining([entry]);
export const has = (record: object) => expect.objectContaining(record);
export const denied = (data: Readonly<Record<string, null>>) => new Refusal(expect.any(String), data);

/** The same answer for everyone. */
export const all = (expected: Expected) => ({ signedIn: expected, anonymous: expected, stranger: expected });
