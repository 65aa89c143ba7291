import { describe, expect, test, vi } from 'vitest';
import { testGateway } from '../support/gateway.ts';
import { newTopic, opened } from './support/opened.ts';

const gateway = await testGateway();
const { rest, graphql, tokens } = gateway;
const token = tokens.maintainer;

const acceptance = `mutation ($input: MergeRequestAcceptInput!) {
  mergeRequestAccept(input: $input) {
    mergeRequest { state mergeCommitSha squashCommitSha diffHeadSha mergedAt mergeUser { username } }
    errors
  }
}`;

const accepted = async (project: { id: number }, iid: number, more: object = {}, by = token) =>
  await graphql<{ mergeRequestAccept: { mergeRequest: Record<string, unknown>; errors: string[] } }>(acceptance, {
    token: by,
    variables: { input: { projectPath: String(project.id), iid: String(iid), ...more } },
  });

const commitOf = async (path: string, ref: string) =>
  (await rest('GET', `${path}/repository/commits/${encodeURIComponent(ref)}`, { token })).body;

describe('a merge', () => {
  test('makes a merge commit, closes the issues that it names, and removes the branch', async () => {
    const project = await newTopic(gateway);
    const { path, head, base } = project;
    const issue = await rest('POST', `${path}/issues`, { token, json: { title: 'To do' } });
    const { iid } = await opened(gateway, project, {
      description: `Closes #${issue.body.iid}`,
      remove_source_branch: true,
    });
    const { data, errors } = await accepted(project, iid);
    expect(errors).toBeUndefined();
    const { mergeRequest } = data!.mergeRequestAccept;
    expect(mergeRequest).toMatchObject({ state: 'merged', diffHeadSha: head, mergeUser: { username: 'maintainer' } });
    const main = await commitOf(path, 'main');
    expect(main.id).toBe(mergeRequest.mergeCommitSha);
    expect(main.parent_ids).toEqual([base, head]);
    expect(main.message).toBe(
      `Merge branch 'topic' into 'main'\n\nA topic\n\nCloses #${issue.body.iid}\n\nSee merge request ${project.fullPath}!${iid}`,
    );
    await vi.waitFor(async () => {
      expect((await rest('GET', `${path}/issues/${issue.body.iid}`, { token })).body.state).toBe('closed');
      expect((await rest('GET', `${path}/repository/branches/topic`, { token })).status).toBe(404);
    }, 10_000);
  });

  test('squashes, and goes on without a merge commit', async () => {
    const project = await newTopic(gateway, { merge_method: 'ff' });
    const { path, base, commit } = project;
    const head = await commit({ 'c.txt': 'c\n' }, { branch: 'topic' });
    const { iid } = await opened(gateway, project);
    const { data, errors } = await accepted(project, iid, { squash: true, sha: head });
    expect(errors).toBeUndefined();
    const main = await commitOf(path, 'main');
    expect(data!.mergeRequestAccept.mergeRequest).toMatchObject({ mergeCommitSha: null, squashCommitSha: main.id });
    expect(main).toMatchObject({ parent_ids: [base], title: 'A topic' });
    const files = await rest('GET', `${path}/repository/tree?ref=main`, { token });
    expect(files.body.map(({ name }: { name: string }) => name)).toEqual(['a.txt', 'b.txt', 'c.txt']);
  });
});
