import { createHash } from 'node:crypto';
import type { Ask } from '../load.ts';
import type { Person, Store } from '../store.ts';
import { asPeople, bearing, both, cpu, side, throughput, type MakeCalls, type Work } from './request.ts';

export const settingsQuery = '{ notificationSettings { level notificationEmail } }';

const dashboardQuery =
  '{ currentUser { notificationSettings(first: 50) { nodes { scope level effective { level source } } } } }';

const request = (content: object) =>
  ({
    method: 'POST',
    path: '/graphql',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(content),
  }) as const;

/** @param source a document in which `$turn` becomes another number each time */
export const graphql = (source: string, contains: string): MakeCalls =>
  asPeople((_person, turn) => ({ ...request({ query: source.replace('$turn', String(turn)) }), contains }));

/** A new document each time: nothing is cached. */
const adHoc = graphql('query Number$turn { notificationSettings { level notificationEmail } }', '"level"');

/** A document by its hash, as clients with "automatic persisted queries" send it. */
const byHash = {
  extensions: { persistedQuery: { version: 1, sha256Hash: createHash('sha256').update(settingsQuery).digest('hex') } },
};
const persisted = asPeople(() => ({ ...request(byHash), contains: '"level"' }));

async function offersHashes({ people: [person] }: Store, ask: Ask): Promise<boolean> {
  const send = async (content: object) => {
    const { headers, ...rest } = request(content);
    return await ask({ ...rest, headers: { ...headers, ...bearing(person as Person) } });
  };
  // After the document was sent once with its hash, the hash is enough.
  await send({ query: settingsQuery, ...byHash });
  return (await send(byHash)).includes('"level"');
}

const dashboard = graphql(dashboardQuery, '"effective"');

export const graphqlWork: readonly Work[] = [
  {
    name: 'GraphQL, document seen before',
    key: true,
    contenders: [
      ...both(graphql(settingsQuery, '"level"')),
      side('plain Yoga', graphql(settingsQuery, '"level"')),
      side('usual stack', graphql(settingsQuery, '"data":')),
    ],
    targets: [cpu('floor', 1.6), cpu('plain Yoga'), cpu('usual stack')],
    alike: true,
  },
  {
    name: 'GraphQL, document never seen',
    key: true,
    contenders: [side('causeway', adHoc), side('plain Yoga', adHoc), side('usual stack', adHoc)],
    targets: [cpu('plain Yoga', 0.6), cpu('usual stack')],
  },
  {
    name: 'GraphQL, document by its hash',
    contenders: both(persisted),
    targets: [cpu('floor', 1.6)],
    offered: offersHashes,
  },
  {
    name: 'GraphQL, every setting with what applies',
    contenders: both(dashboard),
    targets: [cpu('floor'), throughput('floor')],
    alike: true,
  },
];
