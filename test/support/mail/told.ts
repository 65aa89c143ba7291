import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import { at, type Shop } from '../places/shop.ts';

/** Who was told of what: a project in which something happens, for tests of notifications. */
export interface Told {
  readonly project: string;
  /** Sends a request about the project as somebody, and expects it to succeed. */
  send(method: string, path: string, who: string, json?: object): Promise<any>;
  /** Chooses a setting of a person: globally, of the project, or of a group by its path. */
  choose(who: string, place: 'global' | 'project' | { group: string }, setting: object): Promise<void>;
  /** What a person was told of since the last call: causes with the reasons that are given, after everything was found. */
  told(who: string): Promise<readonly { cause: string; reason: string | null }[]>;
}

export type Asker = (who: string) => string;

/** A new project of a shop in which people are told of what happens. @param tokenOf the token of a person */
export async function anEventfulProject(
  { gateway, aProject, api }: Shop,
  tokenOf: Asker,
  visibility: 'PRIVATE' | 'PUBLIC' = 'PRIVATE',
  group?: string,
): Promise<Told> {
  const project = await aProject(visibility, group);
  // Settings of a former test must not matter.
  await gateway.sql('delete from global_notification_settings');
  await gateway.sql('delete from group_notification_settings');
  let seen = 0;
  const latest = async () =>
    (await gateway.sql<{ id: number }>('select coalesce(max(id), 0)::int as id from notifications'))[0]!.id;
  seen = await latest();
  const send: Told['send'] = async (method, path, who, json = {}) => {
    const answer = await api(method, at(project, path), tokenOf(who), method === 'GET' ? {} : { json });
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    return answer.body;
  };
  return {
    project,
    send,
    async choose(who, place, setting) {
      const path =
        place === 'global'
          ? 'notification_settings'
          : place === 'project'
            ? at(project, '/notification_settings')
            : `groups/${encodeURIComponent(place.group)}/notification_settings`;
      const { status } = await api('PUT', path, tokenOf(who), { json: setting });
      expect(status).toBe(200);
    },
    async told(who) {
      await allTold(gateway);
      const since = seen;
      seen = await latest();
      return await gateway.sql(
        `select n.cause, n.reason from notifications n join users u on u.id = n.user_id
          where u.username = $1 and n.id > $2 order by n.id`,
        [who, since],
      );
    },
  };
}

/** Waits until it is found who is told of everything that happened. */
export async function allTold({ sql }: Pick<Shop['gateway'], 'sql'>): Promise<void> {
  for (;;) {
    const rows = await sql<{ last_error: string | null }>(
      "select last_error from jobs where name in ('tell_people', 'tell_of_due_issues', 'tell_of_moved_projects', 'find_due_issues') and (key is null or lease is not null)",
    );
    const failed = rows.find(({ last_error: error }) => error !== null);
    if (failed) throw new Error(`a job failed: ${failed.last_error}`);
    if (rows.length === 0) return;
    await pause(5);
  }
}
