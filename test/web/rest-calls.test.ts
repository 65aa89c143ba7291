import { buildSchema, parse } from 'graphql';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { fullPath, restCall, toCurl } from '../../src/web/documentation/rest-calls.ts';

const schema = buildSchema(readFileSync(new URL('../../contract/schema.graphql', import.meta.url), 'utf8'));
const openApi = JSON.parse(readFileSync(new URL('../../contract/openapi.json', import.meta.url), 'utf8')) as {
  paths: Record<string, Record<string, { parameters?: { name: string }[] }>>;
};

const curl = (query: string, variables = {}) => {
  const call = restCall(schema, parse(query), variables);
  return call && toCurl(call, 'https://causeway.example');
};

const begin = 'curl -s -H "Authorization: Bearer $TOKEN"';

test('a query is written as the REST call that stands for it, with paths encoded', () => {
  expect(curl('{ currentUser { username } }')).toBe(`${begin} 'https://causeway.example/api/v4/user'`);
  expect(curl('query ($path: ID!) { project(fullPath: $path) { name } }', { path: 'demo/storefront' })).toBe(
    `${begin} 'https://causeway.example/api/v4/projects/demo%2Fstorefront'`,
  );
  expect(curl('{ projects(first: 5, search: "a b", membership: true) { nodes { name } } }')).toBe(
    `${begin} 'https://causeway.example/api/v4/projects?per_page=5&search=a+b&membership=true'`,
  );
  expect(curl('{ issue(project: "gid://gitlab/Project/7", iid: "3") { title } }')).toContain('/projects/7/issues/3');
});

test('a mutation is written with its body, in the names of REST', () => {
  const written = curl(`mutation { updateNotificationSettings(input: { project: "demo/storefront", level: CUSTOM,
    events: [{ event: NEW_NOTE, enabled: true }] }) { notificationSettings { level } } }`)!;
  expect(written).toContain(`-X PUT`);
  expect(written).toContain(`/projects/demo%2Fstorefront/notification_settings'`);
  expect(written).toContain(`-d '{"level":"custom","new_note":true}'`);
  expect(curl(`mutation { createIssue(input: { projectPath: "a/b", title: "It's" }) { issue { iid } } }`)).toContain(
    String.raw`-d '{"title":"It'\''s"}'`,
  );
});

test('several fields, and fields without a call, have none', () => {
  expect(curl('{ currentUser { username } metadata { version } }')).toBeNull();
  expect(curl('{ __typename }')).toBeNull();
  expect(
    curl('mutation { starProject(input: { projectId: "gid://gitlab/Project/1", starred: true }) { count } }'),
  ).toBeNull();
});

test('each call is a route of the API', () => {
  const documents: [string, object?][] = [
    ['{ currentUser { id } }'],
    ['{ user(username: "a") { id } }'],
    ['{ user(id: "gid://gitlab/User/1") { id } }'],
    ['{ users(usernames: ["a"]) { nodes { id } } }'],
    ['{ project(fullPath: "a/b") { id } }'],
    ['{ projects { nodes { id } } }'],
    ['{ group(fullPath: "a") { id } }'],
    ['{ groups(first: 1) { nodes { id } } }'],
    ['{ issue(project: "a/b", iid: "1") { id } }'],
    ['{ mergeRequest(project: "a/b", iid: "1") { id } }'],
    ['{ metadata { version } }'],
    ['{ tokenInfo { scopes } }'],
    ['{ notificationSettings { level } }'],
    ['{ notificationSettings(group: "a") { level } }'],
    ['{ errorTrackingSettings(project: "a/b") { active } }'],
    ['mutation { updateErrorTrackingSettings(input: { project: "a/b", active: true }) { clientMutationId } }'],
  ];
  for (const [query] of documents) {
    const call = restCall(schema, parse(query), {});
    expect(call, query).not.toBeNull();
    const route = openApi.paths[fullPath(call!)]?.[call!.method.toLowerCase()];
    expect(route, `${call!.method} ${fullPath(call!)}`).toBeDefined();
  }
});
