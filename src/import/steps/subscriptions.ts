import { NotGiven, type Given } from '../client.ts';
import { flagIn, idIn, numberIn, textIn } from '../fields.ts';
import type { Importer, Place } from '../importer.ts';

/**
 * Who is subscribed to what is open. No list has it: each person has to be asked in their name, so only those are who take part,
 * and the members of the project.
 */

const kinds = {
  issues: { name: 'issue', sign: '#', isOn: ({ record }: Place) => record.issues_enabled !== false },
  merge_requests: {
    name: 'merge_request',
    sign: '!',
    isOn: ({ record }: Place) => record.merge_requests_enabled !== false,
  },
} as const;
type Kind = keyof typeof kinds;

/** People who are asked for each issue or merge request. */
const mostPeople = 50;

export async function importSubscriptions(importer: Importer): Promise<void> {
  const { client } = importer.options;
  const isAllowed = await importer.orMissing(
    'subscriptions, for which the token needs the scope sudo',
    false,
    async () => {
      const { id } = await client.get('/user');
      await client.get('/user', { sudo: String(id) });
      return true;
    },
  );
  if (!isAllowed) return;
  await importer.each(
    importer.projects,
    (place) => importer.part(`subscriptions of project ${place.key}`, () => importSubscriptionsOf(importer, place)),
    'subscriptions',
  );
}

async function importSubscriptionsOf(importer: Importer, project: Place): Promise<void> {
  const at = `/projects/${project.key}`;
  await importer.orMissing('subscriptions', undefined, async () => {
    const members = await importer.options.client.all(`${at}/members`);
    for (const kind of Object.keys(kinds) as Kind[])
      if (kinds[kind].isOn(project))
        await importOpen(importer, { project, kind, members: members.flatMap((one) => idIn(one) ?? []) });
  });
}

interface Where {
  readonly project: Place;
  readonly kind: Kind;
  readonly members: readonly string[];
}

async function importOpen(importer: Importer, { project, kind, members }: Where): Promise<void> {
  const { client, since } = importer.options;
  const at = `/projects/${project.key}/${kind}`;
  const { name, sign } = kinds[kind];
  const query = { scope: 'all', state: 'opened', ...(since !== undefined && { updated_after: since }) };
  for await (const page of client.list(at, query)) {
    const listed = page.flatMap((record) => {
      const key = idIn(record);
      const iid = numberIn(record, 'iid');
      return key === undefined || iid === undefined
        ? []
        : [{ key: `${name}/${key}`, iid, stamp: stampOf(record, members) }];
    });
    const changed = await importer.changed('subscriptions', listed);
    const found = await importer.each(changed, async ({ key, iid, stamp }) => ({
      key,
      name: `${project.path}${sign}${iid}`,
      record: { key, stamp, people: await askPeople(importer, `${at}/${iid}`, members) },
    }));
    await importer.write('subscriptions', found);
  }
}

/** A subscription doesn't change the time of what it is to. Members who are new are asked. */
const stampOf = (record: Given, members: readonly string[]) => `${textIn(record, 'updated_at')} ${members.join(' ')}`;

async function askPeople(importer: Importer, at: string, members: readonly string[]) {
  const { client } = importer.options;
  const participants = (await client.all(`${at}/participants`)).flatMap((one) => idIn(one) ?? []);
  const asked = [...new Set([...participants, ...members])]
    .filter((key) => importer.people.has(key))
    .slice(0, mostPeople);
  const found: { personKey: string; subscribed: boolean }[] = [];
  for (const personKey of asked) {
    // Who can't read it, or is blocked, is refused.
    const record = await client.get(at, { sudo: personKey }).catch(none);
    if (typeof record?.subscribed === 'boolean') found.push({ personKey, subscribed: flagIn(record, 'subscribed') });
  }
  return found;
}

function none(error: unknown): undefined {
  if (!(error instanceof NotGiven)) throw error;
}
