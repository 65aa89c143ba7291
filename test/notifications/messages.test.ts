import { describe, expect, test, vi } from 'vitest';
import { readUnsubscribeKey } from '../../src/auth/index.ts';
import { senderOf } from '../../src/mail/transport.ts';
import { doer, mailedShop, me } from '../support/mail/mailed.ts';
import { anEventfulProject } from '../support/mail/told.ts';

/** What messages say, and by which headers clients sort them, as they arrive at a mail server. */

const mailed = mailedShop();

test.each([
  ['Acme Git <git@acme.example>', 'Acme Git'],
  ['"Git, at Acme" <git@acme.example>', 'Git, at Acme'],
  ['git@acme.example', 'Causeway (code.acme.example)'],
])('the sender %s has the name %s', (from, name) => {
  expect(senderOf(from, 'code.acme.example')).toEqual({ name, address: 'git@acme.example' });
});

describe('a message', () => {
  test('about a new issue has the headers that clients filter and thread by', async () => {
    const p = await anEventfulProject(mailed.shop, mailed.tokenOf);
    await p.choose(me, 'project', { level: 'watch' });
    const description = `See **this**, @${me}\n\n| a | b |\n|---|---|\n| 1 | 2 |`;
    const issue = await mailed.open(p, { description, confidential: true, labels: 'bug,pump' });
    const [mail, ...others] = await mailed.mails();
    expect(others).toEqual([]);
    const projectId = issue.project_id as number;
    const [group, path] = p.project.split('/');
    expect(mail!.from).toEqual({ name: 'the-owner (@the-owner)', address: 'causeway@example.com' });
    expect(mail!.replyTo).toEqual([{ name: 'Causeway', address: 'causeway@example.com' }]);
    expect(mail!.subject).toBe(`${path} | Leak (#1)`);
    expect(mail!.messageId).toBe(`<issue_${issue.id}@${mailed.host}>`);
    expect(mail!.inReplyTo).toBeUndefined();
    expect(mail!.header('List-Id')).toBe(`${p.project} <${projectId}.${path}.${group}.${mailed.host}>`);
    const key = mail!.header('X-GitLab-Reply-Key')!;
    expect(mail!.header('List-Unsubscribe')).toBe(
      `<${mailed.shop.gateway.url}/-/sent_notifications/${key}/unsubscribe>`,
    );
    expect(mail!.header('List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click');
    expect(readUnsubscribeKey(mailed.shop.gateway.gateway.application.keys, key)).toEqual({
      userId: await mailed.idOf(me),
      subjectKind: 'Issue',
      subjectId: issue.id,
    });
    const expected = {
      'Project-Id': String(projectId),
      'Project-Path': p.project,
      'Issue-ID': String(issue.id),
      'Issue-IID': '1',
      'Issue-State': 'opened',
      ConfidentialIssue: 'true',
      NotificationReason: 'mentioned',
      'Reply-Key': key,
    };
    for (const [name, value] of Object.entries(expected))
      for (const brand of ['GitLab', 'Causeway']) expect(mail!.header(`X-${brand}-${name}`), name).toBe(value);
    // Their names are spelled as clients document them.
    for (const name of ['X-GitLab-NotificationReason', 'X-Causeway-ConfidentialIssue', 'List-Id', 'X-GitLab-Issue-IID'])
      expect(mail!.raw).toMatch(new RegExp(`^${name}: `, 'm'));
    expect(mail!.header('Auto-Submitted')).toBe('auto-generated');
    expect(mail!.header('X-Auto-Response-Suppress')).toBe('All');
    expect(mail!.raw).toMatch(/Content-Type: multipart\/alternative/);
    expect(mail!.raw.indexOf('text/plain')).toBeLessThan(mail!.raw.indexOf('text/html'));
    expect(mail!.text).toContain(`See **this**, @${me}`);
    expect(mail!.html).toContain('<strong>this</strong>');
    expect(mail!.html).toContain('<table border="1"');
    expect(mail!.text).toMatch(/\n-- \nYou receive this message because you are mentioned\.\nView the issue: http/);
    expect(mail!.text).toContain('Labels: bug, pump');
  });

  test('about all comments of a review is one, and about an internal one another', async () => {
    const p = await anEventfulProject(mailed.shop, mailed.tokenOf);
    const json = { branch: 'main', commit_message: 'Begin', actions: [{ action: 'create', file_path: 'a.txt' }] };
    await p.send('POST', '/repository/commits', doer, json);
    const topic = {
      ...json,
      branch: 'topic',
      start_branch: 'main',
      actions: [{ action: 'create', file_path: 'b.txt' }],
    };
    await p.send('POST', '/repository/commits', doer, topic);
    const request = { source_branch: 'topic', target_branch: 'main', title: 'Seal the pump' };
    await p.send('POST', '/merge_requests', me, request);
    const drafts = '/merge_requests/1/draft_notes';
    for (const note of ['One', `Two, @${me}`, '/title Pump']) await p.send('POST', drafts, doer, { note });
    expect(await mailed.mails()).toEqual([]);
    await p.send('POST', `${drafts}/bulk_publish`, doer, { note: 'Between us', internal: true });
    const [one, two, ours] = (await p.send('GET', '/merge_requests/1/notes?sort=asc', doer)).filter(
      ({ system }: { system: boolean }) => !system,
    );
    const ofNote = ({ id }: { id: number }) => `<note_${id}@${mailed.host}>`;
    const mails = await mailed.mails();
    expect(mails).toHaveLength(2);
    expect(mails.find(({ messageId }) => messageId === ofNote(ours))!.text).toContain('Between us');
    const review = mails.find(({ messageId }) => messageId !== ofNote(ours))!;
    expect(review.header('X-GitLab-NotificationReason')).toBe('mentioned');
    expect(review.text).toMatch(/reviewed a merge request\.\r?\n[^]*#note_\d+\s+One\s[^]*#note_\d+\s+Two, @/);
    for (const { id } of [one, two]) expect(review.html).toContain(`/-/merge_requests/1#note_${id}"`);
    expect(review.text).not.toContain('Between us');
    // A review of one comment is the comment.
    await p.send('POST', drafts, doer, { note: 'Three' });
    await p.send('POST', `${drafts}/bulk_publish`, doer);
    const [last] = await p.send('GET', '/merge_requests/1/notes', doer);
    expect((await mailed.mails()).at(-1)).toMatchObject({
      messageId: ofNote(last),
      text: expect.stringContaining('Three'),
    });
    expect(await mailed.mails(doer)).toEqual([]);
  });

  test('about what follows belongs to the thread of the issue, and that of the comment it answers', async () => {
    const p = await anEventfulProject(mailed.shop, mailed.tokenOf);
    const issue = await mailed.open(p, { assignee_ids: [await mailed.idOf(me)] });
    const first = await mailed.comment(p, 'One');
    const { id: discussion } = (await p.send('GET', '/issues/1/discussions', doer)).at(-1);
    const reply = await p.send('POST', `/issues/1/discussions/${discussion}/notes`, doer, { body: 'Two' });
    await p.send('PUT', '/issues/1', doer, { state_event: 'close' });
    // Several are sent at once, so they may arrive in another order.
    const mails = await mailed.mails();
    const ofNote = (id: number) => mails.find(({ messageId }) => messageId === `<note_${id}@${mailed.host}>`);
    const opened = mails.find((mail) => mail.header('X-GitLab-NotificationReason') === 'assigned');
    const [one, two] = [ofNote(first.id), ofNote(reply.id)];
    const closed = mails.find((mail) => ![opened, one, two].includes(mail));
    expect(mails).toHaveLength(4);
    const item = `<issue_${issue.id}@${mailed.host}>`;
    expect(opened!.header('X-GitLab-NotificationReason')).toBe('assigned');
    expect([one!.messageId, one!.inReplyTo, one!.references]).toEqual([
      `<note_${first.id}@${mailed.host}>`,
      item,
      item,
    ]);
    expect(one!.subject).toBe(`Re: ${opened!.subject}`);
    // A reason that isn't there is an empty header, not a missing one.
    for (const brand of ['GitLab', 'Causeway']) {
      expect(one!.header(`X-${brand}-NotificationReason`)).toBe('');
      expect(one!.raw).toMatch(new RegExp(`^X-${brand}-NotificationReason: \\r?$`, 'm'));
    }
    expect(two!.inReplyTo).toBe(`<note_${first.id}@${mailed.host}>`);
    expect(two!.references).toBe(`${item} <note_${first.id}@${mailed.host}>`);
    expect(two!.messageId).toBe(`<note_${reply.id}@${mailed.host}>`);
    expect(two!.header('X-GitLab-Discussion-ID')).toMatch(/^[0-9a-f]{40}$/);
    expect(closed!.inReplyTo).toBe(item);
    expect(closed!.messageId).toMatch(new RegExp(`^<[0-9a-f]{40}@${mailed.host.replaceAll('.', '\\.')}>$`));
    expect(closed!.header('X-GitLab-Issue-State')).toBe('closed');
    expect(closed!.text).toContain('the-owner (@the-owner) closed the issue.');
  });

  test('says what changed: assignee, milestone, labels, mention, due date, copy, and where the project went', async () => {
    const p = await anEventfulProject(mailed.shop, mailed.tokenOf);
    const target = await anEventfulProject(mailed.shop, mailed.tokenOf, 'PRIVATE', 'closed');
    await mailed.shop.api(
      'POST',
      `projects/${encodeURIComponent(target.project)}/members`,
      mailed.tokenOf('the-root'),
      {
        json: { user_id: await mailed.idOf(doer), access_level: 40 },
      },
    );
    const says = async () => {
      const [mail] = (await mailed.mails()).slice(-1);
      return mail!.text!.split('\n')[0];
    };
    await mailed.open(p, { assignee_ids: [await mailed.idOf(me)] });
    expect(await says()).toBe('the-owner (@the-owner) opened an issue.');
    const { id: milestone } = await p.send('POST', '/milestones', doer, { title: 'Soon' });
    await p.send('PUT', '/issues/1', doer, { milestone_id: milestone });
    expect(await says()).toBe('the-owner (@the-owner) changed the milestone to Soon.');
    await p.send('PUT', '/issues/1', doer, { assignee_ids: [] });
    expect(await says()).toBe('the-owner (@the-owner) removed the-developer (@the-developer) as the assignee.');
    await p.send('PUT', '/issues/1', doer, { description: `Ask @${me}` });
    expect(await says()).toBe('the-owner (@the-owner) mentioned you in the issue.');
    await p.send('PUT', '/issues/1', doer, { state_event: 'close' });
    expect(await says()).toBe('the-owner (@the-owner) closed the issue.');
    await p.send('PUT', '/issues/1', doer, { state_event: 'reopen' });
    expect(await says()).toBe('the-owner (@the-owner) reopened the issue.');
    // The person doesn't see the project that it is copied to, and isn't told its name.
    const { id } = await mailed.shop
      .api('GET', `projects/${encodeURIComponent(target.project)}`, mailed.tokenOf('the-root'))
      .then(({ body }) => body);
    await p.send('POST', '/issues/1/clone', doer, { to_project_id: id });
    expect(await says()).toBe('the-owner (@the-owner) copied the issue to another project.');
    expect((await mailed.mails()).every(({ raw }) => !raw.includes(target.project))).toBe(true);
  });

  test('about a moved project goes to its maintainers, with no item and no way to unsubscribe', async () => {
    const p = await anEventfulProject(mailed.shop, mailed.tokenOf);
    await p.send('PUT', '', doer, { path: 'elsewhere', name: 'Else' });
    const [mail] = await mailed.mails('the-maintainer');
    expect(mail!.subject).toBe('Else | Project was moved');
    expect(mail!.text).toContain('Its path is now shop/elsewhere.');
    expect(mail!.header('List-Unsubscribe')).toBeUndefined();
    expect(mail!.header('X-GitLab-NotificationReason')).toBeUndefined();
  });

  test('about the end of a pipeline goes to its own person, with its headers', async () => {
    const p = await anEventfulProject(mailed.shop, mailed.tokenOf);
    await p.choose(me, 'project', { level: 'custom', success_pipeline: true });
    const { id: sha } = await p.send('POST', '/repository/commits', doer, {
      branch: 'main',
      commit_message: 'Begin',
      actions: [{ action: 'create', file_path: 'a.txt', content: 'a' }],
    });
    const report = (state: string, name: string) =>
      p.send('POST', `/statuses/${sha}`, me, { state, name, ref: 'topic' });
    const { pipeline_id: id } = await report('failed', 'lint <b>');
    const [failed] = await mailed.mails();
    expect(failed!.subject).toMatch(new RegExp(`^\\S+ \\| Failed pipeline for topic \\| ${sha.slice(0, 8)}$`));
    expect(failed!.text).toContain('Your pipeline #1 has failed.');
    expect(failed!.text).toContain('Failed: lint <b>');
    expect(failed!.text).toContain(`/${p.project}/-/pipelines/${id}`);
    expect(failed!.html).not.toContain('lint <b>');
    expect(failed!.header('X-GitLab-Pipeline-Id')).toBe(String(id));
    expect(failed!.header('X-GitLab-Pipeline-Ref')).toBe('topic');
    expect(failed!.header('X-GitLab-Pipeline-Status')).toBe('failed');
    for (const name of ['List-Unsubscribe', 'X-GitLab-NotificationReason', 'X-GitLab-Reply-Key'])
      expect(failed!.header(name)).toBeUndefined();
    await report('success', 'lint <b>');
    await report('canceled', 'unit');
    await report('success', 'unit');
    const subjects = (await mailed.mails()).map(({ subject }) => subject!.split(' | ')[1]);
    expect(subjects.filter((one) => one !== 'Failed pipeline for topic')).toEqual([
      'Fixed pipeline for topic',
      'Successful pipeline for topic',
    ]);
  });

  test('about a merge request has its own headers and thread, and a link that ends it', async () => {
    const p = await anEventfulProject(mailed.shop, mailed.tokenOf);
    const commit = (branch: string, more: object = {}) =>
      p.send('POST', '/repository/commits', doer, {
        branch,
        commit_message: 'Change',
        actions: [{ action: 'create', file_path: `${branch}.txt`, content: branch }],
        ...more,
      });
    await commit('main');
    await commit('topic', { start_branch: 'main' });
    const { id } = await p.send('POST', '/merge_requests', doer, {
      source_branch: 'topic',
      target_branch: 'main',
      title: 'Seal the pump',
      assignee_id: await mailed.idOf(me),
    });
    const [opened] = await mailed.mails();
    const first = `<merge_request_${id}@${mailed.host}>`;
    expect([opened!.messageId, opened!.inReplyTo]).toEqual([first, undefined]);
    const expected = {
      'MergeRequest-ID': String(id),
      'MergeRequest-IID': '1',
      'MergeRequest-State': 'opened',
      NotificationReason: 'assigned',
    };
    for (const [name, value] of Object.entries(expected))
      for (const brand of ['GitLab', 'Causeway']) expect(opened!.header(`X-${brand}-${name}`), name).toBe(value);
    const noted = await p.send('POST', '/merge_requests/1/notes', doer, { body: 'One' });
    const [, next] = await mailed.mails();
    expect([next!.messageId, next!.inReplyTo]).toEqual([`<note_${noted.id}@${mailed.host}>`, first]);
    const link = /^<(.*)>$/.exec(next!.header('List-Unsubscribe')!)![1]!;
    const page = await (await fetch(link)).text();
    expect(page).toContain('what the message was about');
    expect(page).not.toContain('Seal the pump');
    const done = await fetch(link, { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) });
    expect(done.status).toBe(200);
    const seen = await p.send('GET', '/merge_requests/1', me);
    expect(seen.subscribed).toBe(false);
    await p.send('POST', '/merge_requests/1/notes', doer, { body: 'Two' });
    expect(await mailed.mails()).toHaveLength(2);
    await p.send('DELETE', '/merge_requests/1', doer);
    expect((await fetch(link)).status).toBe(404);
  });

  test('about a push names its commits, and about a comment in a diff the line', async () => {
    const p = await anEventfulProject(mailed.shop, mailed.tokenOf);
    const commit = (branch: string, message: string, file: string, more: object = {}) =>
      p.send('POST', '/repository/commits', doer, {
        branch,
        commit_message: message,
        actions: [{ action: 'create', file_path: file, content: 'one\ntwo' }],
        ...more,
      });
    await commit('main', 'Begin', 'a.txt');
    await commit('topic', 'Seal', 'b.txt', { start_branch: 'main' });
    const { diff_refs: refs } = await p.send('POST', '/merge_requests', doer, {
      source_branch: 'topic',
      target_branch: 'main',
      title: 'Seal the pump',
      assignee_id: await mailed.idOf(me),
    });
    const [opened] = await mailed.mails();
    const { id: sha } = await commit('topic', 'Use *less* of <b>_it_</b> & #1\n\nAt last', 'c.txt');
    const pushed = await vi.waitFor(async () => {
      const mail = (await mailed.mails())[1];
      expect(mail).toBeDefined();
      return mail!;
    }, 10_000);
    expect(pushed.text).toContain('the-owner (@the-owner) pushed new commits to the merge request.');
    expect(pushed.text).toContain(`added 1 commit\n\n- ${sha.slice(0, 8)} Use *less* of <b>_it_</b> & #1\n\n-- \n`);
    expect(pushed.html).toContain(`<li>${sha.slice(0, 8)} Use *less* of &lt;b&gt;_it_&lt;/b&gt; &amp; #1</li>`);
    expect(pushed.inReplyTo).toBe(opened!.messageId);
    const at = async (body: string, place: object) => {
      const position = { ...refs, position_type: 'text', old_path: 'b.txt', new_path: 'b.txt', ...place };
      const { notes } = await p.send('POST', '/merge_requests/1/discussions', doer, { body, position });
      const mails = await mailed.mails();
      return mails.find(({ messageId }) => messageId === `<diff_note_${notes[0].id}@${mailed.host}>`)!;
    };
    const noted = await at('Why?', { new_line: 2 });
    expect(noted.text).toContain('File: b.txt, line 2\n\nWhy?');
    expect(noted.html).toContain('File: <bdi>b.txt, line 2</bdi>');
    const whole = await at('And this?', { position_type: 'file' });
    expect(whole.text).toContain('File: b.txt\n\nAnd this?');
  });

  test('about a closed issue names the merge request that closed it, to those who read that', async () => {
    const p = await anEventfulProject(mailed.shop, mailed.tokenOf);
    for (const who of [me, 'the-guest']) await p.choose(who, 'project', { level: 'custom', close_issue: true });
    await mailed.open(p, { title: 'One' });
    await mailed.open(p, { title: 'Two' });
    const commit = (branch: string, message: string, more: object = {}) =>
      p.send('POST', '/repository/commits', doer, {
        branch,
        commit_message: message,
        actions: [{ action: 'create', file_path: `${branch}.txt`, content: branch }],
        ...more,
      });
    await commit('main', 'Begin');
    await commit('topic', 'Seal\n\nCloses #2', { start_branch: 'main' });
    await p.send('POST', '/merge_requests', doer, {
      source_branch: 'topic',
      target_branch: 'main',
      title: 'Seal the pump',
      description: 'Closes #1',
    });
    await p.send('PUT', '/merge_requests/1/merge', doer);
    const says = async (who: string) => {
      const mails = await vi.waitFor(async () => {
        const found = (await mailed.mails(who)).filter(({ subject }) => /\| (One|Two) /.test(subject!));
        expect(found).toHaveLength(2);
        return found;
      }, 10_000);
      return mails.map(({ text }) => text!.split('\n')[0]);
    };
    const closed = 'the-owner (@the-owner) closed the issue';
    // Also by the message of a commit: it came with the merge.
    expect(await says(me)).toEqual(Array(2).fill(`${closed} via the merge request ${p.project}!1.`));
    // Guests don't read merge requests of private projects.
    expect(await says('the-guest')).toEqual(Array(2).fill(`${closed}.`));
  });

  test('about an epic has a link that ends further ones with one click', async () => {
    const { make, api, gateway } = mailed.shop;
    const tokens: Record<string, string> = {};
    for (const who of ['the-patron', 'the-sponsor']) {
      tokens[who] = await make.user(who, { tier: 'PREMIUM' });
      await make.member(who, 'DEVELOPER', { group: 'shop' });
    }
    const p = await anEventfulProject(mailed.shop, (who) => tokens[who]!);
    await p.choose('the-patron', { group: 'shop' }, { level: 'watch' });
    const { body: epic } = await api('POST', 'groups/shop/epics', tokens['the-sponsor'], {
      json: { title: 'Harbour' },
    });
    const [mail] = await mailed.mails('the-patron');
    expect(mail!.subject).toBe('shop | Harbour (&1)');
    expect(mail!.messageId).toBe(`<epic_${epic.id}@${mailed.host}>`);
    expect(mail!.header('X-GitLab-Group-Path')).toBe('shop');
    const key = mail!.header('X-GitLab-Reply-Key')!;
    const [userId, subjectId] = [await mailed.idOf('the-patron'), epic.id as number];
    expect(readUnsubscribeKey(gateway.gateway.application.keys, key)).toEqual({
      userId,
      subjectKind: 'Epic',
      subjectId,
    });
    const link = `${gateway.url}/-/sent_notifications/${key}/unsubscribe`;
    expect(mail!.header('List-Unsubscribe')).toBe(`<${link}>`);
    expect(mail!.header('List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click');
    expect(mail!.text).toContain(link);
    const asks = await fetch(link);
    expect(asks.status).toBe(200);
    expect(await asks.text()).not.toContain('Harbour');
    const said = () => mailed.sql('select subscribed from subscriptions where epic_id = $1', [subjectId]);
    expect(await said()).toEqual([]);
    for (const _time of [1, 2]) {
      const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
      const done = await fetch(link, { method: 'POST', body });
      expect([done.status, (await done.text()).includes('Subscribe again on its page.')]).toEqual([200, true]);
      expect(await said()).toEqual([{ subscribed: false }]);
    }
    await mailed.sql(`update notifications set state = 'WAITING', sent_at = null`);
    await mailed.sendAgain();
    expect((await mailed.fates('the-patron')).at(-1)).toMatchObject({ state: 'DROPPED', outcome: 'UNSUBSCRIBED' });
    const { data } = await gateway.graphql<any>(
      `{ notificationDecision(event: NEW_EPIC, subject: "gid://gitlab/Epic/${subjectId}") { notified steps { step passed } } }`,
      { token: tokens['the-patron']! },
    );
    expect(data!.notificationDecision).toMatchObject({ notified: false });
    expect(data!.notificationDecision.steps.at(-1)).toEqual({ step: 'SUBSCRIPTION', passed: false });
    const again = await gateway.graphql<any>(
      `mutation { epicSetSubscription(input: { groupPath: "shop", iid: "1", subscribedState: true }) { epic { iid subscribed } errors } }`,
      { token: tokens['the-patron']! },
    );
    expect(again.data!.epicSetSubscription).toEqual({ epic: { iid: '1', subscribed: true }, errors: [] });
    expect(await said()).toEqual([{ subscribed: true }]);
    await mailed.sql(`update notifications set state = 'WAITING'`);
    await mailed.sendAgain();
    expect((await mailed.fates('the-patron')).at(-1)).toMatchObject({ state: 'SENT', outcome: null });
  });

  test('about a comment on a commit goes to whose commit it is, who commented before, and whom it mentions', async () => {
    const p = await anEventfulProject(mailed.shop, mailed.tokenOf);
    const { id: sha } = await p.send('POST', '/repository/commits', doer, {
      branch: 'main',
      commit_message: 'Seal the pump\n\nAt last',
      author_name: 'Someone',
      author_email: (await mailed.addressOf(me)).toUpperCase(),
      actions: [{ action: 'create', file_path: 'a.txt', content: 'one\ntwo' }],
    });
    const comment = (who: string, note: string, more: object = {}) =>
      p.send('POST', `/repository/commits/${sha}/comments`, who, { note, ...more });
    await comment('the-reporter', 'Why **two**?', { path: 'a.txt', line: 2 });
    const [mail, ...others] = await mailed.mails();
    expect(others).toEqual([]);
    const [, path] = p.project.split('/');
    expect(mail!.from!.name).toBe('the-reporter (@the-reporter)');
    expect(mail!.subject).toBe(`Re: ${path} | Seal the pump (${sha.slice(0, 8)})`);
    expect(mail!.inReplyTo).toBe(`<commit_${sha}@${mailed.host}>`);
    const [, noteId] = /^<commit_note_(\d+)@/.exec(mail!.messageId!)!;
    expect(mail!.header('X-GitLab-Commit-ID')).toBe(sha);
    expect(mail!.header('X-GitLab-NotificationReason')).toBe('');
    expect(mail!.header('List-Unsubscribe')).toBeUndefined();
    const key = mail!.header('X-GitLab-Reply-Key')!;
    expect((await fetch(`${mailed.shop.gateway.url}/-/sent_notifications/${key}/unsubscribe`)).status).toBe(404);
    const url = `${mailed.shop.gateway.url}/${p.project}/-/commit/${sha}#note_${noteId}`;
    expect(mail!.text).toMatch(/^the-reporter \(@the-reporter\) commented on a commit\.\n/);
    expect(mail!.text).toContain(`\n${url}\n\nFile: a.txt, line 2\n\nWhy **two**?\n`);
    expect(mail!.html).toContain('Why <strong>two</strong>?');
    // It is in the list of what was sent, as long as the person reads the code.
    const listed = async () =>
      (
        await mailed.shop.gateway.graphql<any>('{ currentUser { notifications { nodes { cause title url } } } }', {
          token: mailed.tokenOf(me),
        })
      ).data!.currentUser.notifications.nodes;
    expect(await listed()).toEqual([{ cause: 'NEW_NOTE', title: 'Seal the pump', url }]);

    // A reply is in its thread.
    const threads = `/repository/commits/${sha}/discussions`;
    const [{ id: thread }] = await p.send('GET', threads, me);
    await p.send('POST', `${threads}/${thread}/notes`, 'the-reporter', { body: 'Or three?' });
    const reply = (await mailed.mails()).at(-1)!;
    expect(reply.header('X-GitLab-Discussion-ID')).toBe(thread);
    expect(reply.inReplyTo).toBe(mail!.messageId);
    expect(reply.text).toContain('File: a.txt, line 2\n\nOr three?');

    // Guests of a private project don't read its code.
    await comment(me, 'Ask @the-maintainer or @the-guest');
    const reasons = async (who: string) =>
      (await mailed.mails(who)).map((one) => one.header('X-GitLab-NotificationReason'));
    expect(await reasons('the-reporter')).toEqual(['']);
    expect(await reasons('the-maintainer')).toEqual(['mentioned']);
    expect(await reasons('the-guest')).toEqual([]);
    expect(await reasons(me)).toEqual(['', '']);
    // The level and its switches are those of every comment.
    await p.choose(me, 'project', { level: 'mention' });
    await p.choose('the-guest', 'project', { level: 'watch' });
    await p.choose('the-maintainer', 'project', { level: 'custom', new_note: true });
    await comment('the-reporter', 'Fine');
    expect(await reasons(me)).toEqual(['', '']);
    expect(await reasons('the-guest')).toEqual([]);
    expect(await reasons('the-maintainer')).toEqual(['mentioned', '']);
    const off = ['repository', 'merge_requests', 'builds'].map((name) => [`${name}_access_level`, 'disabled']);
    await p.send('PUT', '', doer, Object.fromEntries(off));
    const hidden = { cause: 'NEW_NOTE', title: null, url: null };
    expect(await listed()).toEqual([hidden, hidden]);
  });

  test('about new labels has no link that ends it: labels are subscribed by themselves', async () => {
    const p = await anEventfulProject(mailed.shop, mailed.tokenOf);
    await mailed.open(p);
    expect(await mailed.mails()).toEqual([]);
    await p.send('POST', '/labels', doer, { name: 'bug', color: '#ff0000' });
    await p.send('POST', '/labels/bug/subscribe', me);
    await p.send('PUT', '/issues/1', doer, { add_labels: 'bug' });
    const [mail, ...others] = await mailed.mails();
    expect(others).toEqual([]);
    expect(mail!.text).toContain('the-owner (@the-owner) added labels to the issue.');
    expect(mail!.text).not.toContain('Unsubscribe');
    for (const name of ['List-Unsubscribe', 'List-Unsubscribe-Post']) expect(mail!.header(name)).toBeUndefined();
    expect(mail!.header('X-GitLab-Reply-Key')).toMatch(/./);
    expect(mail!.header('X-GitLab-NotificationReason')).toBe('');
  });

  test('can’t be made to carry headers, HTML or directions of text by a title or a name', async () => {
    const p = await anEventfulProject(mailed.shop, mailed.tokenOf);
    await p.choose(me, 'project', { level: 'watch' });
    const title = `A\u202egnp.exe <script>alert(1)</script>"><img src=x onerror=1> שלום \u2066`;
    await mailed.sql(`update users set name = $1 where username = $2`, [
      `Eve\r\nBcc: eve@example.com <b>"x"\u202e`,
      doer,
    ]);
    await mailed.sql(`update projects set name = $1 where full_path = $2`, [`P\r\nX-Evil: 1`, p.project]);
    await mailed.open(p, {
      title,
      description: `<script>alert(2)</script>\n\n[x](javascript:alert(3)) <a href="javascript:alert(4)">y</a> ![pixel](https://tracker.example/p.png)\n\n[there](/uploads/a)\n\n-- \nfake footer`,
    });
    const [mail] = await mailed.mails();
    await mailed.sql(`update users set name = $1 where username = $2`, [doer, doer]);
    expect(mail!.header('Bcc')).toBeUndefined();
    expect(mail!.header('X-Evil')).toBeUndefined();
    expect(mail!.header('X-GitLab-Project')).toBe('P X-Evil: 1');
    expect(mail!.from!.name).toBe('Eve Bcc: eve@example.com <b>"x" (@the-owner)');
    expect(mail!.from!.address).toBe('causeway@example.com');
    expect(mail!.recipient).toBe(await mailed.addressOf(me));
    // Directions that were written are gone; the title, which has letters from right to left, is isolated.
    for (const shown of [mail!.subject!, mail!.html!, mail!.text!, mail!.from!.name!])
      expect(shown).not.toMatch(/[\u202e\u2066]/);
    expect(mail!.subject).toMatch(/\u2068Agnp\.exe .*שלום\u2069 \(#1\)$/);
    expect(mail!.html).not.toMatch(/<script|<img|href="javascript:/);
    expect(mail!.html).toContain('&lt;script>alert(1)&lt;/script>');
    expect(mail!.html).toContain('<a href="https://tracker.example/p.png" rel="noreferrer">pixel</a>');
    expect(mail!.html).toContain(`<a href="${mailed.shop.gateway.url}/uploads/a" rel="noreferrer">there</a>`);
    expect(mail!.text!.match(/^-- $/gm)).toHaveLength(1);
    // Nothing in a mail loads by itself.
    expect(mail!.html).not.toMatch(/<[^>]*\ssrc=|url\(|<link|<iframe|<style/);
  });

  test('tells nothing of what a text refers to', async () => {
    const p = await anEventfulProject(mailed.shop, mailed.tokenOf);
    await mailed.open(p, { title: 'Unspeakable', confidential: true });
    await p.choose('the-guest', 'project', { level: 'watch' });
    await mailed.open(p, { title: 'Second', description: 'See #1 and ~bug' });
    const [mail, ...others] = await mailed.mails('the-guest');
    expect(others).toEqual([]);
    expect(mail!.raw).not.toContain('Unspeakable');
    expect(mail!.html).toContain('See #1 and ~bug');
  });
});
