import { expect } from 'vitest';
import { testGateway, type TestGateway } from '../../../support/gateway.ts';
import { newUser, type TestUser } from '../../../support/places/people.ts';
import { workspace, type Workspace } from '../../../support/places/workspace.ts';

/** A group with groups and projects below it, of Olga, on the gateway that the tests of this folder share. */

export let gateway: TestGateway;
export let make: Workspace;
export let olga: TestUser;
export let dan: TestUser;
export let firm: number;
export async function makeFirm(): Promise<void> {
  gateway = await testGateway();
  make = workspace(gateway);
  [olga, dan] = [await newUser(gateway, 'olga'), await newUser(gateway, 'dan')];
  firm = (await call('POST', '/groups', { name: 'The Firm', path: 'firm', visibility: 'internal' })).body.id;
  await call('POST', '/groups', { name: 'Team', path: 'team', parent_id: firm });
  await call('POST', '/groups', {
    name: 'Squad',
    path: 'squad',
    parent_id: (await call('GET', '/groups/firm%2Fteam')).body.id,
  });
  await make.project('firm/site', 'PUBLIC');
  await make.project('firm/team/shop');
}

export const call = (
  method: string,
  path: string,
  values: Record<string, unknown> = {},
  token: string | undefined = olga.token,
  headers: Record<string, string> = {},
) =>
  gateway.rest(method, `/api/v4${path}`, {
    token,
    headers,
    ...(method === 'GET' ? { query: values as Record<string, string> } : { json: values }),
  });
/** What a new group has. */
export const defaults = {
  share_with_group_lock: false,
  require_two_factor_authentication: false,
  two_factor_grace_period: 48,
  project_creation_level: 'developer',
  auto_devops_enabled: null,
  subgroup_creation_level: 'maintainer',
  emails_disabled: false,
  emails_enabled: true,
  show_diff_preview_in_email: true,
  mentions_disabled: null,
  lfs_enabled: true,
  archived: false,
  math_rendering_limits_enabled: true,
  lock_math_rendering_limits_enabled: false,
  default_branch: null,
  default_branch_protection: 2,
  default_branch_protection_defaults: {
    allowed_to_push: [{ access_level: 40 }],
    allow_force_push: false,
    allowed_to_merge: [{ access_level: 40 }],
    developer_can_initial_push: false,
  },
  avatar_url: null,
  request_access_enabled: true,
  organization_id: 1,
  shared_runners_setting: 'enabled',
  max_artifacts_size: null,
  marked_for_deletion_on: null,
};

/** The members of a subgroup, in order. Those after `marked_for_deletion_on` are of a single one only. */
export const recordKeys = `
  id web_url name path description visibility share_with_group_lock require_two_factor_authentication
  two_factor_grace_period project_creation_level auto_devops_enabled subgroup_creation_level
  emails_disabled emails_enabled show_diff_preview_in_email mentions_disabled lfs_enabled archived
  math_rendering_limits_enabled lock_math_rendering_limits_enabled default_branch
  default_branch_protection default_branch_protection_defaults avatar_url request_access_enabled
  full_name full_path created_at parent_id organization_id shared_runners_setting max_artifacts_size
  marked_for_deletion_on shared_with_groups projects shared_projects`
  .trim()
  .split(/\s+/);

export const pathsOf = (body: { full_path?: string; path_with_namespace?: string }[]) =>
  body.map((one) => one.full_path ?? one.path_with_namespace);
let made = 0;
export const newGroup = async (values: object = {}, token?: string) => {
  const path = `new-${made++}`;
  const { status, body } = await call('POST', '/groups', { name: 'New', path, ...values }, token);
  expect(status).toBe(201);
  return body as { id: number; full_path: string; [key: string]: unknown };
};
export const groups = async (values: Record<string, unknown>, token?: string) =>
  pathsOf((await call('GET', '/groups', values, token)).body);
