import { createHash } from 'node:crypto';
import type { Call } from '../load.ts';
import { asPeople, bearing, both, cpu, inTurn, side, throughput, type MakeCalls, type Work } from './request.ts';
import { graphql, settingsQuery } from './graphql.ts';

const path = '/api/v4/notification_settings';

export const settings = asPeople(() => ({ path, contains: '"notification_email"' }));
export const groupSettings = asPeople(({ group }) => ({
  path: `/api/v4/groups/${group}/notification_settings`,
  contains: '"level"',
}));
export const projectSettings = asPeople(({ project }) => ({
  path: `/api/v4/projects/${project}/notification_settings`,
  contains: '"level"',
}));
export const errorTracking = asPeople(({ project }) => ({
  path: `/api/v4/projects/${project}/error_tracking/settings`,
  contains: '"api_url"',
}));
export const user = asPeople(() => ({ path: '/api/v4/user', contains: '"username"' }));
/** The same request with the OAuth access token of one person after the other. */
const byAccessToken =
  (call: Call): MakeCalls =>
  ({ people }) => ({
    next: (turn) => ({ ...call, headers: { authorization: `Bearer ${inTurn(people, turn).accessToken}` } }),
  });
export const tokenInfo = byAccessToken({ path: '/oauth/token/info', contains: '"scopes"' });
const settingsByAccessToken = (at: string) => byAccessToken({ path: at, contains: '"notification_email"' });
const update = asPeople((_person, turn) => ({
  method: 'PUT',
  path: `${path}?level=${turn % 2 === 0 ? 'watch' : 'mention'}`,
  contains: '"level"',
}));
const projects = asPeople(() => ({
  path: '/api/v4/projects?membership=true&simple=true',
  contains: '"path_with_namespace"',
}));

/** With the entity tag of a recent response. */
const unchanged: MakeCalls = ({ people }, ask) => {
  const some = people.slice(0, 100);
  const tags = new Map<number, string>();
  return {
    // Each time: other work may have changed the settings.
    async prepare() {
      for (const person of some) {
        const body = await ask({ path, headers: bearing(person) });
        tags.set(person.id, `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`);
      }
    },
    next(turn) {
      const person = inTurn(some, turn);
      return { path, status: 304, headers: { ...bearing(person), 'if-none-match': tags.get(person.id)! } };
    },
  };
};

export const restWork: readonly Work[] = [
  {
    name: 'nothing at all, bare `node:http`',
    contenders: [side('floor', () => ({ next: () => ({ path: '/bare' }) }))],
    targets: [],
  },
  {
    name: 'settings, global',
    key: true,
    contenders: [...both(settings), side('usual stack', graphql(settingsQuery, '"data":'))],
    targets: [cpu('floor', 1.3), cpu('usual stack', 0.2)],
    alike: true,
  },
  {
    name: 'settings, global, by an access token',
    contenders: [
      side('causeway', settingsByAccessToken(path)),
      { name: 'two statements', on: 'floor', calls: settingsByAccessToken(`/two-statements${path}`) },
    ],
    targets: [throughput('two statements', 1.1), cpu('two statements')],
    connections: 32,
    alike: true,
  },
  { name: 'settings of a group', contenders: both(groupSettings), targets: [cpu('floor', 1.3)], alike: true },
  { name: 'settings of a project', contenders: both(projectSettings), targets: [cpu('floor', 1.3)], alike: true },
  {
    name: 'settings, unchanged (304)',
    key: true,
    contenders: [...both(unchanged), { name: 'causeway, the 200', on: 'causeway', calls: settings }],
    targets: [cpu('floor', 1.2), cpu('causeway, the 200', 1)],
  },
  { name: 'settings, update', key: true, contenders: both(update), targets: [cpu('floor', 1.5)], alike: true },
  {
    name: 'error tracking settings',
    key: true,
    contenders: both(errorTracking),
    targets: [cpu('floor', 1.3)],
    alike: true,
  },
  { name: 'the user', key: true, contenders: both(user), targets: [cpu('floor', 1.3)], alike: true },
  { name: 'token information', key: true, contenders: both(tokenInfo), targets: [cpu('floor', 1.3)], alike: true },
  { name: 'projects, a page', contenders: both(projects), targets: [cpu('floor', 1.6)], alike: true },
];
