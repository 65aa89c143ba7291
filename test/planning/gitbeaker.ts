import { Gitlab } from '@gitbeaker/rest';
import { beforeAll, describe, expect, test } from 'vitest';
import type { TestGateway } from '../support/gateway.ts';

/** gitbeaker, an unmodified client, plans work: tests for a file that has a gateway. */
export function testsOfPlanning(gateway: () => TestGateway): void {
  describe('gitbeaker with planning', () => {
    let client: InstanceType<typeof Gitlab>;
    let project: number;
    let group: number;
    let me: number;
    /** The status of the answer that the client takes for an error. */
    const refused = (work: Promise<unknown>) =>
      work.then(
        () => undefined,
        ({ cause }: { cause?: { response?: Response } }) => cause?.response?.status,
      );
    beforeAll(async () => {
      client = new Gitlab({ host: gateway().url, token: gateway().tokens.maintainer });
      ({ id: me } = await client.Users.showCurrentUser());
      ({ id: group } = await client.Groups.create('Plans', 'gitbeaker-plans'));
      ({ id: project } = await client.Projects.create({ name: 'Garden', namespaceId: group }));
      await client.ProjectLabels.create(project, 'bug', '#abcdef');
      await client.GroupLabels.create(group, 'to do', 'green');
    });
    let made = 0;
    const anIssue = async (options: { labels?: string; assigneeId?: number } = {}) =>
      (await client.Issues.create(project, `Issue ${++made}`, options)).iid;
    const show = (iid: number) => client.Issues.show(iid, { projectId: project });

    test('opens an issue, finds it by two labels and by its milestone, and changes it', async () => {
      const { Issues, ProjectMilestones, IssuesStatistics } = client;
      const { id: milestoneId, iid: milestone } = await ProjectMilestones.create(project, 'Spring', {
        dueDate: '2999-04-30',
      });
      const issue = await Issues.create(project, 'Pump leaks', {
        labels: 'bug,to do',
        milestoneId,
        assigneeId: me,
        dueDate: '2999-04-01',
        description: '- [x] find',
      });
      expect(issue).toMatchObject({
        labels: ['bug', 'to do'],
        milestone: { title: 'Spring', iid: milestone },
        assignee: { username: 'maintainer' },
        due_date: '2999-04-01',
        task_completion_status: { count: 1, completed_count: 1 },
      });
      await anIssue({ labels: 'bug' });
      const found = async (by: object) =>
        (await Issues.all({ projectId: project, ...by })).map(({ title }) => title as string);
      expect(await found({ labels: 'bug,to do' })).toEqual(['Pump leaks']);
      expect(await found({ milestone: 'Spring' })).toEqual(['Pump leaks']);
      expect(await found({ iids: [issue.iid] })).toEqual(['Pump leaks']);
      expect(await found({ labels: 'bug', not: { labels: 'to do' } })).not.toContain('Pump leaks');
      expect((await Issues.all({ groupId: group, labels: 'to do' })).map(({ id }) => id)).toEqual([issue.id]);
      expect((await Issues.all({ scope: 'assigned_to_me' })).map(({ id }) => id)).toContain(issue.id);
      expect(await ProjectMilestones.allAssignedIssues(project, milestoneId)).toMatchObject([{ id: issue.id }]);
      expect(await IssuesStatistics.all({ projectId: project, labels: 'to do' })).toMatchObject({
        statistics: { counts: { all: 1, opened: 1, closed: 0 } },
      });
      const changed = await Issues.edit(project, issue.iid, { addLabels: 'wet', removeLabels: 'bug', title: 'Leak' });
      expect(changed).toMatchObject({ title: 'Leak', labels: ['to do', 'wet'] });
      expect((await client.IssueLabelEvents.all(project, issue.iid)).map(({ action }) => action)).toEqual([
        'add',
        'add',
        'add',
        'remove',
      ]);
      expect(await client.IssueMilestoneEvents.all(project, issue.iid)).toMatchObject([{ action: 'add' }]);
    });

    test('comments on an issue, discusses it, and resolves the thread', async () => {
      const { IssueNotes, IssueDiscussions, IssueNoteAwardEmojis } = client;
      const iid = await anIssue();
      const note = await IssueNotes.create(project, iid, 'Where?');
      expect(await IssueNotes.edit(project, iid, note.id, { body: 'Where is it?' })).toMatchObject({
        body: 'Where is it?',
        noteable_iid: iid,
      });
      expect(await IssueNoteAwardEmojis.award(project, iid, note.id, 'tractor')).toMatchObject({ name: 'tractor' });
      const thread = await IssueDiscussions.create(project, iid, 'At the valve.');
      const reply = await IssueDiscussions.addNote(project, iid, thread.id, 'Which one?');
      expect(reply).toMatchObject({ type: 'DiscussionNote', resolved: false });
      const [first] = thread.notes as unknown as [{ id: number }];
      for (const { id } of [first, reply])
        await IssueDiscussions.editNote(project, iid, thread.id, id, { resolved: true } as never);
      expect(await IssueDiscussions.show(project, iid, thread.id)).toMatchObject({
        individual_note: false,
        notes: [{ body: 'At the valve.', resolved: true }, { resolved_by: { username: 'maintainer' } }],
      });
      await IssueDiscussions.removeNote(project, iid, thread.id, reply.id);
      await IssueNotes.remove(project, iid, note.id);
      expect((await IssueNotes.all(project, iid)).map(({ body }) => body)).toEqual(['At the valve.']);
    });

    test('estimates and spends time', async () => {
      const { Issues } = client;
      const iid = await anIssue();
      expect(await Issues.addTimeEstimate(project, iid, '3h30m')).toMatchObject({ human_time_estimate: '3h 30m' });
      expect(await Issues.addSpentTime(project, iid, '1h')).toMatchObject({ total_time_spent: 3600 });
      expect(await Issues.showTimeStats(project, iid)).toEqual({
        time_estimate: 12_600,
        total_time_spent: 3600,
        human_time_estimate: '3h 30m',
        human_total_time_spent: '1h',
      });
      expect(await Issues.resetSpentTime(project, iid)).toMatchObject({ total_time_spent: 0 });
      expect(await Issues.resetTimeEstimate(project, iid)).toMatchObject({ human_time_estimate: null });
    });

    test('awards emoji, and takes them back', async () => {
      const { IssueAwardEmojis } = client;
      const iid = await anIssue();
      const { id, name } = await IssueAwardEmojis.award(project, iid, '+1');
      expect([name, (await show(iid)).upvotes]).toEqual(['thumbsup', 1]);
      expect(await refused(IssueAwardEmojis.award(project, iid, 'thumbsup'))).toBe(404);
      await IssueAwardEmojis.remove(project, iid, id);
      expect(await IssueAwardEmojis.all(project, iid)).toEqual([]);
    });

    test('subscribes to an issue and unsubscribes from it', async () => {
      const { Issues } = client;
      const iid = await anIssue();
      expect(await Issues.unsubscribe(project, iid)).toMatchObject({ subscribed: false });
      expect(await Issues.subscribe(project, iid)).toMatchObject({ subscribed: true });
      expect(await refused(Issues.subscribe(project, iid))).toBe(304);
      expect(await Issues.allParticipants(project, iid)).toMatchObject([{ username: 'maintainer' }]);
    });

    test('asks for an issue where it subscribes to a label, so that only GitLab’s own path does', async () => {
      const { ProjectLabels } = client;
      const { id } = await ProjectLabels.show(project, 'bug');
      // Version 43.8.0 sends `projects/:id/issues/:label/subscribe`.
      expect(await refused(ProjectLabels.subscribe(project, 'bug'))).toBe(404);
      expect(await client.requester.post(`projects/${project}/labels/${id}/subscribe`)).toMatchObject({
        status: 201,
        body: { name: 'bug', subscribed: true },
      });
    });

    test('makes to-dos, and marks one and all as done', async () => {
      const { Issues, TodoLists } = client;
      await TodoLists.done();
      const iid = await anIssue({ labels: 'bug' });
      const { id } = await Issues.createTodo(project, iid);
      expect(await refused(Issues.createTodo(project, iid))).toBe(304);
      expect(await TodoLists.all()).toMatchObject([{ id, action_name: 'marked', target: { iid, labels: ['bug'] } }]);
      expect(await TodoLists.done({ todoId: id })).toMatchObject({ id, state: 'done' });
      await anIssue({ assigneeId: me });
      expect((await TodoLists.all()).map(({ action_name }) => action_name)).toEqual(['assigned']);
      await TodoLists.done();
      expect(await TodoLists.all()).toEqual([]);
    });

    test('closes an issue by a quick action, which activity shows', async () => {
      const { IssueNotes, IssueStateEvents, Events } = client;
      const iid = await anIssue();
      expect(await IssueNotes.create(project, iid, '/close')).toMatchObject({ summary: ['Closed this issue.'] });
      expect(await show(iid)).toMatchObject({ state: 'closed', closed_by: { username: 'maintainer' } });
      expect(await IssueStateEvents.all(project, iid)).toMatchObject([{ state: 'closed' }]);
      expect(await Events.all({ projectId: project, action: 'closed' })).toMatchObject([{ target_iid: iid }]);
      expect((await Events.all({ action: 'closed', perPage: 1, maxPages: 1 }))[0]).toMatchObject({ target_iid: iid });
    });

    test('links, moves, clones and deletes issues', async () => {
      const { Issues, IssueLinks, Projects } = client;
      const [one, other] = [await anIssue(), await anIssue()];
      await IssueLinks.create(project, one, project, other);
      const [link] = await IssueLinks.all(project, one);
      expect(link).toMatchObject({ iid: other, link_type: 'relates_to' });
      await IssueLinks.remove(project, one, (link as unknown as { issue_link_id: number }).issue_link_id);
      expect(await IssueLinks.all(project, one)).toEqual([]);
      const { id: elsewhere } = await Projects.create({ name: 'Orchard', namespaceId: group });
      expect(await Issues.clone(project, one, elsewhere)).toMatchObject({ project_id: elsewhere, iid: 1 });
      const moved = await Issues.move(project, one, elsewhere);
      expect(moved).toMatchObject({ project_id: elsewhere, iid: 2 });
      expect(await show(one)).toMatchObject({ state: 'closed', moved_to_id: moved.id });
      await Issues.remove(elsewhere, moved.iid);
      expect(await refused(Issues.show(moved.iid, { projectId: elsewhere }))).toBe(404);
    });

    const files = [
      { content: 'A', filePath: 'a.txt' },
      { content: 'B', filePath: 'docs/b.txt' },
    ];
    test('keeps personal snippets and those of a project, with several files', async () => {
      const { Snippets, ProjectSnippets, ProjectSnippetAwardEmojis } = client;
      const mine = await Snippets.create('Mine', { visibility: 'private', files } as never);
      expect(mine).toMatchObject({ title: 'Mine', files: [{ path: 'a.txt' }, { path: 'docs/b.txt' }] });
      expect(await Snippets.showContent(mine.id)).toBe('A');
      expect(await Snippets.showRepositoryFileContent(mine.id, 'main', 'docs/b.txt')).toBe('B');
      const changes = [{ action: 'update', filePath: 'a.txt', content: 'C' }];
      expect(await Snippets.edit(mine.id, { title: 'Ours', files: changes } as never)).toMatchObject({ title: 'Ours' });
      expect(await Snippets.showContent(mine.id)).toBe('C');
      expect((await Snippets.all()).map(({ id }) => id)).toContain(mine.id);
      await Snippets.remove(mine.id);
      expect(await refused(Snippets.show(mine.id))).toBe(404);

      const { id } = await ProjectSnippets.create(project, 'Ours', { visibility: 'private', files } as never);
      expect(await ProjectSnippets.showContent(project, id)).toBe('A');
      expect(await ProjectSnippets.showRepositoryFileContent(project, id, 'main', 'docs/b.txt')).toBe('B');
      expect(await ProjectSnippets.edit(project, id, { title: 'Theirs' } as never)).toMatchObject({ title: 'Theirs' });
      expect(await ProjectSnippets.all(project)).toMatchObject([{ id, project_id: project }]);
      const note = await client.ProjectSnippetNotes.create(project, id, 'Right.');
      expect(note).toMatchObject({ noteable_type: 'Snippet', noteable_iid: null });
      expect(await ProjectSnippetAwardEmojis.award(project, id, 'rocket')).toMatchObject({ awardable_type: 'Snippet' });
      await ProjectSnippets.remove(project, id);
      expect(await ProjectSnippets.all(project)).toEqual([]);
    });

    test('renders Markdown', async () => {
      const options = { gfm: 'true', project: 'gitbeaker-plans/Garden' };
      const { html } = (await client.Markdown.render('**#1**', options)) as unknown as { html: string };
      expect(html).toContain('/gitbeaker-plans/Garden/-/issues/1');
    });
  });
}
