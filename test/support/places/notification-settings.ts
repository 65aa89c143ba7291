import { dataOf } from '../requests/answers.ts';
import type { TestGateway } from '../gateway.ts';

interface Applying {
  readonly level: string;
  readonly source: string;
  readonly sourceGroup: { readonly fullPath: string } | null;
}

/** A notification setting, with all fields that tests read over GraphQL. */
export interface Setting {
  readonly scope: 'GLOBAL' | 'GROUP' | 'PROJECT';
  readonly level: string;
  readonly isLevelSet: boolean;
  readonly notificationEmail: string | null;
  readonly group: { readonly fullPath: string } | null;
  readonly project: { readonly fullPath: string } | null;
  readonly effective: Applying;
  readonly inherited: Applying | null;
  readonly events: readonly { readonly event: string; readonly enabled: boolean; readonly isSet: boolean }[];
}

type Place = { readonly group?: string; readonly project?: string };

const allOfIt = `
  scope level isLevelSet notificationEmail
  group { fullPath } project { fullPath }
  effective { level source sourceGroup { fullPath } }
  inherited { level source sourceGroup { fullPath } }
  events { event enabled isSet }
`;

/**
 * Operations on notification settings over GraphQL, and on their tables.
 * @param gateway the gateway, which a test file has only when its tests run
 */
export function settingsOverGraphQL(gateway: () => TestGateway) {
  async function read(token: string, place: Place = {}): Promise<Setting> {
    const answer = await gateway().graphql<{ notificationSettings: Setting }>(
      `query ($group: ID, $project: ID) { notificationSettings(group: $group, project: $project) { ${allOfIt} } }`,
      { token, variables: place },
    );
    return dataOf(answer).notificationSettings;
  }

  const update = (token: string, input: object) =>
    gateway().graphql<{ updateNotificationSettings: { notificationSettings: Setting; errors: string[] } }>(
      `mutation ($input: UpdateNotificationSettingsInput!) { updateNotificationSettings(input: $input) { notificationSettings { ${allOfIt} } errors } }`,
      { token, variables: { input } },
    );

  const bulk = (token: string, settings: readonly object[], resets?: readonly object[]) =>
    gateway().graphql<{ bulkUpdateNotificationSettings: { notificationSettings: Setting[]; errors: string[] } }>(
      `mutation ($input: BulkUpdateNotificationSettingsInput!) {
        bulkUpdateNotificationSettings(input: $input) { notificationSettings { ${allOfIt} } errors }
      }`,
      { token, variables: { input: { settings, reset: resets } } },
    );

  const reset = (token: string, input: object) =>
    gateway().graphql<{ resetNotificationSettings: { notificationSettings: Setting; errors: string[] } }>(
      `mutation ($input: ResetNotificationSettingsInput!) { resetNotificationSettings(input: $input) { notificationSettings { ${allOfIt} } errors } }`,
      { token, variables: { input } },
    );

  async function set(token: string, input: object): Promise<Setting> {
    return dataOf(await update(token, input)).updateNotificationSettings.notificationSettings;
  }

  /** All stored settings of all users. */
  async function stored(): Promise<unknown> {
    return await gateway().sql(
      `select 'global' as scope, user_id, null::int as id, level::text, events, notification_email_id from global_notification_settings
       union all select 'group', user_id, group_id, level::text, events, null from group_notification_settings
       union all select 'project', user_id, project_id, level::text, events, null from project_notification_settings
       order by 1, 2, 3`,
    );
  }

  async function forgetAll(): Promise<void> {
    await gateway().sql(
      `with a as (delete from global_notification_settings), b as (delete from group_notification_settings)
       delete from project_notification_settings`,
    );
  }

  return { read, update, bulk, reset, set, stored, forgetAll };
}
