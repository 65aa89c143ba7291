import { newKey } from '../ssh/support/gateway.ts';
import type { TestGateway } from '../support/gateway.ts';
import { newUser } from '../support/places/people.ts';

/** A group and a project in which all that people name has a name of 200 letters without a blank, and the pages that show it. */

const long = (letter: string, length = 200) => letter.repeat(length);
const [group, project, empty] = [long('g'), long('p'), long('o')];
const [folder, file, branch, tag] = [long('d', 100), `${long('f', 100)}.md`, long('b'), long('t')];

/** Makes the records. @returns the pages that show them, by the person who opens them */
export async function fillWithLongNames(gateway: TestGateway): Promise<Record<'maintainer' | 'root', string[]>> {
  const { rest, sql, tokens } = gateway;
  const senderAs =
    (token: string) =>
    async (path: string, json: object): Promise<{ readonly id: number; readonly iid: number }> => {
      const { status, body, text } = await rest('POST', `/api/v4${path}`, { token, json });
      if (status !== 201) throw new Error(`${path.slice(-40)}: ${status} ${text.slice(0, 200)}`);
      return body as never;
    };
  const send = senderAs(tokens.maintainer);
  await sql(`update users set name = repeat('u', 200), tier = 'PREMIUM' where username = 'maintainer'`);
  const { id: groupId } = await send('/groups', { name: group, path: group, visibility: 'public' });
  const further = { namespace_id: groupId, visibility: 'public', description: long('e') };
  const { id: projectId } = await send('/projects', { name: project, path: project, ...further });
  await send('/projects', { name: empty, path: empty, ...further });
  const at = `/projects/${projectId}`;
  const asking = await newUser(gateway, 'asking');
  await sql(`update users set name = repeat('u', 200) where id = $1`, [asking.id]);

  for (const [place, name] of [
    [`/groups/${groupId}`, long('k')],
    [at, long('l')],
  ] as const) {
    await send(`${place}/labels`, { name, color: '#123456', description: long('e') });
    await send(`${place}/milestones`, { title: name, description: long('e') });
    await send(`${place}/variables`, { key: long('K'), value: 'some value', description: long('v') });
    await senderAs(asking.token)(`${place}/access_requests`, {});
  }
  await send(`/groups/${groupId}/epics`, { title: long('q'), description: long('e') });
  const [milestone] = await sql<{ id: number }>('select id from milestones where project_id = $1', [projectId]);
  const issue = await send(`${at}/issues`, {
    title: long('i', 255),
    description: long('e', 300),
    labels: `${long('l')},${long('k')}`,
    milestone_id: milestone!.id,
    assignee_id: 2,
  });
  const note = await send(`${at}/issues/${issue.iid}/notes`, { body: long('n', 300) });
  await send(`${at}/issues/${issue.iid}/todo`, {});

  const commit = (name: string, file_path: string, content: string, more = {}) =>
    send(`${at}/repository/commits`, {
      branch: name,
      commit_message: `${long('c', 300)}\n\n${long('e')}`,
      actions: [{ action: 'create', file_path, content }],
      ...more,
    });
  await commit('main', `${folder}/${file}`, `# ${long('w', 300)}\n`);
  const jobs = { stages: [long('s')], [long('j')]: { stage: long('s'), script: ['true'] } };
  await commit('main', '.gitlab-ci.yml', JSON.stringify(jobs));
  const { id: sha } = await commit(branch, long('x'), long('y', 300), { start_branch: 'main' });
  await send(`${at}/repository/tags`, { tag_name: tag, ref: 'main', message: long('z', 300) });
  await send(`${at}/protected_branches`, { name: long('q') });
  await send(`${at}/protected_tags`, { name: long('q') });
  const request = await send(`${at}/merge_requests`, {
    source_branch: branch,
    target_branch: 'main',
    title: long('r', 255),
    description: long('e', 300),
    labels: long('l'),
    assignee_id: 2,
    reviewer_ids: [2],
  });
  await send(`${at}/merge_requests/${request.iid}/notes`, { body: long('n', 300) });

  const { id: pipeline } = await send(`${at}/pipeline`, { ref: 'main' });
  const [job] = await sql<{ id: number }>('select id from ci_jobs where pipeline_id = $1', [pipeline]);
  const { id: environment } = await send(`${at}/environments`, {
    name: long('h'),
    external_url: `https://example.com/${long('a')}`,
    description: long('e'),
  });
  const { id: schedule } = await send(`${at}/pipeline_schedules`, {
    description: long('y'),
    ref: branch,
    cron: '0 3 * * *',
  });
  await send(`${at}/triggers`, { description: long('y') });
  for (const keys of [`${at}/deploy_keys`, '/user/keys']) await send(keys, { title: long('y'), key: newKey().public });
  const machine = { description: long('y'), tag_list: long('t') };
  await send('/user/runners', { runner_type: 'project_type', project_id: projectId, ...machine });
  await send('/user/runners', { runner_type: 'group_type', group_id: groupId, ...machine });
  await senderAs(tokens.root)('/applications', {
    name: long('a'),
    redirect_uri: `https://example.com/${long('a')}`,
    scopes: 'api',
  });
  await sql(`update personal_access_tokens set name = repeat('y', 200)`);

  const inGroup = (page: string) => `/groups/${group}${page && `/-${page}`}`;
  const inProject = (page: string) => `/${group}/${project}${page && `/-${page}`}`;
  const inEmpty = (page: string) => `/${group}/${empty}${page && `/-${page}`}`;
  const lists = ['', '/issues', '/merge_requests', '/labels', '/milestones', '/members', '/variables', '/runners'];
  const search = long('z');
  return {
    maintainer: [
      '/',
      '/maintainer',
      ...['notifications', 'keys', 'personal_access_tokens', 'activity'].map((page) => `/profile/${page}`),
      ...['issues', 'merge_requests', 'todos'].map((page) => `/dashboard/${page}`),
      ...['pppp', search].map((words) => `/search?search=${words}`),
      ...['groups&search=gggg', 'users&search=uuuu', 'issues&search=iiii', 'merge_requests&search=rrrr'].map(
        (query) => `/search?scope=${query}`,
      ),
      ...[...lists, '/epics', '/epics/1', '/sharing', '/edit', '/labels/new', '/milestones/1'].map(inGroup),
      ...[...lists, '/pipelines', '/environments', '/pipeline_schedules', '/triggers', '/deploy_keys'].flatMap(
        (page) => [inProject(page), inEmpty(page)],
      ),
      ...[
        '/sharing',
        '/edit',
        `/issues?state=all&search=${search}&label_name=${long('l')}`,
        `/issues/${issue.iid}`,
        `/issues/${issue.iid}/edit`,
        `/issues/${issue.iid}/notes/${note.id}/edit`,
        '/issues/new',
        '/milestones/1',
        '/milestones/1/edit',
        '/merge_requests/new',
        `/merge_requests?state=all&search=${search}`,
        ...['', '/diffs', '/commits', '/pipelines', '/edit'].map((page) => `/merge_requests/${request.iid}${page}`),
        `/tree/main/${folder}`,
        ...['blob', 'blame', 'commits'].map((page) => `/${page}/main/${folder}/${file}`),
        `/tree/${branch}`,
        `/commits/${branch}`,
        `/commit/${sha}`,
        `/compare/main...${branch}`,
        '/branches',
        `/branches?search=${search}`,
        `/branches/delete/${branch}`,
        '/tags',
        `/tags/delete/${tag}`,
        '/settings/repository',
        '/pipelines/new',
        `/pipelines/${pipeline}`,
        `/jobs/${job!.id}`,
        `/environments/${environment}`,
        `/environments/${environment}/edit`,
        `/pipeline_schedules/${schedule}/edit`,
      ].map(inProject),
    ],
    root: [
      '/admin',
      ...['users', 'users/2', 'groups', 'projects', 'tokens', 'applications', 'runners', 'audit_log', 'jobs'].map(
        (page) => `/admin/${page}`,
      ),
      ...['users', 'groups', 'projects', 'tokens'].map((page) => `/admin/${page}?search=${search}`),
      inProject('/transfer'),
      inProject('/remove'),
      inGroup('/transfer'),
    ],
  };
}
