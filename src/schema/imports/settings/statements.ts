import { statement } from '../../../database/index.ts';

/** Notification settings of people and error tracking settings of projects. */

/** The global setting of a person. $1 person, $2 level, $3 events, $4 address or null. */
export const storeGlobal = statement<object>(
  'import_global_notification_setting',
  `insert into global_notification_settings as s (user_id, level, events, notification_email_id)
   select $1::int, $2::"NotificationLevel", $3::jsonb, (
     select e.id from emails e where e.user_id = $1::int and e.address = $4 and e.verified_at is not null and e.primary_of is null)
   on conflict (user_id) do update set level = excluded.level, events = excluded.events,
     notification_email_id = excluded.notification_email_id, updated_at = now()`,
);

/** The settings of a person in places. $1 person, $2 places, $3 levels, $4 events. The default makes no row. */
const storeIn = (scope: 'group' | 'project') =>
  statement<object>(
    `import_${scope}_notification_settings`,
    `insert into ${scope}_notification_settings as s (user_id, ${scope}_id, level, events)
     select $1::int, one.id, one.level, one.events
       from unnest($2::int[], $3::"NotificationLevel"[], $4::jsonb[]) one(id, level, events)
      where one.level <> 'GLOBAL' or exists (
        select from ${scope}_notification_settings own where own.user_id = $1::int and own.${scope}_id = one.id)
     on conflict (user_id, ${scope}_id) do update set level = excluded.level, events = excluded.events, updated_at = now()`,
  );

export const storeOfPlaces = { group: storeIn('group'), project: storeIn('project') } as const;

/** Stores error tracking settings. $1 project, $2 active, $3 address of its API, $4 name there. */
export const storeErrorTracking = statement<object>(
  'import_error_tracking',
  `insert into error_tracking_settings (project_id, active, api_url, project_name, updated_at)
   values ($1::int, $2::boolean, $3, $4, now())
   on conflict (project_id) do update set active = excluded.active, api_url = excluded.api_url, project_name = excluded.project_name,
     updated_at = now()`,
);
