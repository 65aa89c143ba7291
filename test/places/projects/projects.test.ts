import { describe, expect, test } from 'vitest';
import { dataOf, inputErrors, refusal } from '../../support/requests/answers.ts';
import type { RestRequest } from '../../support/requests/rest-client.ts';
import { at, makeShop, missing } from '../../support/places/shop.ts';

/** Creating and reading projects over REST, and projects over GraphQL. Their lists are in `lists-of-projects.test.ts`. */

/** The keys of records, in the order of version 4. */
const words = (text: string) => text.trim().split(/\s+/);
const basicKeys = words(`
    id description name name_with_namespace path path_with_namespace created_at default_branch tag_list
    topics ssh_url_to_repo http_url_to_repo web_url readme_url forks_count avatar_url star_count
    last_activity_at visibility namespace`);
const maintainerKeys = [
  ...basicKeys,
  ...words(`
    _links packages_enabled empty_repo archived owner resolve_outdated_diff_discussions
    container_expiration_policy repository_object_format issues_enabled merge_requests_enabled
    wiki_enabled jobs_enabled snippets_enabled container_registry_enabled service_desk_enabled
    can_create_merge_request_in
    issues_access_level repository_access_level merge_requests_access_level forking_access_level
    wiki_access_level builds_access_level snippets_access_level pages_access_level analytics_access_level
    container_registry_access_level security_and_compliance_access_level releases_access_level
    environments_access_level feature_flags_access_level infrastructure_access_level monitor_access_level
    model_experiments_access_level model_registry_access_level package_registry_access_level
    emails_disabled emails_enabled show_diff_preview_in_email shared_runners_enabled lfs_enabled
    creator_id
    import_url import_type import_status import_error open_issues_count description_html updated_at
    ci_default_git_depth ci_delete_pipelines_in_seconds ci_forward_deployment_enabled
    ci_forward_deployment_rollback_allowed ci_job_token_scope_enabled ci_separated_caches
    ci_allow_fork_pipelines_to_run_in_parent_project ci_id_token_sub_claim_components build_git_strategy
    keep_latest_artifact restrict_user_defined_variables ci_pipeline_variables_minimum_override_role
    runners_token runner_token_expiration_interval group_runners_enabled
    resource_group_default_process_mode auto_cancel_pending_pipelines build_timeout build_coverage_regex auto_devops_enabled
    auto_devops_deploy_strategy ci_push_repository_for_job_token_allowed
    ci_config_path public_jobs shared_with_groups only_allow_merge_if_pipeline_succeeds
    allow_merge_on_skipped_pipeline request_access_enabled
    only_allow_merge_if_all_discussions_are_resolved remove_source_branch_after_merge
    printing_merge_request_link_enabled merge_method squash_option enforce_auth_checks_on_uploads
    suggestion_commit_message merge_commit_template squash_commit_template issue_branch_template
    merge_request_title_regex merge_request_title_regex_description
    warn_about_potentially_unwanted_characters autoclose_referenced_issues max_artifacts_size`),
  'permissions',
];
const onlyMaintainers = words(`
    import_url import_type import_error
    ci_default_git_depth ci_delete_pipelines_in_seconds ci_forward_deployment_enabled
    ci_forward_deployment_rollback_allowed ci_job_token_scope_enabled ci_separated_caches
    ci_allow_fork_pipelines_to_run_in_parent_project ci_id_token_sub_claim_components build_git_strategy
    keep_latest_artifact restrict_user_defined_variables ci_pipeline_variables_minimum_override_role
    runners_token runner_token_expiration_interval group_runners_enabled
    resource_group_default_process_mode auto_cancel_pending_pipelines build_timeout build_coverage_regex auto_devops_enabled
    auto_devops_deploy_strategy ci_push_repository_for_job_token_allowed`);
const keysOf = {
  basic: basicKeys,
  maintainer: maintainerKeys,
  reporter: maintainerKeys.filter((key) => key !== 'owner' && !onlyMaintainers.includes(key)),
};

const { gateway, make, tokens, api, namespaceId, aProject } = await makeShop();

describe('creating a project', () => {
  test.each([
    [{ name: 'Unser Täglicher Shop!' }, 'Unser Täglicher Shop!', 'unser-taglicher-shop'],
    [{ name: 'Already.A_path' }, 'Already.A_path', 'Already.A_path'],
    [{ path: 'only-path' }, 'only-path', 'only-path'],
    [{ name: ' Both ', path: 'both-given' }, 'Both', 'both-given'],
  ])('from %o gives it the name %s and the path %s', async (json, name, path) => {
    const { status, body } = await api('POST', 'projects', tokens.stranger, { json });
    expect({ status, name: body.name, path: body.path, whole: body.path_with_namespace }).toEqual({
      status: 201,
      name,
      path,
      whole: `the-stranger/${path}`,
    });
  });

  test('creates it private, in the personal namespace, and answers the whole record', async () => {
    const { body } = await api('POST', 'projects', tokens.stranger, {
      json: { name: 'Mine', description: 'My own.', topics: 'b, a', public: true, foo: 1 },
    });
    const self = `${gateway.url}/api/v4/projects/${body.id}`;
    const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(body).toMatchObject({
      description: 'My own.',
      name: 'Mine',
      name_with_namespace: 'the-stranger / Mine',
      path: 'Mine',
      path_with_namespace: 'the-stranger/Mine',
      created_at: moment,
      default_branch: null,
      tag_list: ['a', 'b'],
      topics: ['a', 'b'],
      ssh_url_to_repo: null,
      http_url_to_repo: `${gateway.url}/the-stranger/Mine.git`,
      web_url: `${gateway.url}/the-stranger/Mine`,
      forks_count: 0,
      avatar_url: null,
      star_count: 0,
      last_activity_at: moment,
      visibility: 'private',
      namespace: {
        id: await namespaceId('the-stranger'),
        name: 'the-stranger',
        path: 'the-stranger',
        kind: 'user',
        full_path: 'the-stranger',
        parent_id: null,
        avatar_url: null,
        web_url: `${gateway.url}/the-stranger`,
      },
      _links: { self, issues: `${self}/issues`, merge_requests: `${self}/merge_requests`, members: `${self}/members` },
      empty_repo: true,
      archived: false,
      owner: expect.objectContaining({ username: 'the-stranger', state: 'active' }),
      creator_id: body.owner.id,
      description_html: '<p dir="auto">My own.</p>',
      open_issues_count: 0,
      updated_at: moment,
      shared_with_groups: [],
    });
    expect(Object.keys(body)).toEqual(keysOf.maintainer.filter((key) => key !== 'permissions'));
    const read = (await api('GET', `projects/${body.id}`, tokens.stranger)).body;
    expect(read).toEqual({
      ...body,
      runners_token: expect.any(String),
      permissions: { project_access: { access_level: 50, notification_level: 3 }, group_access: null },
    });
    expect(Object.keys(read)).toEqual(keysOf.maintainer);
  });

  test.each([
    ['developer', 201],
    ['maintainer', 201],
    ['owner', 201],
    ['root', 201],
    ['reporter', 400],
    ['guest', 400],
    ['stranger', 400],
  ] as const)('in a group is for developers and above: %s gets %i', async (who, status) => {
    const answer = await api('POST', 'projects', tokens[who], {
      json: { name: `by ${who}`, namespace_id: await namespaceId('shop/inner') },
    });
    expect(answer.status).toBe(status);
    if (status === 400) expect(answer.body).toEqual({ message: { namespace: ['is not valid'] } });
    else
      expect(answer.body).toMatchObject({
        name_with_namespace: `shop / inner / by ${who}`,
        namespace: { kind: 'group', parent_id: await namespaceId('shop') },
      });
  });

  test('in a namespace where the caller may not is refused like in one that doesn’t exist', async () => {
    const places = [await namespaceId('closed'), await namespaceId('the-owner'), 999_999, 2_147_483_648, 0];
    const answers = await Promise.all(
      places.map((namespace_id) => api('POST', 'projects', tokens.stranger, { json: { name: 'x', namespace_id } })),
    );
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`))).toEqual(
      new Set(['400 {"message":{"namespace":["is not valid"]}}']),
    );
  });

  test.each([
    [{}, { error: 'name, path are missing, at least one parameter must be provided' }],
    [{ name: 'x', visibility: 'foo' }, { error: 'visibility does not have a valid value' }],
    [{ name: ['x'] }, { error: 'name is invalid' }],
    [{ name: '!!!' }, { message: { path: ["can't be blank"] } }],
    [{ name: 'x', path: '-x' }, { message: { path: [expect.stringMatching(/^can contain only letters/)] } }],
    [{ name: 'x'.repeat(256), path: 'x' }, { message: { name: ['is too long (maximum is 255 characters)'] } }],
    [
      { name: 'x', description: 'x'.repeat(2001) },
      { message: { description: ['is too long (maximum is 2000 characters)'] } },
    ],
    [
      { name: 'x', topics: Array.from({ length: 101 }, (_none, index) => `t${index}`) },
      { message: { topics: ['are too many (maximum is 100)'] } },
    ],
  ])('from %o is refused', async (json, body) => {
    expect(await api('POST', 'projects', tokens.stranger, { json })).toMatchObject({ status: 400, body });
  });

  test('at a taken path is refused, whatever its case, and so is a taken name', async () => {
    await api('POST', 'projects', tokens.stranger, { json: { name: 'Twice' } });
    const taken = ['has already been taken'];
    expect(await api('POST', 'projects', tokens.stranger, { json: { name: 'Twice' } })).toMatchObject({
      status: 400,
      body: { message: { path: taken, name: taken } },
    });
    const other = await api('POST', 'projects', tokens.stranger, { json: { name: 'Other', path: 'tWICE' } });
    expect(other.body).toEqual({ message: { path: taken } });
  });

  test('by concurrent requests creates one', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => api('POST', 'projects', tokens.stranger, { json: { name: 'At once' } })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 7 }, () => 400)]);
  });

  test('for another user is for administrators', async () => {
    const json = { name: 'A present' };
    expect(await api('POST', 'projects/user/the-guest', tokens.owner, { json })).toMatchObject({
      status: 403,
      body: { message: '403 Forbidden' },
    });
    expect(await api('POST', 'projects/user/nobody', tokens.root, { json })).toMatchObject({
      status: 404,
      body: { message: '404 User Not Found' },
    });
    expect(await api('POST', 'projects/user/the-guest', tokens.root, { json: { path: 'x' } })).toMatchObject({
      status: 400,
      body: { error: 'name is missing' },
    });
    expect(await api('POST', 'projects/user/the-guest', tokens.root, { json })).toMatchObject({
      status: 201,
      body: { path_with_namespace: 'the-guest/a-present' },
    });
    const copied = { name: 'A copy', template_name: 'rails' };
    expect(await api('POST', 'projects/user/the-guest', tokens.root, { json: copied })).toMatchObject({
      status: 400,
      body: { message: { template_name: ["'rails' is unknown or invalid"] } },
    });
  });

  test('needs a token with the scope api', async () => {
    const json = { name: 'x' };
    expect((await api('POST', 'projects', undefined, { json })).status).toBe(401);
    expect(
      (await api('POST', 'projects', await gateway.personalToken('the-owner', ['read_api']), { json })).status,
    ).toBe(403);
  });
});

describe('a project', () => {
  test('that is hidden answers every request exactly like a missing one', async () => {
    const hidden = await aProject();
    const id = (await gateway.sql<{ id: number }>('select id from projects where full_path = $1', [hidden]))[0]!.id;
    const requests: [string, string, RestRequest?][] = [
      ['GET', ''],
      ['PUT', '', { json: { name: 'x' } }],
      ['DELETE', ''],
      ['POST', '/star'],
      ['POST', '/unstar'],
      ['POST', '/archive'],
      ['POST', '/fork'],
      ['POST', '/fork/1'],
      ['DELETE', '/fork'],
      ['GET', '/forks'],
      ['GET', '/starrers'],
    ];
    for (const token of [tokens.stranger, undefined]) {
      for (const [method, more, request] of requests) {
        const answers = [];
        for (const path of [
          at(hidden, more),
          `projects/${id}${more}`,
          at('shop/nothing', more),
          `projects/99999${more}`,
        ]) {
          const { status, text } = await api(method, path, token, request);
          answers.push(`${status} ${text}`);
        }
        const expected =
          token === undefined && method !== 'GET'
            ? '401 {"message":"401 Unauthorized"}'
            : `404 ${JSON.stringify(missing)}`;
        expect([method, more, ...new Set(answers)]).toEqual([method, more, expected]);
      }
    }
  });

  test('is found by id or by its full path, never by a part of it', async () => {
    const path = await aProject('PUBLIC');
    expect((await api('GET', at(path.toUpperCase()), undefined)).body.path_with_namespace).toBe(path);
    for (const part of ['shop', path.split('/')[1]!, 'visible', 'all', 'owned', 'starred']) {
      expect(await api('GET', `projects/${part}`, tokens.owner)).toMatchObject({ status: 404, body: missing });
    }
  });

  test('shows only the basic fields to anonymous callers, and with simple=true', async () => {
    const path = await aProject('PUBLIC');
    const keys = async (token: string | undefined, query = {}) =>
      Object.keys((await api('GET', at(path), token, { query })).body as object);
    expect(await keys(undefined)).toEqual(keysOf.basic);
    expect(await keys(tokens.guest, { simple: 'true' })).toEqual(keysOf.basic);
    expect(await keys(tokens.guest)).toEqual(keysOf.reporter);
    expect(await keys(tokens.owner)).toEqual(keysOf.maintainer.filter((key) => key !== 'owner'));
  });

  test('shows what concerns its code only to those who read it, and statistics to reporters', async () => {
    const path = await aProject();
    const keys = async (token: string, query = {}) =>
      Object.keys((await api('GET', at(path), token, { query })).body as object);
    const ofCode = ['default_branch', 'readme_url', 'forks_count', 'ci_config_path'];
    expect(await keys(tokens.guest)).toEqual(keysOf.reporter.filter((key) => !ofCode.includes(key)));
    expect(await keys(tokens.reporter)).toEqual(keysOf.reporter);
    expect(await keys(tokens.guest, { statistics: 'true' })).not.toContain('statistics');
    expect((await api('GET', at(path), tokens.reporter, { query: { statistics: 'true' } })).body.statistics).toEqual({
      commit_count: 0,
      storage_size: 0,
      repository_size: 0,
      wiki_size: 0,
      lfs_objects_size: 0,
      job_artifacts_size: 0,
      pipeline_artifacts_size: 0,
      packages_size: 0,
      snippets_size: 0,
      uploads_size: 0,
      container_registry_size: 0,
    });
  });

  test('shows the caller’s direct and inherited role, and their notification level', async () => {
    const path = await aProject('PUBLIC');
    await make.member('the-guest', 'REPORTER', { project: path });
    await api('PUT', at(path, '/notification_settings'), tokens.guest, { json: { level: 'watch' } });
    const permissions = async (token: string) => (await api('GET', at(path), token)).body.permissions;
    expect(await permissions(tokens.guest)).toEqual({
      project_access: { access_level: 20, notification_level: 2 },
      group_access: { access_level: 10, notification_level: 3 },
    });
    expect(await permissions(tokens.stranger)).toEqual({ project_access: null, group_access: null });
  });
});

describe('what is stored', () => {
  test('is counted by its parts, for a project and for the groups above, and orders the list of administrators', async () => {
    await make.group('sizes');
    await make.group('sizes/below');
    const [small, big, empty] = ['sizes/small', 'sizes/below/big', 'sizes/empty'] as const;
    const ids: number[] = [];
    for (const path of [big, small, empty]) {
      await make.project(path, 'PUBLIC');
      ids.push((await api('GET', at(path), tokens.root)).body.id as number);
    }
    const json = { title: 'S', visibility: 'private', files: [{ file_path: 'a.txt', content: 'é'.repeat(10) }] };
    expect((await api('POST', at(big, '/snippets'), tokens.root, { json })).status).toBe(201);
    const { sql } = gateway;
    await sql(
      `with pipeline as (
         insert into pipelines (project_id, iid, ref, sha, source) values ($1, 1, 'main', repeat('a', 40), 'push') returning id
       ), job as (
         insert into ci_jobs (kind, pipeline_id, project_id, name, stage, stage_index, ref, sha, status)
         select 'job', id, $1, 'test', 'test', 0, 'main', repeat('a', 40), 'success' from pipeline returning id
       ), log as (
         insert into ci_traces (job_id, location, size) select id, 'log of ' || id, 234 from job
       )
       insert into ci_artifacts (job_id, kind, format, filename, location, size, complete)
       select id, kind, 'zip', 'a.zip', kind || ' of ' || id, size, complete
         from job, (values ('archive', 3000000000, true), ('junit', 5000, false)) file(kind, size, complete)`,
      [ids[0]],
    );
    await sql(
      `insert into avatars (project_id, group_id, filename, content_type, digest, content)
       select project.id, null::int, 'a.png', 'image/png', ''::bytea, '\\x00112233'::bytea from projects project where id = $1
       union all select null, id, 'a.png', 'image/png', '', '\\x0011' from namespaces where full_path = 'sizes/below'`,
      [ids[0]],
    );
    await sql(
      `insert into repositories (project_id, size, commits) values ($1, 50, 3), ($2, 70, 1)
       on conflict (project_id) do update set size = excluded.size, commits = excluded.commits`,
      ids.slice(0, 2),
    );
    const none = { wiki_size: 0, lfs_objects_size: 0, pipeline_artifacts_size: 0, packages_size: 0 };
    const ofBig = { repository_size: 50, job_artifacts_size: 3_000_000_234, snippets_size: 20 };
    const statistics = async (path: string) =>
      (await api('GET', path, tokens.root, { query: { statistics: 'true' } })).body.statistics;
    expect(await statistics(at(big))).toEqual({
      commit_count: 3,
      storage_size: 3_000_000_308,
      ...ofBig,
      ...none,
      uploads_size: 4,
      container_registry_size: 0,
    });
    expect(await statistics('groups/sizes%2Fbelow')).toEqual({
      storage_size: 3_000_000_310,
      ...ofBig,
      ...none,
      uploads_size: 6,
    });
    expect(await statistics('groups/sizes')).toMatchObject({ storage_size: 3_000_000_380, repository_size: 120 });

    const ordered = async (query: Record<string, string>, token = tokens.root) =>
      (
        (await api('GET', 'projects', token, { query: { search: 'sizes/', search_namespaces: 'true', ...query } }))
          .body as { path: string }[]
      ).map(({ path }) => path);
    expect(await ordered({ order_by: 'storage_size' })).toEqual(['big', 'small', 'empty']);
    expect(await ordered({ order_by: 'storage_size', per_page: '1', page: '2' })).toEqual(['small']);
    expect(await ordered({ order_by: 'repository_size' })).toEqual(['small', 'big', 'empty']);
    expect(await ordered({ order_by: 'repository_size', sort: 'asc' })).toEqual(['empty', 'big', 'small']);
    const created = ['empty', 'small', 'big'];
    expect(await ordered({ order_by: 'packages_size' })).toEqual(created);
    // Others order by creation instead.
    expect(await ordered({ order_by: 'storage_size' }, tokens.stranger)).toEqual(created);
    const page = (after: string | null) =>
      gateway.graphql<{ projects: { nodes: { path: string }[]; pageInfo: { endCursor: string } } }>(
        'query ($after: String) { projects(search: "sizes/", searchNamespaces: true, sort: "storage_size_desc", first: 1, after: $after) { nodes { path } pageInfo { endCursor } } }',
        { token: tokens.root, variables: { after } },
      );
    const first = dataOf(await page(null)).projects;
    expect(first.nodes).toEqual([{ path: 'big' }]);
    expect(dataOf(await page(first.pageInfo.endCursor)).projects.nodes).toEqual([{ path: 'small' }]);
  });
});

describe('around a project', () => {
  test('are the people with a role in it, direct or inherited', async () => {
    const path = await aProject('PUBLIC', 'shop/inner');
    await make.member('the-stranger', 'GUEST', { project: path });
    const names = async (query: Record<string, string> = {}, token: string | undefined = tokens.guest) =>
      ((await api('GET', at(path, '/users'), token, { query })).body as { username: string }[]).map(
        (one) => one.username,
      );
    const all = ['the-owner', 'the-maintainer', 'the-developer', 'the-reporter', 'the-guest', 'the-stranger'];
    expect(await names()).toEqual(all);
    expect(await names({ search: 'stranger' })).toEqual(['the-stranger']);
    expect(await names({ search: 'nothing like it' })).toEqual([]);
    const [owner] = (await api('GET', at(path, '/users'), tokens.guest)).body as { id: number }[];
    expect(await names({ skip_users: String(owner!.id) })).toEqual(all.slice(1));
    expect(Object.keys(owner!)).toEqual([
      'id',
      'username',
      'public_email',
      'name',
      'state',
      'locked',
      'avatar_url',
      'web_url',
    ]);
  });

  test('are the groups above it that the caller sees', async () => {
    const path = await aProject('PUBLIC', 'shop/inner');
    const groups = async (query: Record<string, string> = {}, token: string | undefined = tokens.guest) =>
      (await api('GET', at(path, '/groups'), token, { query })).body as { id: number; full_path: string }[];
    const [inner, shop] = await groups();
    expect(inner).toEqual({
      id: await namespaceId('shop/inner'),
      web_url: `${gateway.url}/groups/shop/inner`,
      name: 'inner',
      avatar_url: null,
      full_name: 'shop / inner',
      full_path: 'shop/inner',
    });
    expect(shop!.full_path).toBe('shop');
    expect(await groups({ search: 'nothing like it' })).toEqual([]);
    expect(await groups({ skip_groups: String(shop!.id) })).toEqual([inner]);
    expect(await groups({}, tokens.stranger)).toEqual([]);
    const hidden = await aProject();
    for (const what of ['/users', '/groups'])
      expect(await api('GET', at(hidden, what), tokens.stranger)).toMatchObject({ status: 404, body: missing });
  });
});

describe('over GraphQL', () => {
  test('projects are created, updated, starred, forked and deleted as over REST', async () => {
    const run = async (field: string, type: string, input: object, selection: string) => {
      const answer = await gateway.graphql<Record<string, Record<string, unknown>>>(
        `mutation ($input: ${type}!) { ${field}(input: $input) { ${selection} } }`,
        { token: tokens.developer, variables: { input } },
      );
      return dataOf(answer)[field]!;
    };
    const one =
      'project { id fullPath name archived starCount forkedFrom { fullPath } permissions { projectAccess { accessLevel } } }';
    const { project } = (await run('createProject', 'CreateProjectInput', { name: 'By Graph' }, one)) as {
      project: { id: string; fullPath: string };
    };
    expect(project).toMatchObject({
      fullPath: 'the-developer/by-graph',
      permissions: { projectAccess: { accessLevel: 50 } },
    });
    const { id } = project;
    expect(await run('updateProject', 'UpdateProjectInput', { project: id, name: 'Other' }, one)).toMatchObject({
      project: { name: 'Other' },
    });
    expect(await run('archiveProject', 'ArchiveProjectInput', { project: id }, one)).toMatchObject({
      project: { archived: true },
    });
    expect(
      await run('starProject', 'StarProjectInput', { project: id, starred: true }, `changed ${one}`),
    ).toMatchObject({ changed: true, project: { starCount: 1 } });
    expect(await run('starProject', 'StarProjectInput', { project: id, starred: true }, 'changed')).toEqual({
      changed: false,
    });
    const shared = await aProject('PUBLIC');
    expect(await run('forkProject', 'ForkProjectInput', { project: shared }, one)).toMatchObject({
      project: { forkedFrom: { fullPath: shared } },
    });
    expect(await run('deleteProject', 'DeleteProjectInput', { project: id }, 'projectId')).toEqual({ projectId: id });
    expect(
      dataOf(
        await gateway.graphql('query ($id: ID!) { project(id: $id) { id } }', {
          token: tokens.developer,
          variables: { id },
        }),
      ),
    ).toEqual({ project: null });
  });

  test('what is wrong with an input is in the payload, beside null', async () => {
    const answer = await gateway.graphql('mutation { createProject(input: {}) { errors project { id } } }', {
      token: tokens.developer,
    });
    expect(inputErrors(answer)).toEqual(["Name can't be blank", "Path can't be blank"]);
  });

  test('a payload returns the id that the client gave its mutation', async () => {
    const name = (input: string) =>
      gateway.graphql(
        `mutation { createProject(input: { ${input} clientMutationId: "mine" }) { clientMutationId errors } }`,
        {
          token: tokens.developer,
        },
      );
    expect(dataOf(await name('name: "Mine"'))).toEqual({ createProject: { clientMutationId: 'mine', errors: [] } });
    expect(dataOf(await name(''))).toEqual({
      createProject: { clientMutationId: 'mine', errors: ["Name can't be blank", "Path can't be blank"] },
    });
  });

  test('what may not be done is an error with GitLab’s text, and changes nothing', async () => {
    const path = await aProject();
    const rename = (token: string) =>
      gateway.graphql(
        `mutation { updateProject(input: { project: "${path}", name: "Other" }) { errors project { name } } }`,
        {
          token,
        },
      );
    const text =
      "The resource that you are attempting to access does not exist or you don't have permission to perform this action";
    expect(refusal(await rename(tokens.guest))).toEqual({ message: text, code: 'FORBIDDEN' });
    expect(refusal(await rename(tokens.stranger))).toEqual({ message: text, code: 'NOT_FOUND', subject: 'Project' });
    expect((await api('GET', at(path), tokens.root)).body.name).not.toBe('Other');
  });

  test('a project is named by its full path, its number or its global id, but not by the id of something else', async () => {
    const path = await aProject();
    const find = async (name: string) =>
      gateway.graphql<{ project: { id: string; databaseId: number } | null }>(
        `{ project(fullPath: "${name}") { id databaseId } }`,
        {
          token: tokens.guest,
        },
      );
    const { project } = dataOf(await find(path));
    expect(project).toEqual({ id: `gid://gitlab/Project/${project!.databaseId}`, databaseId: expect.any(Number) });
    for (const name of [path.toUpperCase(), project!.id, String(project!.databaseId)])
      expect(dataOf(await find(name))).toEqual({ project });
    for (const name of ['gid://gitlab/Project/0', 'gid://gitlab/Project/99999999999', 'none'])
      expect(dataOf(await find(name))).toEqual({ project: null });
    for (const name of ['gid://gitlab/Group/1', 'gid://gitlab/Project/x', 'gid://gitlab/Project/', 'gid://gitlab/'])
      expect(refusal(await find(name))).toEqual({
        message: `"${name}" does not represent an instance of Project`,
        code: 'BAD_REQUEST',
      });
  });

  test('typed ids take global ids and numbers', async () => {
    const path = await aProject();
    const { id, databaseId } = dataOf(
      await gateway.graphql<{ project: { id: string; databaseId: number } }>(
        `{ project(fullPath: "${path}") { id databaseId } }`,
        {
          token: tokens.guest,
        },
      ),
    ).project;
    const star = (projectId: unknown) =>
      gateway.graphql(
        'mutation ($id: ProjectID!) { starProject(input: { projectId: $id, starred: true }) { count errors } }',
        {
          token: tokens.guest,
          variables: { id: projectId },
        },
      );
    for (const name of [id, databaseId, String(databaseId)])
      expect(dataOf(await star(name))).toEqual({ starProject: { count: '1', errors: [] } });
    for (const name of ['gid://gitlab/Group/1', 1.5, true])
      expect(refusal(await star(name)).message).toMatch(/^Variable "\$id" got invalid value/);
  });

  test.each([
    ['ids: ["gid://gitlab/Project/0"]', 0],
    ['fullPaths: ["DEMO/storefront", "none"]', 1],
    ['namespacePath: "demo"', 1],
    ['namespacePath: "demo", archived: ONLY', 0],
    ['group: "demo", includeSubgroups: true, archived: INCLUDE, sort: "name_asc"', 1],
    ['membership: true, minAccessLevel: OWNER, namespacePath: "demo"', 0],
    ['personal: true, fullPaths: ["demo/storefront"]', 0],
  ])('the list takes %s', async (args, count) => {
    const answer = await gateway.graphql(`{ projects(${args}) { count } }`, { token: tokens.stranger });
    expect(dataOf(answer)).toEqual({ projects: { count } });
  });

  test.each([
    ['sort: "size"', /^A sort is one of `id`, `name`/],
    ['group: "demo", namespacePath: "demo"', /not both/],
    ['updatedAfter: "2026-01-01T00:00:00Z"', /must be paired/],
  ])('the list refuses %s', async (args, message) => {
    const answer = await gateway.graphql(`{ projects(${args}) { count } }`, { token: tokens.stranger });
    expect(refusal(answer)).toEqual({ code: 'BAD_REQUEST', message: expect.stringMatching(message) });
  });
});
