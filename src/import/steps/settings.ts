import { eventNames } from '../../values/kinds/notification-events.ts';
import { NotGiven, type Given } from '../client.ts';
import { flagIn, idIn, innerOf, textIn } from '../fields.ts';
import type { Importer } from '../importer.ts';

/** Notification settings of people, read in their names, and error tracking settings of projects. */

const levels = new Set(['disabled', 'participating', 'watch', 'global', 'mention', 'custom']);

/** @param otherwise the level for one that isn't known here */
function settingIn(record: Given, otherwise: 'GLOBAL' | 'PARTICIPATING' = 'GLOBAL') {
  const level = textIn(record, 'level') ?? '';
  const switched = innerOf(record, 'events') ?? {};
  return {
    level: levels.has(level) ? level.toUpperCase() : otherwise,
    events: eventNames.filter((name) => flagIn(switched, name.toLowerCase())),
  };
}

/** The settings of everybody who was found. It needs the scope `sudo`. */
export async function importNotificationSettings(importer: Importer): Promise<void> {
  await importer.each(
    [...importer.people],
    ([key, username]) => importSettingsOf(importer, key, username),
    'people with their notification settings',
  );
}

async function importSettingsOf(importer: Importer, key: string, username: string): Promise<void> {
  const { client } = importer.options;
  await importer.orMissing('notification settings', undefined, async () => {
    const own = await client.get('/notification_settings', { sudo: key });
    const projects = await client.all('/projects', { membership: true, simple: true, sudo: key });
    const groups = await client.all('/groups', { min_access_level: 10, sudo: key });
    const read = (path: string) =>
      importer.orMissing('notification settings of places', undefined, () =>
        client.get(`${path}/notification_settings`, { sudo: key }),
      );
    const places: object[] = [];
    for (const projectKey of projects.flatMap((one) => idIn(one) ?? [])) {
      const record = await read(`/projects/${projectKey}`);
      if (record) places.push({ projectKey, ...settingIn(record) });
    }
    for (const groupKey of groups.flatMap((one) => idIn(one) ?? [])) {
      const record = await read(`/groups/${groupKey}`);
      if (record) places.push({ groupKey, ...settingIn(record) });
    }
    const address = textIn(own, 'notification_email');
    await importer.write('notificationSettings', [
      { key, name: username, record: { key, ...settingIn(own, 'PARTICIPATING'), address, places } },
    ]);
  });
}

/** The settings of projects that have any. */
export async function importErrorTracking(importer: Importer): Promise<void> {
  await importer.gather(
    'errorTracking',
    importer.projects,
    async ({ key, path }) => {
      // Most projects have none, and are answered 404.
      const record = await importer.options.client.get(`/projects/${key}/error_tracking/settings`).catch(none);
      const apiUrl = record && textIn(record, 'api_url');
      if (!record || !apiUrl) return [];
      const projectName = textIn(record, 'project_name')?.slice(0, 255);
      return [{ key, name: path, record: { key, active: flagIn(record, 'active'), apiUrl, projectName } }];
    },
    'projects with their error tracking settings',
  );
}

function none(error: unknown): undefined {
  if (!(error instanceof NotGiven)) throw error;
}
