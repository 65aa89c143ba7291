import type { TestGateway } from '../../support/gateway.ts';
import { newCode } from '../../repository/support/code.ts';

/** A project with a branch `topic` one commit ahead of `main`, and a merge request from it, of the maintainer. */
export async function newTopic(gateway: TestGateway, attributes: Record<string, unknown> = {}) {
  const code = await newCode(gateway, attributes);
  const base = await code.commit({ 'a.txt': 'one\ntwo\nthree\n' });
  await code.branch('topic');
  const head = await code.commit({ 'b.txt': 'b\n' }, { branch: 'topic' });
  return { ...code, base, head };
}

/** Opens a merge request of the maintainer. @returns its record and its path in the API */
export async function opened(
  { rest, tokens }: TestGateway,
  { path }: { readonly path: string },
  values: Record<string, unknown> = {},
) {
  const json = { source_branch: 'topic', target_branch: 'main', title: 'A topic', ...values };
  const { status, body, text } = await rest('POST', `${path}/merge_requests`, { token: tokens.maintainer, json });
  if (status !== 201) throw new Error(`No merge request: ${status} ${text}`);
  const { id, iid } = body as { id: number; iid: number };
  return { id, iid, record: body, path: `${path}/merge_requests/${iid}` };
}
