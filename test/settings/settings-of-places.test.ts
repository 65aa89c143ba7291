import { getNamedType, isAbstractType, isInterfaceType, isObjectType, type GraphQLNamedType } from 'graphql';
import { beforeAll, describe, expect, test } from 'vitest';
import { scopes, type Admission } from '../../src/policy/index.ts';
import { publicSchema } from '../../src/schema/public.ts';
import { dataOf } from '../support/requests/answers.ts';
import { testGateway, type TestGateway } from '../support/gateway.ts';
import { rootFields, type RootField } from '../support/requests/operations.ts';
import { newUser, addMember } from '../support/places/people.ts';
import { newProject } from '../support/places/places.ts';

/** Settings as fields of groups and projects, in the one document of a dashboard. */

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await testGateway();
  await newProject(gateway, { group: 'demo', path: 'untracked', visibility: 'PUBLIC' });
});

interface Project {
  readonly fullPath: string;
  readonly notificationSettings: { readonly level: string } | null;
  readonly errorTrackingSettings: { readonly active: boolean } | null;
}
interface Dashboard {
  readonly projects: { readonly nodes: readonly Project[] };
  readonly group: { readonly notificationSettings: { readonly level: string } | null };
}

const setting =
  'scope level isLevelSet group { fullPath } project { fullPath } effective { level source } events { event enabled }';
const tracker = 'active apiUrl projectName trackerExternalUrl';
const places = ['demo/storefront', 'demo/untracked'];

async function dashboard(token?: string): Promise<{ projects: Record<string, Project>; group: Dashboard['group'] }> {
  const { projects, group } = dataOf(
    await gateway.graphql<Dashboard>(
      `query ($places: [String!]) {
        projects(fullPaths: $places) { nodes { fullPath notificationSettings { ${setting} } errorTrackingSettings { ${tracker} } } }
        group(fullPath: "demo") { notificationSettings { ${setting} } }
      }`,
      { token, variables: { places } },
    ),
  );
  return { projects: Object.fromEntries(projects.nodes.map((project) => [project.fullPath, project])), group };
}

describe('the notification settings of groups and projects', () => {
  test('are one’s own, the same as at the root', async () => {
    const { id, token } = await newUser(gateway, 'ada');
    await addMember(gateway, { id }, 'GUEST', { group: 'demo' });
    for (const [path, level] of [
      ['groups/demo', 'watch'],
      ['projects/demo%2Fstorefront', 'custom'],
    ])
      expect(
        (await gateway.rest('PUT', `/api/v4/${path}/notification_settings`, { token, json: { level } })).status,
      ).toBe(200);
    const roots = dataOf(
      await gateway.graphql<Record<string, object>>(
        `{ group: notificationSettings(group: "demo") { ...S } storefront: notificationSettings(project: "demo/storefront") { ...S }
           untracked: notificationSettings(project: "demo/untracked") { ...S } } fragment S on NotificationSettings { ${setting} }`,
        { token },
      ),
    );
    const { projects, group } = await dashboard(token);
    expect(group.notificationSettings).toEqual(roots.group);
    expect(projects['demo/storefront']!.notificationSettings).toEqual(roots.storefront);
    expect(projects['demo/untracked']!.notificationSettings).toEqual(roots.untracked);
    expect(roots).toMatchObject({
      group: { level: 'WATCH', effective: { level: 'WATCH', source: 'GROUP' } },
      storefront: { level: 'CUSTOM', effective: { level: 'CUSTOM', source: 'PROJECT' } },
      untracked: { level: 'GLOBAL', isLevelSet: false, effective: { level: 'WATCH', source: 'GROUP' } },
    });
  });

  test('are null without a person: for anonymous requests and for an application', async () => {
    for (const token of [undefined, await gateway.accessToken(null, ['api'])]) {
      const { projects, group } = await dashboard(token);
      expect(group.notificationSettings).toBeNull();
      expect(places.map((path) => projects[path]!.notificationSettings)).toEqual([null, null]);
    }
  });
});

describe('the error tracking settings of projects', () => {
  const shown = async (token?: string) => {
    const { projects } = await dashboard(token);
    return places.map((path) => projects[path]!.errorTrackingSettings);
  };

  test('are the same as at the root, and null for a project without any', async () => {
    const { errorTrackingSettings } = dataOf(
      await gateway.graphql<{ errorTrackingSettings: object }>(
        `{ errorTrackingSettings(project: "demo/storefront") { ${tracker} } }`,
        { token: gateway.tokens.maintainer },
      ),
    );
    expect(errorTrackingSettings).toMatchObject({ active: expect.any(Boolean) });
    for (const token of [gateway.tokens.maintainer, gateway.tokens.root])
      expect(await shown(token)).toEqual([errorTrackingSettings, null]);
  });

  test('are null for everyone below maintainer', async () => {
    const reporters = [gateway.tokens.developer, gateway.tokens.guest, await gateway.accessToken(null, ['api'])];
    for (const token of [undefined, ...reporters]) expect(await shown(token)).toEqual([null, null]);
  });
});

test('no scope below read_api reaches a group or a project, and so its settings', () => {
  const smaller: readonly string[] = scopes.filter((scope) => scope !== 'api' && scope !== 'read_api');
  const admits = ({ extensions }: RootField): boolean => {
    const admission = extensions.admission as Extract<Admission, { class: 'token' }> | undefined;
    return !admission || admission.scopes === 'any' || admission.scopes.some((scope) => smaller.includes(scope));
  };
  const reached = new Set<GraphQLNamedType>();
  const reach = (type: GraphQLNamedType): void => {
    if (reached.has(type)) return;
    reached.add(type);
    if (isAbstractType(type)) publicSchema.getPossibleTypes(type).forEach(reach);
    if (isObjectType(type) || isInterfaceType(type))
      Object.values(type.getFields())
        .filter(admits)
        .forEach((field) => reach(getNamedType(field.type)));
  };
  for (const { field } of rootFields(publicSchema)) if (admits(field)) reach(getNamedType(field.type));
  const names = [...reached].map(({ name }) => name);
  expect(names).toContain('CurrentUser');
  for (const name of ['Project', 'Group', 'Namespace', 'NotificationSettings', 'ErrorTrackingSettings'])
    expect(names).not.toContain(name);
});
