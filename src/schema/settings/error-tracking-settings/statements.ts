import { statement } from '../../../database/index.ts';
import { featureLevel, projectStatement, type PlaceRow } from '../../../database/access/places.ts';

export interface ErrorTrackingRow {
  active: boolean;
  api_url: string;
  project_name: string | null;
}

/** The project with its settings; `active` is null if it has none. */
export const readErrorTracking = projectStatement<
  PlaceRow & { monitored: boolean } & (ErrorTrackingRow | { active: null })
>(
  'read_error_tracking_settings',
  `, s.active, s.api_url, s.project_name, ${featureLevel('monitor')} <> 'disabled' as monitored`,
  'left join error_tracking_settings s on s.project_id = p.id',
);

/** Switches error tracking. $1 the project, $2 whether active. No row: nothing is configured. */
export const switchErrorTracking = statement<ErrorTrackingRow>(
  'switch_error_tracking',
  `update error_tracking_settings set active = $2, updated_at = now()
    where project_id = $1
   returning active, api_url, project_name`,
);

/**
 * Configures error tracking. $1 the project, $2 whether active, $3 the API address or null to keep it, $4 whether
 * to set the name, $5 the name. No row: there was no address to keep.
 */
export const configureErrorTracking = statement<ErrorTrackingRow>(
  'configure_error_tracking',
  `with kept as (
     select coalesce($3::text, (select api_url from error_tracking_settings where project_id = $1)) as api_url
   )
   insert into error_tracking_settings as s (project_id, active, api_url, project_name)
   select $1::int, $2::boolean, kept.api_url, $5::text from kept where kept.api_url is not null
   on conflict (project_id) do update set
     active = excluded.active,
     api_url = coalesce($3::text, s.api_url),
     project_name = case when $4::boolean then excluded.project_name else s.project_name end,
     updated_at = now()
   returning active, api_url, project_name`,
);
