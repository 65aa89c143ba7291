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

const read = `query ($project: ID!, $iid: String!) {
  mergeRequest(project: $project, iid: $iid) {
    state diffHeadSha diffRefs { baseSha headSha startSha } mergeStatusEnum commitCount filesCount targetBranch mergeError rebaseInProgress
    mergeUser { username } versions { nodes { headSha filesCount } } commits { nodes { sha } } changes { newPath } closesIssues { nodes { iid } }
    diffStatsSummary { additions deletions fileCount }
  }
}`;

const seen = async (project: { id: number }, iid: number) =>
  (
    await graphql<{ mergeRequest: Record<string, any> }>(read, {
      token,
      variables: { project: String(project.id), iid: String(iid) },
    })
  ).data!.mergeRequest;

/** Why it wasn't merged. */
const refusal = ({ data, errors }: Awaited<ReturnType<typeof accepted>>) =>
  errors?.[0]?.extensions?.code ?? data!.mergeRequestAccept.errors[0];

describe('a merge is refused', () => {
  test('where git finds a conflict', async () => {
    const project = await newTopic(gateway);
    const { iid } = await opened(gateway, project);
    await project.commit({ 'b.txt': 'another\n' });
    expect(refusal(await accepted(project, iid))).toBe('Branch cannot be merged');
    expect(await seen(project, iid)).toMatchObject({ state: 'opened', mergeStatusEnum: 'CANNOT_BE_MERGED' });
  });

  test('for another head than the client saw, for drafts, and for people who may not push there', async () => {
    const project = await newTopic(gateway);
    const { iid, id } = await opened(gateway, project);
    expect(refusal(await accepted(project, iid, { sha: project.base }))).toBe(
      `SHA does not match HEAD of source branch: ${project.head}`,
    );
    expect(refusal(await accepted(project, iid, {}, tokens.developer))).toBe('FORBIDDEN');
    await gateway.sql('update merge_requests set draft = true where id = $1', [id]);
    expect(refusal(await accepted(project, iid))).toBe('The merge request is not mergeable.');
    expect((await commitOf(project.path, 'main')).id).toBe(project.base);
  });

  test('by a project that only goes forward, until the branch is rebased', async () => {
    const project = await newTopic(gateway, { merge_method: 'rebase_merge' });
    const { path, head } = project;
    const { iid } = await opened(gateway, project);
    const main = await project.commit({ 'c.txt': 'c\n' });
    expect(refusal(await accepted(project, iid))).toBe('Branch cannot be merged');
    const rebased = await graphql(
      'mutation ($input: MergeRequestRebaseInput!) { mergeRequestRebase(input: $input) { mergeRequest { rebaseInProgress } } }',
      { token, variables: { input: { projectPath: String(project.id), iid: String(iid) } } },
    );
    expect(rebased.data).toEqual({ mergeRequestRebase: { mergeRequest: { rebaseInProgress: true } } });
    await vi.waitFor(
      async () => expect(await seen(project, iid)).toMatchObject({ rebaseInProgress: false, mergeError: null }),
      10_000,
    );
    const now = await seen(project, iid);
    expect(now.diffHeadSha).not.toBe(head);
    expect((await commitOf(path, 'topic')).parent_ids).toEqual([main]);
    expect((await accepted(project, iid)).errors).toBeUndefined();
    expect((await commitOf(path, 'main')).parent_ids).toEqual([main, now.diffHeadSha]);
  });
});

describe('a merge request follows its branches', () => {
  test('with a version for each push, kept after a force push', async () => {
    const project = await newTopic(gateway);
    const { path, base, head, commit } = project;
    const issue = await rest('POST', `${path}/issues`, { token, json: { title: 'To do' } });
    const { iid } = await opened(gateway, project);
    // The first look makes the first version.
    await accepted(project, iid, { sha: base });
    expect(await seen(project, iid)).toMatchObject({
      diffHeadSha: head,
      diffRefs: { baseSha: base, headSha: head, startSha: base },
      commitCount: 1,
      filesCount: 1,
      changes: [{ newPath: 'b.txt' }],
      closesIssues: { nodes: [] },
    });
    const next = await commit({ 'c.txt': 'c\n' }, { branch: 'topic', commit_message: `Fixes #${issue.body.iid}` });
    await vi.waitFor(async () => expect((await seen(project, iid)).diffHeadSha).toBe(next), 10_000);
    expect(await seen(project, iid)).toMatchObject({
      commitCount: 2,
      filesCount: 2,
      mergeStatusEnum: 'CAN_BE_MERGED',
      commits: { nodes: [{ sha: next }, { sha: head }] },
      versions: {
        nodes: [
          { headSha: next, filesCount: 2 },
          { headSha: head, filesCount: 1 },
        ],
      },
      closesIssues: { nodes: [{ iid: String(issue.body.iid) }] },
      diffStatsSummary: { additions: 2, deletions: 0, fileCount: 2 },
    });
    const notes = await gateway.sql<{ body: string }>(
      'select n.body from notes n join merge_requests m on m.id = n.merge_request_id where m.project_id = $1',
      [project.id],
    );
    expect(notes.map(({ body }) => body)).toEqual([
      expect.stringMatching(new RegExp(`^added 1 commit\n\n- ${next.slice(0, 8)} Fixes`)),
    ]);
  });

  test('is closed with its source branch, and merged when the target contains it', async () => {
    const project = await newTopic(gateway);
    const { path, head, branch } = project;
    const { iid } = await opened(gateway, project);
    await branch('other', 'topic');
    const other = await opened(gateway, project, { source_branch: 'other' });
    for (const one of [iid, other.iid]) await accepted(project, one, { sha: project.base });
    await rest('DELETE', `${path}/repository/branches/other`, { token });
    await vi.waitFor(async () => expect((await seen(project, other.iid)).state).toBe('closed'), 10_000);
    // Somebody merges by hand: here, main is set to the head.
    const { status, text } = await rest('POST', `${path}/repository/commits/${head}/cherry_pick`, {
      token,
      json: { branch: 'main', dry_run: true },
    });
    expect(status, text).toBe(200);
    await opened(gateway, project, { source_branch: 'main', target_branch: 'never' });
    const made = await rest('POST', `${path}/repository/commits`, {
      token,
      json: {
        branch: 'main',
        start_branch: 'topic',
        force: true,
        commit_message: 'On',
        actions: [{ action: 'create', file_path: 'd', content: '' }],
      },
    });
    expect(made.status, made.text).toBe(201);
    await vi.waitFor(async () => expect((await seen(project, iid)).state).toBe('merged'), 10_000);
  });
});
