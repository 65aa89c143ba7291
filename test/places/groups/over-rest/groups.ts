import { describe, expect, test } from 'vitest';
import { addMember } from '../../../support/places/people.ts';
import { call, dan, defaults, firm, gateway, groups, make, newGroup, olga, pathsOf, recordKeys } from './firm.ts';

/** Groups and lists of them over REST. */
export function testsOfGroups(): void {
  describe('a group', () => {
    test('is shown with all fields of version 4', async () => {
      const { status, body } = await call('GET', '/groups/firm%2Fteam');
      expect(status).toBe(200);
      expect(body).toEqual({
        id: expect.any(Number),
        web_url: `${gateway.url}/groups/firm/team`,
        name: 'Team',
        path: 'team',
        description: '',
        visibility: 'private',
        ...defaults,
        full_name: 'The Firm / Team',
        full_path: 'firm/team',
        created_at: expect.stringMatching(/^\d{4}-.*Z$/),
        parent_id: firm,
        shared_with_groups: [],
        runners_token: expect.any(String),
        projects: [expect.objectContaining({ path_with_namespace: 'firm/team/shop' })],
        shared_projects: [],
      });
      expect(Object.keys(body)).toEqual(recordKeys.toSpliced(recordKeys.indexOf('projects'), 0, 'runners_token'));
      expect(body.projects[0]).not.toHaveProperty('permissions');
      const [listed] = (await call('GET', '/groups', { search: 'firm/team' })).body;
      expect(Object.keys(listed)).toEqual(recordKeys.slice(0, recordKeys.indexOf('shared_with_groups')));
      expect((await call('GET', '/groups/firm%2Fteam', { with_projects: 'false' })).body).not.toHaveProperty(
        'projects',
      );
      expect((await call('GET', `/groups/${firm}`)).body).toMatchObject({ full_path: 'firm', parent_id: null });
    });

    test('that the caller may not see answers exactly like a missing one', async () => {
      const hidden = await call('GET', '/groups/firm%2Fteam', {}, dan.token);
      expect([hidden.status, hidden.text]).toEqual([404, '{"message":"404 Group Not Found"}']);
      for (const path of ['nothing', 'firm%2Fnothing', '999999', 'dan']) {
        for (const below of ['', '/subgroups', '/descendant_groups', '/projects', '/members', '/members/all']) {
          expect((await call('GET', `/groups/${path}${below}`, {}, dan.token)).text).toBe(hidden.text);
        }
      }
    });

    test('is created with 201, and errors are reported in one text', async () => {
      const { status, body } = await call('POST', '/groups', {
        name: 'Made',
        path: 'made',
        description: 'Just so.',
        visibility: 'public',
      });
      expect([status, body]).toMatchObject([201, { full_path: 'made', description: 'Just so.', visibility: 'public' }]);
      const again = await call('POST', '/groups', { name: 'Made', path: 'made' });
      expect([again.status, again.body]).toEqual([
        400,
        { message: 'Failed to save group {:path=>["has already been taken"]}' },
      ]);
      const both = await call('POST', '/groups', { name: ' ', path: 'api' });
      expect(both.body).toEqual({
        message: 'Failed to save group {:name=>["can\'t be blank"], :path=>["is a reserved name"]}',
      });
    });

    test.each([
      ['an anonymous caller', () => undefined, { name: 'x', path: 'x' }, 401, { message: '401 Unauthorized' }],
      [
        'a caller with a read-only token',
        () => gateway.personalToken('olga', ['read_api']),
        { name: 'x', path: 'x' },
        403,
        { error: 'insufficient_scope' },
      ],
      [
        'a caller who sends no name and no path',
        () => olga.token,
        {},
        400,
        { error: 'name is missing, path is missing' },
      ],
      [
        'a caller who sends an unknown visibility',
        () => olga.token,
        { name: 'x', path: 'x', visibility: 'secret' },
        400,
        { error: 'visibility does not have a valid value' },
      ],
      [
        'a caller who may not see the parent',
        () => dan.token,
        { name: 'x', path: 'x', parent_id: 999_999 },
        404,
        { message: '404 Group Not Found' },
      ],
      [
        'a caller who may not create groups in the parent',
        () => dan.token,
        { name: 'x', path: 'x', parent_id: 'firm' },
        400,
        { error: 'parent_id is invalid' },
      ],
    ])('is not created by %s', async (_who, token, values, status, body) => {
      const presented = await token();
      const answer = await gateway.rest('POST', '/api/v4/groups', { token: presented, json: values });
      expect([answer.status, answer.body]).toMatchObject([status, body]);
    });

    test('is updated by its owners', async () => {
      expect((await call('PUT', '/groups/made', { name: 'Changed', visibility: 'private' })).body).toMatchObject({
        name: 'Changed',
        visibility: 'private',
        description: 'Just so.',
      });
      expect((await call('PUT', '/groups/made', { description: '' })).body).toMatchObject({ description: '' });
      const taken = await call('PUT', '/groups/made', { path: 'demo' });
      expect([taken.status, taken.body]).toEqual([400, { message: { path: ['has already been taken'] } }]);
      expect(await call('PUT', '/groups/firm', { name: 'Mine' }, dan.token)).toMatchObject({
        status: 403,
        body: { message: '403 Forbidden' },
      });
    });

    test('moves with its projects, which are found by their former paths', async () => {
      await call('POST', '/groups', { name: 'Mover', path: 'mover' });
      const project = await make.project('mover/box', 'PUBLIC');
      await call('PUT', '/groups/mover', { path: 'moved' });
      const redirected = await call('GET', '/groups/Mover', { with_projects: 'false' });
      expect([redirected.status, redirected.headers.get('location')]).toEqual([
        301,
        expect.stringMatching(/\/api\/v4\/groups\/\d+\?with_projects=false$/),
      ]);
      expect(await call('PUT', '/groups/mover', { name: 'x' })).toMatchObject({
        status: 405,
        body: { message: 'Non GET methods are not allowed for moved projects' },
      });
      expect((await call('GET', '/groups/mover', {}, dan.token)).status).toBe(404);
      expect(pathsOf((await call('GET', '/groups/moved/projects')).body)).toEqual(['moved/box']);
      const old = await call('GET', '/projects/mover%2Fbox/notification_settings');
      expect([old.status, old.headers.get('location')]).toEqual([
        301,
        `${gateway.url}/api/v4/projects/${project}/notification_settings`,
      ]);
    });

    test('is deleted with 202, unless it was changed since', async () => {
      await call('POST', '/groups', { name: 'Brief', path: 'brief' });
      const since = (moment: string) =>
        call('DELETE', '/groups/brief', {}, olga.token, { 'if-unmodified-since': moment });
      expect(await since('Thu, 01 Jan 2015 00:00:00 GMT')).toMatchObject({
        status: 412,
        body: { message: '412 Precondition Failed' },
      });
      expect(await call('DELETE', '/groups/brief', {}, dan.token)).toMatchObject({ status: 404 });
      expect(await since(new Date().toUTCString())).toMatchObject({ status: 202, body: { message: '202 Accepted' } });
      expect(await call('DELETE', '/groups/brief')).toMatchObject({
        status: 404,
        body: { message: '404 Group Not Found' },
      });
    });
  });

  describe('a list of groups', () => {
    test('has the groups of the caller, and all visible groups on request', async () => {
      await make.group('open', 'PUBLIC');
      expect(await groups({})).toEqual(['made', 'moved', 'firm/team/squad', 'firm/team', 'firm'].toSorted(byName));
      expect(await groups({}, dan.token)).toEqual([]);
      expect(await groups({ all_available: 'true' }, dan.token)).toEqual(['demo', 'open', 'firm'].toSorted(byName));
      expect(await groups({}, gateway.tokens.root)).toContain('firm/team/squad');
      expect(pathsOf((await gateway.rest('GET', '/api/v4/groups')).body)).toEqual(['demo', 'open'].toSorted(byName));
    });
    /** The listed names, without groups of other tests. */
    const nameOf: Record<string, string> = {
      made: 'Changed',
      moved: 'Mover',
      'firm/team/squad': 'Squad',
      'firm/team': 'Team',
      firm: 'The Firm',
      demo: 'Demo',
      open: 'open',
    };
    const byName = (one: string, other: string) => (nameOf[one]! < nameOf[other]! ? -1 : 1);

    test('is filtered and sorted', async () => {
      await addMember(gateway, dan, 'DEVELOPER', { group: 'firm' });
      await addMember(gateway, dan, 'OWNER', { group: 'firm/team' });
      expect(await groups({ owned: 'true' }, dan.token)).toEqual(['firm/team']);
      expect(await groups({ min_access_level: '40' }, dan.token)).toEqual(['firm/team/squad', 'firm/team']);
      expect(await groups({ top_level_only: 'true' }, dan.token)).toEqual(['firm']);
      expect(await groups({ search: 'SQUAD' }, dan.token)).toEqual(['firm/team/squad']);
      expect(await groups({ search: 'team', order_by: 'id', sort: 'desc' }, dan.token)).toEqual([
        'firm/team/squad',
        'firm/team',
      ]);
      expect(await groups({ visibility: 'internal' }, dan.token)).toEqual(['firm']);
      expect(await groups({ skip_groups: String(firm), order_by: 'path' }, dan.token)).toEqual([
        'firm/team/squad',
        'firm/team',
      ]);
      expect(await groups({ order_by: 'path', sort: 'desc', owned: 'false' }, dan.token)).toEqual([
        'firm/team',
        'firm/team/squad',
        'firm',
      ]);
      for (const [name, value] of [
        ['order_by', 'size'],
        ['sort', 'up'],
        ['visibility', 'x'],
        ['min_access_level', '11'],
      ] as const) {
        expect(await call('GET', '/groups', { [name]: value })).toMatchObject({
          status: 400,
          body: { error: `${name} does not have a valid value` },
        });
      }
    });

    test('in a group has its direct subgroups or all descendants, as far as the caller may see them', async () => {
      const below = async (path: string, token?: string) =>
        pathsOf((await call('GET', `/groups/firm/${path}`, {}, token)).body);
      expect(await below('subgroups')).toEqual(['firm/team']);
      expect(await below('descendant_groups')).toEqual(['firm/team/squad', 'firm/team']);
      const stranger = await make.user('stranger');
      expect(await below('descendant_groups', stranger)).toEqual([]);
    });

    test('of projects in a group has its own, and those of subgroups on request', async () => {
      const projects = async (values: Record<string, string>) =>
        pathsOf((await call('GET', '/groups/firm/projects', { order_by: 'path', sort: 'asc', ...values })).body);
      expect(await projects({})).toEqual(['firm/site']);
      expect(await projects({ include_subgroups: 'true' })).toEqual(['firm/team/shop', 'firm/site']);
      expect(await projects({ include_subgroups: 'true', visibility: 'private' })).toEqual(['firm/team/shop']);
    });
  });
}

/** Filters of lists of groups. */
export function testsOfFilters(): void {
  describe('filters of lists of groups', () => {
    test.each([
      { search: 'nothing-has-this' },
      { skip_groups: 'all of them' },
      { archived: 'true' },
      { active: 'false' },
      { visibility: 'public', search: 'firm' },
      { owned: 'true', search: 'demo' },
      { min_access_level: '50', search: 'demo' },
    ])('%j match nothing', async (values) => {
      const all = await groups({ all_available: 'true', per_page: '100' });
      expect(all.length).toBeGreaterThan(2);
      const ids = await gateway.sql<{ id: number }>("select id from namespaces where kind = 'GROUP'");
      const filter = 'skip_groups' in values ? { skip_groups: ids.map(({ id }) => id).join() } : values;
      for (const path of ['/groups', `/groups/${firm}/subgroups`, `/groups/${firm}/descendant_groups`]) {
        const { status, body } = await call('GET', path, filter);
        expect([status, body]).toEqual([200, []]);
      }
    });

    test('of archived and active groups: all groups are active', async () => {
      const all = await groups({ per_page: '100' });
      for (const filter of [{ archived: 'false' }, { active: 'true' }, { repository_storage: 'x' }])
        expect(await groups({ ...filter, per_page: '100' })).toEqual(all);
    });

    test('of roles, also of planners; bad values are refused', async () => {
      const { full_path: path, id } = await newGroup();
      await addMember(gateway, dan, 'GUEST', { group: String(id) });
      expect(await groups({ min_access_level: '10', search: path }, dan.token)).toEqual([path]);
      expect(await groups({ min_access_level: '15', search: path }, dan.token)).toEqual([]);
      expect(await groups({ min_access_level: '15', search: path })).toEqual([path]);
      const { full_path: planned, id: planning } = await newGroup();
      await addMember(gateway, dan, 'PLANNER', { group: String(planning) });
      expect(await groups({ min_access_level: '15', search: planned }, dan.token)).toEqual([planned]);
      expect(await groups({ min_access_level: '20', search: planned }, dan.token)).toEqual([]);
      for (const [filter, error] of [
        [{ min_access_level: '60' }, 'min_access_level does not have a valid value'],
        [{ skip_groups: 'x' }, 'skip_groups is invalid'],
        [{ visibility: 'secret' }, 'visibility does not have a valid value'],
        [{ archived: 'perhaps' }, 'archived is invalid'],
        [{ order_by: 'size' }, 'order_by does not have a valid value'],
      ] as const) {
        const { status, body } = await call('GET', '/groups', filter);
        expect([status, body]).toEqual([400, { error }]);
      }
    });

    test('are ordered by similarity with a search, and otherwise by name', async () => {
      for (const path of ['kindred-more', 'not-kindred', 'kindred'])
        await call('POST', '/groups', { name: path, path, description: 'x' });
      const order = { search: 'kindred', order_by: 'similarity' };
      const similar = ['kindred', 'kindred-more', 'not-kindred'];
      expect(await groups(order)).toEqual(similar);
      expect(await groups({ ...order, sort: 'desc' })).toEqual(similar);
      expect(await groups({ ...order, per_page: '1', page: '2' })).toEqual([similar[1]]);
      expect(await groups({ order_by: 'similarity', per_page: '100' })).toEqual(await groups({ per_page: '100' }));
      for (const path of similar) await call('DELETE', `/groups/${path}`);
    });

    test('statistics are for administrators', async () => {
      for (const path of ['/groups/firm', '/groups?search=firm']) {
        const of = async (token: string) =>
          [(await call('GET', path.split('?')[0]!, { statistics: 'true', search: 'firm' }, token)).body]
            .flat()
            .find(({ full_path }) => full_path === 'firm');
        const other = await of(olga.token);
        for (const name of ['statistics', 'root_storage_statistics']) expect(other).not.toHaveProperty(name);
        const seen = await of(gateway.tokens.root);
        expect(seen.root_storage_statistics).toEqual({
          build_artifacts_size: 0,
          container_registry_size: 0,
          container_registry_size_is_estimated: false,
          dependency_proxy_size: 0,
          lfs_objects_size: 0,
          packages_size: 0,
          pipeline_artifacts_size: 0,
          repository_size: 0,
          snippets_size: 0,
          storage_size: 0,
          uploads_size: 0,
          wiki_size: 0,
        });
        expect(seen.statistics).toEqual({
          storage_size: 0,
          repository_size: 0,
          wiki_size: 0,
          lfs_objects_size: 0,
          job_artifacts_size: 0,
          pipeline_artifacts_size: 0,
          packages_size: 0,
          snippets_size: 0,
          uploads_size: 0,
        });
      }
      const below = await call('GET', '/groups/firm%2Fteam', { statistics: 'true' }, gateway.tokens.root);
      expect(below.body).toHaveProperty('statistics');
      expect(below.body).not.toHaveProperty('root_storage_statistics');
    });
  });
}
