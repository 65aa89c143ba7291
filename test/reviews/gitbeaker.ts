import { Gitlab } from '@gitbeaker/rest';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { TestGateway } from '../support/gateway.ts';

/** gitbeaker, an unmodified client, from the first commit to a merge and a pipeline: tests for a file that has a gateway. */
export function testsOfCode(gateway: () => TestGateway): void {
  describe('gitbeaker with code', () => {
    let client: InstanceType<typeof Gitlab>;
    let project: number;
    /** The status of the answer that the client takes for an error. */
    const refused = (work: Promise<unknown>) =>
      work.then(
        () => undefined,
        ({ cause }: { cause?: { response?: Response } }) => cause?.response?.status,
      );
    const add = async (branch: string, filePath: string, content: string, options: { startBranch?: string } = {}) =>
      (
        await client.Commits.create(
          project,
          branch,
          `Add ${filePath}`,
          [{ action: 'create', filePath, content }],
          options,
        )
      ).id;
    beforeAll(async () => {
      client = new Gitlab({ host: gateway().url, token: gateway().tokens.maintainer });
      ({ id: project } = await client.Projects.create({ name: 'Greenhouse' }));
      await add('main', 'README.md', 'one\ntwo\n');
      await add(
        'main',
        '.gitlab-ci.yml',
        'build:\n  script: make\n  rules: [{ if: $CI_PIPELINE_SOURCE =~ /^(api|trigger)$/ }]\n',
      );
    });

    test('reads and writes files, branches and tags, and protects them', async () => {
      const { Branches, Commits, ProtectedBranches, ProtectedTags, Repositories, RepositoryFiles, Tags } = client;
      await RepositoryFiles.create(project, 'docs/a b.txt', 'main', 'a\n', 'Add a');
      await RepositoryFiles.edit(project, 'docs/a b.txt', 'main', 'b\n', 'Change a');
      expect(await RepositoryFiles.showRaw(project, 'docs/a b.txt', 'main')).toBe('b\n');
      expect((await Repositories.allRepositoryTrees(project, { path: 'docs' })).map(({ name }) => name)).toEqual([
        'a b.txt',
      ]);
      expect((await Commits.all(project, { path: 'docs/a b.txt' })).map(({ title }) => title)).toEqual([
        'Change a',
        'Add a',
      ]);
      await Branches.create(project, 'side/one', 'main');
      expect((await Branches.show(project, 'side/one')).default).toBe(false);
      const rule = await ProtectedBranches.create(project, 'side/*');
      expect(rule.push_access_levels).toMatchObject([{ access_level: 40 }]);
      expect((await Branches.show(project, 'side/one')).protected).toBe(true);
      await ProtectedBranches.remove(project, 'side/*');
      const tags = await ProtectedTags.create(project, 'v*', { createAccessLevel: 30 });
      expect(tags.create_access_levels).toMatchObject([{ access_level: 30 }]);
      expect(await Tags.create(project, 'v1', 'main', { message: 'First' })).toMatchObject({ protected: true });
      expect((await ProtectedTags.all(project)).map(({ name }) => name)).toEqual(['v*']);
      await ProtectedTags.remove(project, 'v*');
      expect(await refused(ProtectedTags.show(project, 'v*'))).toBe(404);
      expect(await Tags.show(project, 'v1')).toMatchObject({ protected: false, message: 'First' });
    });

    test('discusses a commit, on a line and on the whole', async () => {
      const { CommitDiscussions, Commits } = client;
      const sha = await add('main', 'discussed.txt', 'one\ntwo\n');
      const [parent] = (await Commits.show(project, sha)).parent_ids as string[];
      const position = {
        positionType: 'text',
        baseSha: parent,
        startSha: parent,
        headSha: sha,
        newPath: 'discussed.txt',
        oldPath: 'discussed.txt',
        newLine: '2',
      };
      const thread = await CommitDiscussions.create(project, sha, 'Why?', { position: position as never });
      expect(thread.notes).toMatchObject([{ type: 'DiffNote', position: { new_line: 2 } }]);
      const reply = await CommitDiscussions.addNote(project, sha, thread.id, 'Because.' as never);
      const note = (reply as unknown as { id: number }).id;
      await CommitDiscussions.editNote(project, sha, thread.id, note, { body: 'So.' });
      await CommitDiscussions.create(project, sha, 'Fine');
      expect(await CommitDiscussions.all(project, sha)).toMatchObject([
        { notes: [{ body: 'Why?' }, { body: 'So.' }] },
        { notes: [{ body: 'Fine' }] },
      ]);
      await CommitDiscussions.removeNote(project, sha, thread.id, note);
      expect((await CommitDiscussions.show(project, sha, thread.id)).notes).toHaveLength(1);
    });

    test('opens a merge request, discusses it on a line, and has it merged when its pipeline succeeds', async () => {
      const { Commits, Issues, MergeRequestApprovals, MergeRequestDiscussions, MergeRequests } = client;
      const head = await add('topic', 't.txt', 'first\nsecond\n', { startBranch: 'main' });
      const { iid: issue } = await Issues.create(project, 'To do');
      const opened = await MergeRequests.create(project, 'topic', 'main', 'Draft: A topic', {
        description: `Closes #${issue}`,
        labels: 'code',
        removeSourceBranch: true,
      });
      const { iid } = opened;
      expect(opened).toMatchObject({ draft: true, labels: ['code'], sha: head, detailed_merge_status: 'draft_status' });
      expect(await refused(MergeRequests.create(project, 'topic', 'main', 'Again'))).toBe(409);
      const changed = await MergeRequests.edit(project, iid, { title: 'A topic', addLabels: 'ready' });
      expect([changed.title, changed.labels]).toEqual(['A topic', ['code', 'ready']]);
      const found = await MergeRequests.all({ projectId: project, sourceBranch: 'topic', state: 'opened' });
      expect(found.map((one) => one.iid)).toEqual([iid]);
      expect((await MergeRequests.allCommits(project, iid)).map(({ id }) => id)).toEqual([head]);
      expect((await MergeRequests.allDiffs(project, iid)).map((diff) => diff.new_path)).toEqual(['t.txt']);
      expect(await MergeRequests.allIssuesClosed(project, iid)).toMatchObject([{ iid: issue }]);
      const { diff_refs: refs } = opened as unknown as { diff_refs: Record<string, string> };
      const position = {
        positionType: 'text',
        baseSha: refs['base_sha'],
        startSha: refs['start_sha'],
        headSha: refs['head_sha'],
        newPath: 't.txt',
        oldPath: 't.txt',
        newLine: '2',
      };
      const thread = await MergeRequestDiscussions.create(project, iid, 'Why?', { position: position as never });
      expect(thread.notes).toMatchObject([{ type: 'DiffNote', position: { new_line: 2 } }]);
      await MergeRequestDiscussions.addNote(project, iid, thread.id, 'Because.');
      const resolved = await MergeRequestDiscussions.resolve(project, iid, thread.id, true);
      expect(resolved.notes).toMatchObject([{ resolved: true }, { resolved: true }]);
      const { MergeRequestDraftNotes: Drafts, MergeRequestNotes } = client;
      const draft = await Drafts.create(project, iid, 'Now', { position: position as never });
      expect(draft).toMatchObject({ note: 'Now', position: { new_path: 't.txt', new_line: 2 } });
      await Drafts.create(project, iid, 'Agreed', {
        inReplyToDiscussionId: thread.id as never,
        resolveDiscussion: true,
      });
      expect((await Drafts.all(project, iid)).map(({ note }) => note)).toEqual(['Now', 'Agreed']);
      expect((await MergeRequestNotes.all(project, iid)).map(({ body }) => body)).not.toContain('Now');
      await Drafts.publish(project, iid, draft.id);
      expect(await refused(Drafts.show(project, iid, draft.id))).toBe(404);
      const gone = await Drafts.create(project, iid, 'Never');
      await Drafts.remove(project, iid, gone.id);
      await Drafts.publishBulk(project, iid);
      expect(await Drafts.all(project, iid)).toEqual([]);
      const said = await MergeRequestNotes.all(project, iid, { sort: 'asc' });
      expect(said.filter(({ system }) => !system).map(({ body }) => body)).toEqual([
        'Why?',
        'Because.',
        'Now',
        'Agreed',
      ]);
      await MergeRequestApprovals.approve(project, iid);
      await Commits.editStatus(project, head, 'running', { ref: 'topic', name: 'build' });
      expect(await refused(MergeRequests.merge(project, iid, { sha: '0'.repeat(40) }))).toBe(409);
      const waits = await MergeRequests.merge(project, iid, { autoMerge: true });
      expect(waits).toMatchObject({ state: 'opened', merge_when_pipeline_succeeds: true });
      await Commits.editStatus(project, head, 'success', { ref: 'topic', name: 'build' });
      await vi.waitFor(
        async () => {
          expect((await MergeRequests.show(project, iid)).state).toBe('merged');
          expect((await Issues.show(issue, { projectId: project })).state).toBe('closed');
          expect(await refused(client.Branches.show(project, 'topic'))).toBe(404);
        },
        { timeout: 20_000, interval: 50 },
      );
      expect(await refused(MergeRequests.merge(project, iid))).toBe(405);
    });

    test('runs pipelines, their jobs and triggers, and keeps variables and environments', async () => {
      const { Environments, Jobs, Pipelines, PipelineTriggerTokens, ProjectVariables } = client;
      const pipeline = await Pipelines.create(project, 'main', { variables: [{ key: 'NAME', value: 'x' }] });
      expect(pipeline).toMatchObject({ status: 'pending', source: 'api', ref: 'main' });
      expect(await Pipelines.allVariables(project, pipeline.id)).toMatchObject([{ key: 'NAME', value: 'x' }]);
      const [job] = await Jobs.all(project, { pipelineId: pipeline.id });
      expect(job).toMatchObject({ name: 'build', status: 'pending' });
      expect((await Jobs.cancel(project, job!.id)).status).toBe('canceled');
      expect((await Pipelines.show(project, pipeline.id)).status).toBe('canceled');
      const again = await Jobs.retry(project, job!.id);
      expect([again.status, again.id === job!.id]).toEqual(['pending', false]);
      expect((await Pipelines.cancel(project, pipeline.id)).status).toBe('canceled');
      const { token } = await PipelineTriggerTokens.create(project, 'Nightly');
      const triggered = await PipelineTriggerTokens.trigger(project, 'main', token, { variables: { NAME: 'y' } });
      expect(triggered).toMatchObject({ source: 'trigger', ref: 'main' });
      await ProjectVariables.create(project, 'KEY', 'value', { protected: true });
      expect(await ProjectVariables.show(project, 'KEY')).toMatchObject({ value: 'value', protected: true });
      const environment = await Environments.create(project, 'review/a', { externalUrl: 'https://a.example.com' });
      expect(environment).toMatchObject({ state: 'available', external_url: 'https://a.example.com' });
      expect((await Environments.stop(project, environment.id)).state).toBe('stopped');
      await Environments.remove(project, environment.id);
      await Pipelines.remove(project, pipeline.id);
      expect(await refused(Pipelines.show(project, pipeline.id))).toBe(404);
    });
  });
}
