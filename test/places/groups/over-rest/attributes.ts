import { describe, expect, test } from 'vitest';
import { snakeCase } from '../../../../src/values/text/snake-case.ts';
import type { GroupAttributes } from '../../../../src/values/attributes/group-attributes.ts';
import { addMember } from '../../../support/places/people.ts';
import { call, dan, gateway, newGroup, olga } from './firm.ts';

/** Attributes of groups over REST. */
export function testsOfAttributes(): void {
  let made = 0;
  const protection = (push: number, merge: number, force = false, first = false) => ({
    allowed_to_push: [{ access_level: push }],
    allow_force_push: force,
    allowed_to_merge: [{ access_level: merge }],
    developer_can_initial_push: first,
  });
  const noSuchValue = (name: string) => ({ error: `${name} does not have a valid value` });
  const badlyTyped = (name: string) => ({ error: `${name} is invalid` });
  const model = (name: string, text: string) => ({ message: { [name]: [text] } });

  /** Each attribute: its default, values that are kept, and values that are refused with a body. */
  const attributes: {
    readonly [Name in keyof GroupAttributes]: readonly [
      unset: unknown,
      kept: readonly unknown[],
      refused?: readonly (readonly [unknown, object])[],
    ];
  } = {
    shareWithGroupLock: [false, [true, false], [['maybe', badlyTyped('share_with_group_lock')]]],
    requireTwoFactorAuthentication: [false, [true, false]],
    twoFactorGracePeriod: [
      48,
      [0, 2_147_483_647],
      [
        [-1, model('two_factor_grace_period', 'must be greater than or equal to 0')],
        [2_147_483_648, badlyTyped('two_factor_grace_period')],
      ],
    ],
    projectCreationLevel: [
      'developer',
      ['noone', 'owner', 'maintainer', 'administrator', 'developer'],
      [
        ['guest', noSuchValue('project_creation_level')],
        ['', noSuchValue('project_creation_level')],
      ],
    ],
    autoDevopsEnabled: [null, [true, false]],
    subgroupCreationLevel: [
      'maintainer',
      ['owner', 'maintainer'],
      [['developer', noSuchValue('subgroup_creation_level')]],
    ],
    emailsEnabled: [true, [false, true]],
    showDiffPreviewInEmail: [true, [false, true]],
    mentionsDisabled: [null, [true, false]],
    lfsEnabled: [true, [false, true]],
    mathRenderingLimitsEnabled: [true, [false]],
    lockMathRenderingLimitsEnabled: [false, [true]],
    defaultBranch: [
      null,
      ['trunk', 'a<b>c'],
      [
        ['x'.repeat(256), model('default_branch', 'is too long (maximum is 255 characters)')],
        ['a..b', model('default_branch', 'is invalid')],
      ],
    ],
    defaultBranchProtection: [2, [0, 1, 3, 4, 2], [[5, noSuchValue('default_branch_protection')]]],
    defaultBranchProtectionDefaults: [
      protection(40, 40),
      [protection(30, 30, true), protection(0, 30)],
      [
        [[], badlyTyped('default_branch_protection_defaults')],
        ...[{ allowed_to_push: [{ access_level: 7 }] }, { allowed_to_push: 40 }, { allow_force_push: 'perhaps' }].map(
          (value) => [value, model('default_branch_protection_defaults', 'must be a valid json schema')] as const,
        ),
      ],
    ],
    requestAccessEnabled: [true, [false, true]],
    sharedRunnersSetting: [
      'enabled',
      ['disabled_and_overridable', 'disabled_and_unoverridable', 'enabled'],
      [['disabled', noSuchValue('shared_runners_setting')]],
    ],
    maxArtifactsSize: [null, [5], [[0, model('max_artifacts_size', 'must be greater than 0')]]],
    enabledGitAccessProtocol: ['all', ['ssh', 'http'], [['ftp', noSuchValue('enabled_git_access_protocol')]]],
    preventSharingGroupsOutsideHierarchy: [false, [true, false]],
  };

  describe.each(Object.entries(attributes))('the attribute %s of a group', (name, [unset, kept, refused = []]) => {
    const key = snakeCase(name);
    const put = (id: number, value: unknown) => call('PUT', `/groups/${id}`, { [key]: value }, gateway.tokens.root);
    const shown = async (id: number) => (await call('GET', `/groups/${id}`, {}, gateway.tokens.root)).body[key];

    test('is kept alone, or refused by name, and cleared by null', async () => {
      const { id } = await newGroup();
      expect(await shown(id)).toEqual(unset);
      for (const value of kept) {
        expect(await put(id, value)).toMatchObject({ status: 200, body: { [key]: value, projects: [] } });
        expect(await shown(id)).toEqual(value);
      }
      const before = await shown(id);
      for (const [value, body] of refused) {
        const answer = await put(id, value);
        expect([answer.status, answer.body]).toEqual([400, body]);
      }
      expect(await shown(id)).toEqual(before);
      expect((await put(id, null)).status).toBe(200);
      expect(await shown(id)).toEqual(unset);
    });

    test('is kept by the call that creates the group', async () => {
      const group = await newGroup({ [key]: kept[0] }, gateway.tokens.root);
      expect(group[key]).toEqual(kept[0]);
      expect(await shown(group.id)).toEqual(kept[0]);
      for (const [value, body] of refused) {
        const answer = await call('POST', '/groups', { name: 'x', path: 'never', [key]: value }, gateway.tokens.root);
        const text = (message: Record<string, string[]>) =>
          Object.entries(message).map(([field, texts]) => `:${field}=>${JSON.stringify(texts)}`);
        expect([answer.status, answer.body]).toEqual([
          400,
          'error' in body
            ? body
            : { message: `Failed to save group {${text((body as { message: {} }).message).join()}}` },
        ]);
      }
    });
  });

  describe('attributes of groups', () => {
    const put = (id: number, values: object, token?: string) => call('PUT', `/groups/${id}`, { ...values }, token);
    const shown = async (id: number, ...keys: string[]) => {
      const { body } = await call('GET', `/groups/${id}`, {}, gateway.tokens.root);
      return keys.map((key) => body[key]);
    };

    test('have both names of mail, and both forms of the protection of branches', async () => {
      const { id } = await newGroup();
      expect((await put(id, { emails_disabled: true })).body).toMatchObject({
        emails_disabled: true,
        emails_enabled: false,
      });
      expect((await put(id, { default_branch_protection: 1 })).body).toMatchObject({
        default_branch_protection_defaults: protection(30, 40),
      });
      const given = { allowed_to_merge: [{ access_level: '30' }], allow_force_push: 'false' };
      expect((await put(id, { default_branch_protection_defaults: given })).body).toMatchObject({
        default_branch_protection: 3,
        default_branch_protection_defaults: protection(40, 30),
      });
      expect((await put(id, { default_branch_protection_defaults: null })).body).toMatchObject({
        default_branch_protection: 2,
      });
      expect((await put(id, { shared_runners_setting: 'disabled_with_override' })).body).toMatchObject({
        shared_runners_setting: 'disabled_and_overridable',
      });
    });

    test('are for owners; what only administrators write is ignored; nothing sent changes nothing', async () => {
      const { id } = await newGroup();
      await addMember(gateway, dan, 'MAINTAINER', { group: String(id) });
      expect((await put(id, { lfs_enabled: false }, dan.token)).status).toBe(403);
      expect((await put(id, { max_artifacts_size: 7, lfs_enabled: false })).body).toMatchObject({
        max_artifacts_size: null,
        lfs_enabled: false,
      });
      expect((await put(id, {})).body).toMatchObject({ lfs_enabled: false });
      expect((await put(id, { file_template_project_id: 1 })).status).toBe(200);
      const { body } = await call('GET', `/groups/${id}`, {}, dan.token);
      expect(body).not.toHaveProperty('enabled_git_access_protocol');
      expect((await call('GET', `/groups/${id}`)).body.enabled_git_access_protocol).toBe('all');
    });

    test('one bad value changes nothing', async () => {
      const { id } = await newGroup();
      const { status } = await put(id, { name: 'Half', lfs_enabled: false, two_factor_grace_period: -1 });
      expect(status).toBe(400);
      expect((await call('GET', `/groups/${id}`)).body).toMatchObject({ name: 'New', lfs_enabled: true });
    });

    test('of the root only: subgroups neither take nor show them', async () => {
      const { id: root } = await newGroup();
      const only = { prevent_sharing_groups_outside_hierarchy: true, enabled_git_access_protocol: 'ssh' };
      const { id } = await newGroup({ parent_id: root, ...only });
      const { status, body } = await put(id, only);
      expect(status).toBe(200);
      for (const key of Object.keys(only)) expect(body).not.toHaveProperty(key);
      expect(
        await gateway.sql(
          'select prevent_sharing_groups_outside_hierarchy as x, attributes from namespaces where id = $1',
          [id],
        ),
      ).toEqual([{ x: false, attributes: {} }]);
    });

    test('the lock of shares goes down, and only the parent’s owners lift it below', async () => {
      const { id: root } = await newGroup();
      const { id } = await newGroup({ parent_id: root });
      const { id: deep } = await newGroup({ parent_id: id });
      await addMember(gateway, dan, 'OWNER', { group: String(id) });
      await put(root, { share_with_group_lock: true });
      expect([...(await shown(id, 'share_with_group_lock')), ...(await shown(deep, 'share_with_group_lock'))]).toEqual([
        true,
        true,
      ]);
      expect(await put(id, { share_with_group_lock: false }, dan.token)).toMatchObject({
        status: 200,
        body: { share_with_group_lock: true },
      });
      const late = await newGroup({ parent_id: id, share_with_group_lock: false }, dan.token);
      expect(late.share_with_group_lock).toBe(true);
      expect((await newGroup({ parent_id: id })).share_with_group_lock).toBe(true);
      expect((await put(id, { share_with_group_lock: false })).body.share_with_group_lock).toBe(false);
      expect(await shown(deep, 'share_with_group_lock')).toEqual([true]);
    });

    test('mail that a parent switched off stays off', async () => {
      const { id: root } = await newGroup();
      const { id } = await newGroup({ parent_id: root });
      await put(root, { emails_enabled: false });
      expect(await shown(id, 'emails_enabled', 'emails_disabled')).toEqual([false, true]);
      expect((await put(id, { emails_enabled: true })).body.emails_enabled).toBe(false);
      await put(root, { emails_enabled: true });
      expect(await shown(id, 'emails_enabled')).toEqual([true]);
    });

    test('runners that a parent disabled for all below stay disabled', async () => {
      const { id: root } = await newGroup();
      const { id } = await newGroup({ parent_id: root });
      await put(root, { shared_runners_setting: 'disabled_and_overridable' });
      expect(await shown(id, 'shared_runners_setting')).toEqual(['disabled_and_overridable']);
      expect((await put(id, { shared_runners_setting: 'enabled' })).body.shared_runners_setting).toBe('enabled');
      await put(root, { shared_runners_setting: 'disabled_and_unoverridable' });
      expect(await shown(id, 'shared_runners_setting')).toEqual(['disabled_and_unoverridable']);
      const refused = await put(id, { shared_runners_setting: 'enabled' });
      expect([refused.status, refused.body]).toEqual([
        400,
        model('shared_runners_enabled', 'cannot be enabled because parent group has shared Runners disabled'),
      ]);
      expect((await newGroup({ parent_id: root })).shared_runners_setting).toBe('disabled_and_unoverridable');
    });

    test('runners that a group disables are those of its projects too', async () => {
      const { id: root } = await newGroup();
      const { id } = await newGroup({ parent_id: root });
      const aProject = (more: object = {}) =>
        call('POST', '/projects', { name: `p${made++}`, namespace_id: id, ...more });
      const { id: project } = (await aProject()).body;
      const change = (values: Record<string, unknown>) => call('PUT', `/projects/${project}`, values);
      const runs = async () => (await call('GET', `/projects/${project}`)).body.shared_runners_enabled;
      const notAllowed = model('shared_runners_enabled', 'cannot be enabled because parent group does not allow it');
      expect(await runs()).toBe(true);

      await put(root, { shared_runners_setting: 'disabled_and_overridable' });
      expect(await runs()).toBe(false);
      expect((await aProject()).body.shared_runners_enabled).toBe(false);
      expect((await aProject({ shared_runners_enabled: true })).body.shared_runners_enabled).toBe(true);
      expect((await change({ shared_runners_enabled: true })).body.shared_runners_enabled).toBe(true);
      // The same value again leaves what was enabled below.
      await put(id, { shared_runners_setting: 'enabled' });
      await put(root, { shared_runners_setting: 'disabled_and_overridable' });
      expect([await runs(), ...(await shown(id, 'shared_runners_setting'))]).toEqual([true, 'enabled']);

      await put(root, { shared_runners_setting: 'disabled_and_unoverridable' });
      expect(await runs()).toBe(false);
      expect((await aProject()).body.shared_runners_enabled).toBe(false);
      for (const refused of [
        await aProject({ shared_runners_enabled: true }),
        await change({ shared_runners_enabled: true }),
        await change({ shared_runners_enabled: null, description: 'changed' }),
      ])
        expect([refused.status, refused.body]).toEqual([400, notAllowed]);
      expect((await change({ shared_runners_enabled: false })).body).toMatchObject({ description: '' });

      await put(root, { shared_runners_setting: 'enabled' });
      await put(id, { shared_runners_setting: 'enabled' });
      expect(await runs()).toBe(false);
      expect((await change({ shared_runners_enabled: true })).body.shared_runners_enabled).toBe(true);
      expect((await aProject()).body.shared_runners_enabled).toBe(true);
    });

    test.each([
      ['noone', [400, 400, 400]],
      ['administrator', [400, 400, 201]],
      ['owner', [400, 201, 201]],
      ['maintainer', [201, 201, 201]],
    ])('project_creation_level %s: who creates projects', async (level, [maintainer, owner, administrator]) => {
      const { id } = await newGroup({ project_creation_level: level });
      await addMember(gateway, dan, 'MAINTAINER', { group: String(id) });
      for (const [token, status] of [
        [dan.token, maintainer],
        [olga.token, owner],
        [gateway.tokens.root, administrator],
      ] as const) {
        const answer = await call('POST', '/projects', { name: `p${made++}`, namespace_id: id }, token);
        expect(answer.status).toBe(status);
        if (status === 400) expect(answer.body).toEqual(model('namespace', 'is not valid'));
      }
    });

    test('subgroup_creation_level owner: maintainers create none', async () => {
      const { id } = await newGroup();
      await addMember(gateway, dan, 'MAINTAINER', { group: String(id) });
      expect((await newGroup({ parent_id: id }, dan.token)).parent_id).toBe(id);
      await put(id, { subgroup_creation_level: 'owner' });
      const refused = await call('POST', '/groups', { name: 'x', path: 'x', parent_id: id }, dan.token);
      expect([refused.status, refused.body]).toEqual([403, { message: '403 Forbidden' }]);
      expect((await newGroup({ parent_id: id })).parent_id).toBe(id);
    });

    test('are those of GraphQL, with GitLab’s enum', async () => {
      const { full_path: fullPath } = await newGroup();
      const { data } = await gateway.graphql<{ groupUpdate: object }>(
        `mutation ($input: GroupUpdateInput!) {
        groupUpdate(input: $input) {
          group { sharedRunnersSetting projectCreationLevel emailsDisabled defaultBranchProtectionDefaults }
          errors
        }
      }`,
        {
          token: olga.token,
          variables: {
            input: {
              fullPath,
              sharedRunnersSetting: 'DISABLED_AND_OVERRIDABLE',
              projectCreationLevel: 'owner',
              emailsEnabled: false,
              defaultBranchProtectionDefaults: { allow_force_push: true },
            },
          },
        },
      );
      expect(data!.groupUpdate).toEqual({
        group: {
          sharedRunnersSetting: 'DISABLED_AND_OVERRIDABLE',
          projectCreationLevel: 'owner',
          emailsDisabled: true,
          defaultBranchProtectionDefaults: protection(40, 40, true),
        },
        errors: [],
      });
      const refused = await gateway.graphql<{ groupUpdate: object }>(
        'mutation ($input: GroupUpdateInput!) { groupUpdate(input: $input) { group { id } errors } }',
        { token: olga.token, variables: { input: { fullPath, projectCreationLevel: 'guest' } } },
      );
      expect(refused.data!.groupUpdate).toEqual({
        group: null,
        errors: ['Project creation level does not have a valid value'],
      });
    });
  });
}
