import { describe, expect, test, vi } from 'vitest';
import { sweep } from '../../../src/jobs/sweep.ts';
import { dataOf } from '../../support/requests/answers.ts';
import { testGateway } from '../../support/gateway.ts';
import { at, makeShop, missing } from '../../support/places/shop.ts';

/** Changes of projects over REST: updates and deletion. Stars and forks are in `stars-and-forks.test.ts`. */

const { gateway, make, tokens, api, namespaceId, aProject } = await makeShop();

const levels = [
  'issues',
  'merge_requests',
  'forking',
  'wiki',
  'builds',
  'snippets',
  'pages',
  'analytics',
  'container_registry',
  'releases',
  'environments',
  'feature_flags',
  'infrastructure',
  'monitor',
  'model_experiments',
  'model_registry',
  'package_registry',
];

/** A value for every attribute, other than its default. `repository_access_level` has a test of its own. */
const attributes: { readonly [name: string]: unknown } = {
  ...Object.fromEntries(levels.map((name) => [`${name}_access_level`, 'private'])),
  security_and_compliance_access_level: 'disabled',
  issues_enabled: false,
  merge_requests_enabled: false,
  wiki_enabled: false,
  jobs_enabled: false,
  snippets_enabled: false,
  container_registry_enabled: false,
  packages_enabled: false,
  resolve_outdated_diff_discussions: true,
  container_expiration_policy_attributes: { enabled: true, cadence: '7d', name_regex: 'x' },
  service_desk_enabled: true,
  emails_enabled: false,
  emails_disabled: true,
  show_diff_preview_in_email: false,
  shared_runners_enabled: false,
  lfs_enabled: false,
  ci_config_path: 'ci/pipelines.yml',
  public_jobs: false,
  public_builds: false,
  only_allow_merge_if_pipeline_succeeds: true,
  allow_merge_on_skipped_pipeline: true,
  request_access_enabled: false,
  only_allow_merge_if_all_discussions_are_resolved: true,
  remove_source_branch_after_merge: false,
  printing_merge_request_link_enabled: false,
  merge_method: 'ff',
  squash_option: 'always',
  enforce_auth_checks_on_uploads: false,
  suggestion_commit_message: 'Apply <b>it</b>',
  merge_commit_template: 'Merge %{title}',
  squash_commit_template: 'Squash',
  issue_branch_template: '%{id}-x',
  warn_about_potentially_unwanted_characters: false,
  autoclose_referenced_issues: false,
  max_artifacts_size: 0,
  ci_default_git_depth: 0,
  ci_delete_pipelines_in_seconds: 86_400,
  ci_forward_deployment_enabled: false,
  ci_forward_deployment_rollback_allowed: false,
  ci_separated_caches: false,
  ci_allow_fork_pipelines_to_run_in_parent_project: false,
  ci_id_token_sub_claim_components: ['project_path'],
  build_git_strategy: 'clone',
  keep_latest_artifact: false,
  restrict_user_defined_variables: true,
  ci_pipeline_variables_minimum_override_role: 'no_one_allowed',
  group_runners_enabled: false,
  resource_group_default_process_mode: 'newest_first',
  auto_cancel_pending_pipelines: 'disabled',
  build_timeout: 600,
  auto_devops_enabled: true,
  auto_devops_deploy_strategy: 'manual',
  ci_push_repository_for_job_token_allowed: true,
  repository_storage: 'second',
  show_default_award_emojis: false,
  merge_request_title_regex: '^[A-Z]',
  merge_request_title_regex_description: 'A capital letter first',
  build_coverage_regex: 'x',
};

const unshown = ['show_default_award_emojis'];

/** What records show of an attribute; undefined if nothing. */
function shownAs(name: string, value: unknown): Record<string, unknown> | undefined {
  if (unshown.includes(name)) return undefined;
  if (name === 'container_expiration_policy_attributes') return { container_expiration_policy: value };
  return { [name === 'public_builds' ? 'public_jobs' : name]: value };
}

describe('updating a project', () => {
  test.each([
    ['maintainer', 200],
    ['owner', 200],
    ['root', 200],
    ['developer', 403],
    ['reporter', 403],
    ['stranger', 404],
  ] as const)('is for maintainers: %s gets %i', async (who, status) => {
    expect((await api('PUT', at(await aProject()), tokens[who], { json: { description: 'New.' } })).status).toBe(
      status,
    );
  });

  test('changes what is sent and nothing else', async () => {
    const path = await aProject('INTERNAL');
    const before = (await api('GET', at(path), tokens.owner)).body;
    const { status, body } = await api('PUT', at(path), tokens.owner, {
      json: { name: 'Renamed', visibility: 'private', tag_list: 'x' },
    });
    expect(status).toBe(200);
    expect({
      ...before,
      name: 'Renamed',
      name_with_namespace: 'shop / Renamed',
      visibility: 'private',
      topics: ['x'],
      tag_list: ['x'],
    }).toEqual({
      ...body,
      permissions: before.permissions,
      updated_at: before.updated_at,
      last_activity_at: before.last_activity_at,
    });
    expect((await api('PUT', at(path), tokens.owner, { json: { description: '', topics: '' } })).body).toMatchObject({
      description: '',
      topics: [],
      name: 'Renamed',
    });
  });

  test('needs at least one parameter, and changes nothing if one value is invalid', async () => {
    const path = await aProject();
    const { error } = (await api('PUT', at(path), tokens.owner, { json: { foo: 1 } })).body;
    expect(error).toMatch(
      /^allow_merge_on_skipped_pipeline, analytics_access_level, .*, snippets_enabled, container_registry_enabled are missing, at least one parameter must be provided$/,
    );
    expect(
      await api('PUT', at(path), tokens.owner, { json: { description: 'x', name: '', path: '..' } }),
    ).toMatchObject({
      status: 400,
      body: { message: { name: ["can't be blank"], path: [expect.any(String)] } },
    });
    expect((await api('GET', at(path), tokens.owner)).body.description).toBe('');
  });

  test.each(Object.entries(attributes))('keeps %s, and so does creating', async (name, value) => {
    const path = await aProject('PUBLIC');
    const shown = shownAs(name, value);
    const usual = (await api('GET', at(path), tokens.root)).body;
    if (shown) expect(usual).not.toMatchObject(shown);
    const { status, body } = await api('PUT', at(path), tokens.root, { json: { [name]: value } });
    expect(status).toBe(200);
    expect((await api('GET', at(path), tokens.root)).body).toMatchObject(body);
    if (shown) expect(body).toMatchObject(shown);
    const made = await api('POST', 'projects', tokens.root, {
      json: { name: `with ${name}`, namespace_id: await namespaceId('shop'), [name]: value },
    });
    expect(made.status).toBe(201);
    if (shown) expect(made.body).toMatchObject(shown);
    // Null and empty values set the default again.
    const again = await api('PUT', at(path), tokens.root, { json: { [name]: null } });
    expect(again.status).toBe(200);
    if (shown) expect(again.body).toMatchObject(Object.fromEntries(Object.keys(shown).map((key) => [key, usual[key]])));
  });

  test('keeps the hash function that the project was made with', async () => {
    const made = await api('POST', 'projects', tokens.owner, {
      json: { name: 'with sha256', repository_object_format: 'sha256' },
    });
    expect(made).toMatchObject({ status: 201, body: { repository_object_format: 'sha256' } });
    const put = (json: object) => api('PUT', `projects/${made.body.id}`, tokens.owner, { json });
    const json = { repository_object_format: 'sha1' };
    expect(await put({ ...json, description: 'x' })).toMatchObject({
      status: 200,
      body: { repository_object_format: 'sha256', description: 'x' },
    });
    expect(await put(json)).toMatchObject({
      status: 400,
      body: { error: expect.stringMatching(/ are missing, at least one parameter must be provided$/) },
    });
  });

  test('keeps what records show to few or not at all, for those who ask GraphQL', async () => {
    const path = await aProject();
    const json = { show_default_award_emojis: false, merge_request_title_regex: '^x', build_coverage_regex: 'y' };
    expect((await api('PUT', at(path), tokens.owner, { json })).status).toBe(200);
    const read = (token: string) =>
      gateway.graphql(
        `{ project(fullPath: "${path}") { showDefaultAwardEmojis mergeRequestTitleRegex buildCoverageRegex
          buildTimeout issuesEnabled issuesAccessLevel { stringValue integerValue } mergeMethod } }`,
        { token },
      );
    const project = {
      showDefaultAwardEmojis: false,
      mergeRequestTitleRegex: '^x',
      buildCoverageRegex: 'y',
      buildTimeout: 3600,
      issuesEnabled: true,
      issuesAccessLevel: { stringValue: 'ENABLED', integerValue: 20 },
      mergeMethod: 'merge',
    };
    expect(dataOf(await read(tokens.owner))).toEqual({ project });
    expect(dataOf(await read(tokens.guest))).toEqual({
      project: { ...project, buildCoverageRegex: null, buildTimeout: null },
    });
  });

  test.each([
    [{ merge_method: 'fast' }, { error: 'merge_method does not have a valid value' }],
    [{ issues_access_level: 'public' }, { error: 'issues_access_level does not have a valid value' }],
    [{ lfs_enabled: 'maybe' }, { error: 'lfs_enabled is invalid' }],
    [{ build_timeout: 'x' }, { error: 'build_timeout is invalid' }],
    [{ container_expiration_policy_attributes: 'x' }, { error: 'container_expiration_policy_attributes is invalid' }],
    [{ build_timeout: 599 }, { message: { build_timeout: ['needs to be between 10 minutes and 1 month'] } }],
    [{ build_timeout: 2_629_746 }, { message: { build_timeout: ['needs to be between 10 minutes and 1 month'] } }],
    [{ ci_default_git_depth: 1001 }, { message: { ci_default_git_depth: ['must be less than or equal to 1000'] } }],
    [
      { ci_config_path: '/x' },
      { message: { ci_config_path: ['cannot include leading slash or directory traversal.'] } },
    ],
    [
      { ci_config_path: 'a/../x' },
      { message: { ci_config_path: ['cannot include leading slash or directory traversal.'] } },
    ],
    [
      { merge_commit_template: 'x'.repeat(501) },
      { message: { merge_commit_template: ['is too long (maximum is 500 characters)'] } },
    ],
    [{ mr_default_target_self: true }, { message: { mr_default_target_self: ['is only for forks'] } }],
    [
      { repository_access_level: 'private' },
      {
        message: {
          'project_feature.merge_requests_access_level': [
            'cannot have higher visibility level than repository access level',
          ],
          'project_feature.builds_access_level': ['cannot have higher visibility level than repository access level'],
        },
      },
    ],
    [
      { container_expiration_policy_attributes: { keep_n: 'many' } },
      { message: { container_expiration_policy_attributes: ['has an invalid keep_n'] } },
    ],
    [{ default_branch: 'main' }, { message: { base: ["Could not change HEAD: branch 'main' does not exist"] } }],
  ])('refuses %j, and keeps nothing of the request', async (json, body) => {
    const path = await aProject();
    const before = (await api('GET', at(path), tokens.owner)).body;
    expect(
      await api('PUT', at(path), tokens.owner, { json: { ...json, name: 'Other', squash_option: 'always' } }),
    ).toMatchObject({
      status: 400,
      body,
    });
    expect((await api('GET', at(path), tokens.owner)).body).toEqual(before);
  });

  test('takes switches of features first, and their levels win', async () => {
    const path = await aProject('PUBLIC');
    const put = async (json: object) => (await api('PUT', at(path), tokens.maintainer, { json })).body;
    expect(await put({ issues_enabled: false })).toMatchObject({
      issues_enabled: false,
      issues_access_level: 'disabled',
    });
    expect(await put({ issues_enabled: true })).toMatchObject({ issues_enabled: true, issues_access_level: 'enabled' });
    expect(await put({ issues_enabled: false, issues_access_level: 'private' })).toMatchObject({
      issues_enabled: true,
      issues_access_level: 'private',
    });
    const others = (await api('GET', at(path), tokens.stranger)).body;
    expect(others).toMatchObject({ issues_enabled: false, issues_access_level: 'private' });
    expect([others.open_issues_count, others._links.issues]).toEqual([undefined, undefined]);
    const listed = async (token: string) =>
      (
        (await api('GET', 'projects', token, { query: { with_issues_enabled: 'true', search: path.split('/')[1]! } }))
          .body as {
          path_with_namespace: string;
        }[]
      ).some((one) => one.path_with_namespace === path);
    expect([await listed(tokens.stranger), await listed(tokens.guest)]).toEqual([false, true]);
    expect(
      await put({
        repository_access_level: 'disabled',
        merge_requests_enabled: false,
        builds_access_level: 'disabled',
      }),
    ).toMatchObject({ repository_access_level: 'disabled', merge_requests_enabled: false, jobs_enabled: false });
    expect((await api('GET', at(path), tokens.owner)).body.default_branch).toBeUndefined();
  });

  test('of the role for variables has two names, and a policy keeps what isn’t sent', async () => {
    const path = await aProject();
    const put = async (json: object) => (await api('PUT', at(path), tokens.maintainer, { json })).body;
    const both = (restrict_user_defined_variables: boolean, role: string) => ({
      restrict_user_defined_variables,
      ci_pipeline_variables_minimum_override_role: role,
    });
    expect(await put({ restrict_user_defined_variables: true })).toMatchObject(both(true, 'maintainer'));
    expect(await put({ ci_pipeline_variables_minimum_override_role: 'owner' })).toMatchObject(both(true, 'owner'));
    expect(await put({ restrict_user_defined_variables: true })).toMatchObject(both(true, 'owner'));
    expect(await put({ restrict_user_defined_variables: false })).toMatchObject(both(false, 'developer'));
    await put({ container_expiration_policy_attributes: { keep_n: 5 } });
    expect(
      (await put({ container_expiration_policy_attributes: { enabled: 'true' } })).container_expiration_policy,
    ).toMatchObject({
      keep_n: 5,
      enabled: true,
      older_than: '90d',
    });
  });

  test('of some attributes is for owners or administrators', async () => {
    const path = await aProject();
    const put = (json: object, token = tokens.maintainer) => api('PUT', at(path), token, { json });
    for (const json of [{ visibility: 'private' }, { ci_delete_pipelines_in_seconds: 86_400 }]) {
      expect((await put(json)).status).toBe(403);
      expect((await put(json, tokens.owner)).status).toBe(200);
    }
    expect(await put({ emails_disabled: true })).toMatchObject({ status: 200, body: { emails_disabled: false } });
    expect(await put({ emails_disabled: true }, tokens.owner)).toMatchObject({
      status: 200,
      body: { emails_enabled: false },
    });
    const { body } = await put({ repository_storage: 'other' }, tokens.owner);
    expect(body.repository_storage).toBeUndefined();
    expect((await api('GET', at(path), tokens.root)).body.repository_storage).toBe('default');
  });

  test('switches off forks, and error tracking with monitoring', async () => {
    const path = await aProject('PUBLIC');
    await api('PUT', at(path), tokens.owner, {
      json: { forking_access_level: 'disabled', monitor_access_level: 'disabled' },
    });
    expect(await api('POST', at(path, '/fork'), tokens.stranger)).toMatchObject({
      status: 404,
      body: { message: '404 Not Found' },
    });
    expect((await api('GET', at(path, '/error_tracking/settings'), tokens.owner)).status).toBe(403);
    await api('PUT', at(path), tokens.owner, {
      json: { forking_access_level: 'private', monitor_access_level: 'private' },
    });
    expect((await api('POST', at(path, '/fork'), tokens.stranger)).status).toBe(404);
    expect((await api('POST', at(path, '/fork'), tokens.guest)).status).toBe(201);
    expect((await api('GET', at(path, '/error_tracking/settings'), tokens.owner)).status).toBe(404);
  });

  test.each(['private', 'disabled'])('of the repository to %s refuses forks, which would copy it', async (level) => {
    const path = await aProject('PUBLIC');
    const levels = Object.fromEntries(
      ['repository', 'merge_requests', 'builds'].map((feature) => [`${feature}_access_level`, level]),
    );
    expect((await api('PUT', at(path), tokens.owner, { json: levels })).status).toBe(200);
    expect(await api('POST', at(path, '/fork'), tokens.stranger)).toMatchObject({
      status: 404,
      body: { message: '404 Not Found' },
    });
    expect((await api('POST', at(path, '/fork'), tokens.reporter)).status).toBe(level === 'private' ? 201 : 404);
  });

  test('of its path redirects viewers who may see it from the old path to the new one', async () => {
    const path = await aProject();
    const { body } = await api('PUT', at(path), tokens.owner, { json: { path: 'moved-away' } });
    expect(body.path_with_namespace).toBe('shop/moved-away');
    const location = `${gateway.url}/api/v4/projects/${body.id}/starrers?per_page=5`;
    const moved = await api('GET', at(path, '/starrers'), undefined, {
      query: { private_token: tokens.guest, per_page: '5' },
    });
    expect([moved.status, moved.headers.get('location'), moved.text]).toEqual([
      301,
      location,
      `This resource has been moved permanently to ${location}`,
    ]);
    expect((await api('GET', at(path), tokens.guest)).status).toBe(301);
    for (const [method, more] of [
      ['PUT', ''],
      ['DELETE', ''],
      ['POST', '/star'],
      ['PUT', '/notification_settings'],
    ] as const) {
      expect(await api(method, at(path, more), tokens.owner, { json: { name: 'x', level: 'watch' } })).toMatchObject({
        status: 405,
        body: { message: 'Non GET methods are not allowed for moved projects' },
      });
    }
    for (const token of [tokens.stranger, undefined])
      expect(await api('GET', at(path), token)).toMatchObject({ status: 404, body: missing });
    // GraphQL follows at once, for the same people.
    for (const name of ['fullPath', 'id']) {
      const over = async (token: string | undefined) =>
        (
          await gateway.graphql<{ project: unknown }>(
            `query ($path: ID!) { project(${name}: $path) { id fullPath } }`,
            { token, variables: { path } },
          )
        ).data;
      expect(await over(tokens.guest)).toEqual({
        project: { id: `gid://gitlab/Project/${body.id}`, fullPath: 'shop/moved-away' },
      });
      for (const token of [tokens.stranger, undefined]) expect(await over(token)).toEqual({ project: null });
    }
  });

  test('frees the old path for another project', async () => {
    const path = await aProject();
    await api('PUT', at(path), tokens.owner, { json: { path: `${path.split('/')[1]}-now` } });
    await make.project(path, 'PUBLIC');
    expect((await api('GET', at(path), undefined)).body.path_with_namespace).toBe(path);
    const back = await api('PUT', at(`${path}-now`), tokens.owner, {
      json: { path: path.split('/')[1]!.toUpperCase() },
    });
    expect(back).toMatchObject({ status: 400, body: { message: { path: ['has already been taken'] } } });
  });

  test('to another path and back redirects from neither, and another case is the same path', async () => {
    const path = await aProject();
    const name = path.split('/')[1]!;
    await api('PUT', at(path), tokens.owner, { json: { path: `${name}-x` } });
    await api('PUT', at(`${path}-x`), tokens.owner, { json: { path: name } });
    expect((await api('GET', at(path), tokens.owner)).status).toBe(200);
    expect((await api('PUT', at(path), tokens.owner, { json: { path: name.toUpperCase() } })).body.path).toBe(
      name.toUpperCase(),
    );
    expect((await api('GET', at(path), tokens.owner)).status).toBe(200);
  });

  test('archives and unarchives it, for owners', async () => {
    const path = await aProject();
    expect((await api('POST', at(path, '/archive'), tokens.maintainer)).status).toBe(403);
    expect(await api('POST', at(path, '/archive'), tokens.owner)).toMatchObject({
      status: 201,
      body: { archived: true },
    });
    const found = async (archived: string) =>
      (await api('GET', 'projects', tokens.owner, { query: { archived, search: path.split('/')[1]! } })).body.length;
    expect([await found('true'), await found('false')]).toEqual([1, 0]);
    expect(await api('POST', at(path, '/unarchive'), tokens.owner)).toMatchObject({
      status: 201,
      body: { archived: false },
    });
  });

  test('is an audit event, like creating and deleting it', async () => {
    const name = 'traced';
    const { id } = (
      await api('POST', 'projects', tokens.owner, { json: { name, namespace_id: await namespaceId('shop') } })
    ).body;
    for (const [method, more] of [
      ['PUT', '?name=x'],
      ['POST', '/archive'],
      ['POST', '/unarchive'],
      ['DELETE', ''],
    ])
      await api(method!, `projects/${id}${more}`, tokens.owner);
    const events = await gateway.sql<{ kind: string; username: string }>(
      'select e.kind, u.username from audit_events e join users u on u.id = e.actor_id where detail = $1 order by e.id',
      [`shop/${name}`],
    );
    expect(events.map(({ kind }) => kind)).toEqual([
      'project_created',
      'project_updated',
      'project_archived',
      'project_unarchived',
      'project_deleted',
    ]);
    expect(new Set(events.map(({ username }) => username))).toEqual(new Set(['the-owner']));
  });
});

describe('deleting a project', () => {
  test.each([
    ['owner', 202],
    ['root', 202],
    ['maintainer', 403],
    ['guest', 403],
    ['stranger', 404],
  ] as const)('is for owners: %s gets %i', async (who, status) => {
    expect((await api('DELETE', at(await aProject()), tokens[who])).status).toBe(status);
  });

  test('is accepted, hides it everywhere at once, and frees its path', async () => {
    const path = await aProject('PUBLIC');
    const { id } = (await api('GET', at(path), tokens.owner)).body;
    await api('POST', at(path, '/star'), tokens.guest);
    await api('PUT', at(path, '/notification_settings'), tokens.guest, { json: { level: 'watch' } });
    await api('POST', at(path, '/fork'), tokens.guest);
    expect(await api('DELETE', at(path), tokens.owner)).toMatchObject({
      status: 202,
      body: { message: '202 Accepted' },
    });

    for (const token of [tokens.owner, tokens.root, undefined]) {
      for (const one of [`projects/${id}`, at(path), at(path, '/forks')])
        expect(await api('GET', one, token)).toMatchObject({ status: 404, body: missing });
      const lists = ['projects?per_page=100', 'users/the-guest/starred_projects'];
      for (const list of lists)
        expect((await api('GET', list, token)).body.map((project: { id: number }) => project.id)).not.toContain(id);
    }
    expect((await gateway.rest('GET', `/${path}`)).status).toBe(404);
    expect((await api('GET', at(`the-guest/${path.split('/')[1]}`), tokens.guest)).body).not.toHaveProperty(
      'forked_from_project',
    );
    const { currentUser } = dataOf(
      await gateway.graphql<{
        currentUser: { notificationSettings: { nodes: { project: { fullPath: string } | null }[] } };
      }>('{ currentUser { notificationSettings(first: 100) { nodes { project { fullPath } } } } }', {
        token: tokens.guest,
      }),
    );
    expect(currentUser.notificationSettings.nodes.map(({ project }) => project?.fullPath)).not.toContain(path);
    expect(await api('DELETE', `projects/${id}`, tokens.owner)).toMatchObject({ status: 404, body: missing });
    await make.project(path, 'PUBLIC');
    expect((await api('GET', at(path), undefined)).body.id).not.toBe(id);
  });

  test('is finished in the background, by any process, after a restart too, with everything in the project', async () => {
    const path = await aProject();
    const { id } = (await api('GET', at(path), tokens.owner)).body;
    await make.member('the-stranger', 'GUEST', { project: path });
    await api('POST', at(path, '/star'), tokens.guest);
    await gateway.sql(
      `insert into project_members (user_id, project_id, access_level) select id, $1, 10 from users on conflict do nothing`,
      [id],
    );
    await api('DELETE', at(path), tokens.owner);
    const left = async () =>
      (
        await gateway.sql<{ count: number }>(
          `select ((select count(*) from projects where id = $1) + (select count(*) from project_members where project_id = $1) + (select count(*) from stars where project_id = $1))::int as count`,
          [id],
        )
      )[0]!.count;
    // The work to do is in the database, so any process can do it.
    const other = await testGateway({}, gateway);
    const { database } = other.gateway.application;
    await vi.waitFor(async () => {
      await sweep({ database, auditDays: 365 });
      expect(await left()).toBe(0);
    }, 20_000);
  });

  test('is refused if it was changed after the time in If-Unmodified-Since', async () => {
    const path = await aProject();
    const remove = (moment: Date | string, token = tokens.owner) =>
      api('DELETE', at(path), token, {
        headers: { 'if-unmodified-since': typeof moment === 'string' ? moment : moment.toUTCString() },
      });
    const hourAgo = new Date(Date.now() - 3_600_000);
    expect(await remove(hourAgo)).toMatchObject({ status: 412, body: { message: '412 Precondition Failed' } });
    // Callers who may not delete it can't find out when it was changed.
    expect((await remove(hourAgo, tokens.maintainer)).status).toBe(403);
    expect((await remove(hourAgo, tokens.stranger)).status).toBe(404);
    expect((await api('GET', at(path), tokens.owner)).status).toBe(200);
    const { body } = await api('GET', at(path), tokens.owner);
    expect((await remove(new Date(body.updated_at as string))).status).toBe(202);
  });

  test('ignores an invalid date', async () => {
    expect(
      (await api('DELETE', at(await aProject()), tokens.owner, { headers: { 'if-unmodified-since': 'long ago' } }))
        .status,
    ).toBe(202);
  });
});

test('a project that is to be imported by address is refused, by the name of what is not offered', async () => {
  const json = { name: 'Imported', import_url: 'https://example.com/imported.git' };
  const { status, body } = await api('POST', 'projects', tokens.guest, { json });
  expect([status, body]).toEqual([400, { message: 'import_url is not offered' }]);
  expect((await api('GET', at('the-guest/imported'), tokens.guest)).status).toBe(404);

  const path = await aProject();
  const change = (by: string, given: object) => api('PUT', at(path), by, { json: given });
  const refused = await change(tokens.owner, { import_url: json.import_url, description: 'Lost' });
  expect([refused.status, refused.body]).toEqual([400, { message: 'import_url is not offered' }]);
  expect((await change(tokens.guest, { import_url: json.import_url })).status).toBe(403);
  // Clients send what they read.
  for (const import_url of [null, '']) {
    const same = await change(tokens.owner, { import_url });
    expect([same.status, same.body.import_url]).toEqual([200, null]);
    expect(same.body.description).not.toBe('Lost');
  }
});
