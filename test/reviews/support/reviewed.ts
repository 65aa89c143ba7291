import type { TestGateway } from '../../support/gateway.ts';
import { newCode, type Code } from '../../repository/support/code.ts';
import { opened } from './opened.ts';

/** A project with merge requests for every page of them. */
export interface Reviewed {
  readonly code: Code;
  /** The number of one with labels, people, a pipeline, commits and comments. */
  readonly full: number;
  /** The number of one that can't be merged. */
  readonly conflicting: number;
  /** A comment on the first, and a thread on a line of it. */
  readonly comment: number;
  readonly thread: string;
  /** A draft of the maintainer on that line; another one is about the whole. */
  readonly draft: number;
}

export async function newReviewed(gateway: TestGateway, attributes: Record<string, unknown> = {}): Promise<Reviewed> {
  const { rest, tokens } = gateway;
  const token = tokens.maintainer;
  const code = await newCode(gateway, { visibility: 'public', ...attributes });
  const post = async (path: string, json: object) => {
    const { status, body, text } = await rest('POST', code.path + path, { token, json });
    if (status !== 201) throw new Error(`${path}: ${status} ${text}`);
    return body as { readonly id: number };
  };
  const change = (content: string) => [{ action: 'update', file_path: 'README.md', content }];
  await code.commit({ 'README.md': 'one\ntwo\nthree\n' }, { commit_message: 'Begin' });
  await code.branch('walk');
  const longer = 'one\nnow two, which is a rather long line that no phone has room for\nthree\nfour\n';
  await code.commit({}, { branch: 'walk', actions: change(longer) });
  await post('/issues', { title: 'The harbour is full' });
  const { iid: full } = await opened(gateway, code, {
    source_branch: 'walk',
    title: 'Let ships with a deeper draught in, if the tide is high enough for them',
    description: 'They **waited** long. Closes #1\n\n- [x] one\n- [ ] two',
    labels: 'speed',
    assignee_id: 3,
    reviewer_ids: [3],
  });
  const { diff_refs: refs, sha } = (await rest('GET', `${code.path}/merge_requests/${full}`, { token })).body as {
    diff_refs: object;
    sha: string;
  };
  const target_url = 'https://ci.example/1';
  await post(`/statuses/${sha}`, { state: 'running', name: 'build', ref: 'walk', target_url });
  const position = { ...refs, position_type: 'text', old_path: 'README.md', new_path: 'README.md', new_line: 2 };
  const { id: thread } = await post(`/merge_requests/${full}/discussions`, { body: 'Why **two**?', position });
  const { id: comment } = await post(`/merge_requests/${full}/notes`, { body: 'Well done' });
  const { id: draft } = await post(`/merge_requests/${full}/draft_notes`, { note: 'Is *that* so?', position });
  await post(`/merge_requests/${full}/draft_notes`, { note: 'Nearly there' });
  await post(`/merge_requests/${full}/approve`, {});
  await code.branch('walk-conflict', 'walk');
  await code.commit({}, { branch: 'walk-conflict', actions: change('ours\n') });
  await code.commit({}, { actions: change('theirs\n') });
  const quarrel = { source_branch: 'walk-conflict', title: 'Draft: Quarrel' };
  const { iid: conflicting } = await opened(gateway, code, quarrel);
  await rest('PUT', `${code.path}/merge_requests/${conflicting}`, { token, json: { title: 'Quarrel' } });
  return { code, full, conflicting, comment, thread: String(thread), draft };
}
