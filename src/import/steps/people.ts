import { userAttributes } from '../../values/attributes/user-attributes.ts';
import type { Given } from '../client.ts';
import { attributesIn, flagIn, idIn, innerList, textIn, timeIn } from '../fields.ts';
import type { Importer } from '../importer.ts';

/** People with their addresses, then their SSH keys. */

const states: Readonly<Record<string, string>> = {
  active: 'ACTIVE',
  deactivated: 'DEACTIVATED',
  banned: 'BANNED',
  blocked_pending_approval: 'BLOCKED_PENDING_APPROVAL',
};

/** @param isWritten otherwise they are only found, for later steps */
export async function importPeople(importer: Importer, isWritten: boolean): Promise<void> {
  const { client, group, progress } = importer.options;
  const all = group === undefined ? await client.count('/users').catch(() => undefined) : undefined;
  let read = 0;
  const pages =
    group === undefined ? client.list('/users', { order_by: 'id', sort: 'asc' }) : membersOf(importer, group);
  await importer.whileReading('people', async (add) => {
    for await (const page of pages) {
      const people = page.filter((record) => isPerson(importer, record));
      // What is here of those who are the same stays as it is.
      const others = isWritten ? people.filter((record) => !importer.options.same.has(String(record.username))) : [];
      const found = await importer.each(others, (record) => personFrom(importer, record));
      await add(found.filter((one) => one !== undefined));
      read += page.length;
      progress('people', read, Math.max(read, all ?? 0));
    }
  });
}

/** Whether a record is that of a person. Later steps know them from then on. */
function isPerson(importer: Importer, record: Given): boolean {
  const key = idIn(record);
  const username = textIn(record, 'username');
  if (key === undefined || username === undefined) return importer.unreadable('people').length > 0;
  if (isInternal(record)) return false;
  importer.people.set(key, username);
  return true;
}

/** The members of a group, of what is in it, and of what contains it. */
async function* membersOf({ options: { client } }: Importer, group: string): AsyncGenerator<readonly Given[]> {
  const seen = new Set<string>();
  const lists = [`/groups/${encodeURIComponent(group)}/members/all`];
  for (const path of [...lists, ...(await placesBelow(client, group))]) {
    for await (const page of client.list(path)) {
      const keys = page.flatMap((member) => idIn(member) ?? []).filter((key) => !seen.has(key) && seen.add(key));
      const people: Given[] = [];
      for (const key of keys) people.push(await client.get(`/users/${key}`));
      yield people;
    }
  }
}

async function placesBelow(client: Importer['options']['client'], group: string): Promise<readonly string[]> {
  const path = `/groups/${encodeURIComponent(group)}`;
  const groups = await client.all(`${path}/descendant_groups`);
  const projects = await client.all(`${path}/projects`, { include_subgroups: true, simple: true });
  return [
    ...groups.flatMap((one) => (idIn(one) ? [`/groups/${idIn(one)}/members`] : [])),
    ...projects.flatMap((one) => (idIn(one) ? [`/projects/${idIn(one)}/members`] : [])),
  ];
}

/** Accounts of the other side itself: bots, and the one that has what removed people wrote. */
const isInternal = (record: Given) =>
  flagIn(record, 'bot') ||
  /^(?:ghost|support-bot|alert-bot|migration-bot|security-bot|automation-bot)\d*$/.test(
    textIn(record, 'username') ?? '',
  );

async function personFrom(importer: Importer, record: Given) {
  const key = idIn(record);
  const username = textIn(record, 'username');
  if (key === undefined || username === undefined) return undefined;
  const addresses = await addressesOf(importer, key, record);
  return {
    key,
    name: username,
    record: {
      key,
      namespaceKey: idIn(record, 'namespace_id'),
      username,
      name: (textIn(record, 'name') ?? '').trim() || username,
      state: states[textIn(record, 'state') ?? ''] ?? 'BLOCKED',
      administrator: flagIn(record, 'is_admin'),
      publicEmail: textIn(record, 'public_email') || undefined,
      commitEmail: commitAddressIn(record),
      identities: Array.isArray(record.identities) ? identitiesIn(importer, record) : undefined,
      addresses,
      createdAt: timeIn(record, 'created_at') ?? new Date(0).toISOString(),
      ...attributesIn(userAttributes, record, (name) =>
        importer.differs('people', record, `${name} isn’t valid here: it has its default.`),
      ),
    },
  };
}

/** The address for commits; null for the primary one. */
function commitAddressIn(record: Given): string | null | undefined {
  const address = textIn(record, 'commit_email');
  if (address === undefined) return undefined;
  // The address that receives no mail has the name of an instance: it is another one here.
  if (/^\d+-[^@]+@users\.noreply\./.test(address)) return '_private';
  return address.toLowerCase() === textIn(record, 'email')?.toLowerCase() ? null : address;
}

/** What the account is called at other providers. What can't be stored is reported. */
const identitiesIn = (importer: Importer, record: Given) =>
  innerList(record, 'identities').flatMap((one) => {
    const [provider, externUid] = [textIn(one, 'provider'), textIn(one, 'extern_uid')];
    const isValid = [provider, externUid].every((text) => text?.trim() && text.length <= 255);
    if (!isValid) importer.differs('people', record, 'An identity isn’t valid here: it is left out.');
    return isValid ? [{ provider, externUid }] : [];
  });

interface Address {
  readonly key: string | undefined;
  readonly address: string;
  readonly confirmedAt: string | undefined;
}

/** The addresses of a person, the primary one first. */
async function addressesOf(importer: Importer, key: string, record: Given): Promise<readonly Address[]> {
  const primary = textIn(record, 'email');
  const others = await importer.orMissing('further addresses of people', [], () =>
    importer.options.client.all(`/users/${key}/emails`),
  );
  const further = others.flatMap((one): Address[] => {
    const address = textIn(one, 'email');
    if (address === undefined || address.toLowerCase() === primary?.toLowerCase()) return [];
    return [{ key: idIn(one), address, confirmedAt: timeIn(one, 'confirmed_at') }];
  });
  const own = others.find((one) => textIn(one, 'email')?.toLowerCase() === primary?.toLowerCase());
  const first = { key: own && idIn(own), address: primary ?? '', confirmedAt: timeIn(record, 'confirmed_at') };
  return primary ? [first, ...further] : further;
}

const usages = new Set(['auth', 'signing', 'auth_and_signing']);

/** The keys of everybody who was found. */
export async function importSshKeys(importer: Importer): Promise<void> {
  await importer.gather(
    'sshKeys',
    [...importer.people],
    async ([personKey, username]) => {
      const keys = await importer.orMissing('SSH keys of people', [], () =>
        importer.options.client.all(`/users/${personKey}/keys`),
      );
      return keys.flatMap((record) => sshKeyFrom(record, personKey, username) ?? importer.unreadable('SSH keys'));
    },
    'people with their SSH keys',
  );
}

function sshKeyFrom(record: Given, personKey: string, username: string) {
  const key = idIn(record);
  const text = textIn(record, 'key');
  if (key === undefined || text === undefined) return undefined;
  const usage = textIn(record, 'usage_type') ?? '';
  return {
    key,
    name: `${username}, ${textIn(record, 'title') ?? key}`,
    record: {
      key,
      personKey,
      title: textIn(record, 'title') ?? '',
      text,
      usage: usages.has(usage) ? usage : undefined,
      // Not the present time: the record would change with every import.
      createdAt: timeIn(record, 'created_at') ?? new Date(0).toISOString(),
      expiresAt: timeIn(record, 'expires_at'),
    },
  };
}

/** The stars of everybody who was found. */
export async function importStars(importer: Importer): Promise<void> {
  await importer.gather(
    'stars',
    [...importer.people],
    async ([key, username]) => {
      const projects = await importer.orMissing('stars of people', [], () =>
        importer.options.client.all(`/users/${key}/starred_projects`, { simple: true }),
      );
      const projectKeys = projects.flatMap((project) => idIn(project) ?? []).sort();
      return projectKeys.length === 0 ? [] : [{ key, name: username, record: { key, projectKeys } }];
    },
    'people with their stars',
  );
}
