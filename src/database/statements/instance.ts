import { statement } from '../index.ts';

export const readSettings = statement<{ settings: Record<string, unknown> }>(
  'read_instance_settings',
  'select settings from instance where id = 1',
);

/** Sets some and forgets others. $1 what is set, as JSON, $2 the names of those that go back to their defaults. */
export const changeSettings = statement<object>(
  'change_instance_settings',
  'update instance set settings = (settings || $1::jsonb) - $2::text[] where id = 1',
);
