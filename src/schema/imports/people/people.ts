import { endAll } from '../../../auth/index.ts';
import { isTaken, moveTree } from '../../../database/access/trees.ts';
import { InvalidFields } from '../../../errors.ts';
import { storedAttributes } from '../../../values/attributes/attributes.ts';
import { userAttributes } from '../../../values/attributes/user-attributes.ts';
import { nameProblems } from '../../../values/text/visible-names.ts';
import { addressProblems, normalAddress } from '../../accounts/users/addresses.ts';
import { checkIdentity, identityInput } from '../../accounts/identities/given.ts';
import { storedCommitAddress } from '../../accounts/users/fields/commit-email.ts';
import { attributeInputs, checkAttributes } from '../../engine/attributes.ts';
import { builder } from '../../engine/builder.ts';
import { Problems } from '../../engine/input.ts';
import { pathProblems } from '../../places/place/paths.ts';
import { freePath } from '../origins/free-path.ts';
import { importing, NotTaken, type Batch } from '../origins/importing.ts';
import {
  changePerson,
  findAccountNow,
  findTakenAddresses,
  insertPerson,
  renamePerson,
  storeAddresses,
  storeIdentities,
  storeObeyed,
} from './statements.ts';

/** Importing people: without passwords. They sign in by a link that is mailed to a confirmed address. */

const ImportedAddress = builder.inputType('ImportedAddress', {
  fields: (t) => ({
    key: t.string({ description: 'Its id there, if it has one.' }),
    address: t.string({ required: true }),
    confirmedAt: t.field({ type: 'Time', description: 'Omitted: it isn’t confirmed.' }),
  }),
});

const ImportedState = builder.enumType('ImportedUserState', {
  values: ['ACTIVE', 'BLOCKED', 'DEACTIVATED', 'BANNED', 'BLOCKED_PENDING_APPROVAL'] as const,
});

importing('people', {
  description: 'Imports people, without passwords.',
  keeps: 'users',
  record: (t) => ({
    namespaceKey: t.string({ description: 'The id of their namespace there.' }),
    username: t.string({ required: true }),
    name: t.string({ required: true }),
    state: t.field({ type: ImportedState, required: true }),
    administrator: t.boolean({ required: true }),
    publicEmail: t.string(),
    commitEmail: t.string({ description: 'One of their confirmed addresses, or `_private`; null: the primary one.' }),
    identities: t.field({ type: [identityInput] }),
    addresses: t.field({ type: [ImportedAddress], required: true, description: 'The primary one is the first.' }),
    createdAt: t.field({ type: 'Time', required: true }),
    ...attributeInputs(t, userAttributes),
  }),
  examine: async (batch, person, known) => {
    const addresses = person.addresses.map(({ address, confirmedAt }) => ({
      address: normalAddress(address),
      confirmedAt: confirmedAt ?? null,
    }));
    const problems = new Problems();
    problems.add('name', nameProblems(person.name));
    problems.add('username', pathProblems(person.username, true));
    for (const { address } of addresses) problems.add('email', addressProblems(address));
    if (addresses.length === 0) problems.add('email', ["can't be blank"]);
    for (const identity of person.identities ?? []) checkIdentity(problems, identity);
    checkAttributes(problems, userAttributes, person);
    refuse(problems);

    const taken = await batch.sql.rows(findTakenAddresses, [addresses.map(({ address }) => address), known ?? null]);
    if (taken.length > 0)
      throw new NotTaken(
        `${taken.map(({ address, username }) => `${address} is the address of ${username} here`).join('; ')}. If they are the same person, say so with --same ${person.username}=${taken[0]!.username}.`,
      );
    if (known !== undefined) return { username: await usernameOf(batch, known, person.username), addresses };
    const { path: username } = await freePath(batch, person.username);
    return { username, addresses };
  },
  store: async (batch, person, { username, addresses }, known) => {
    const { sql } = batch;
    const { columns, ...stored } = storedAttributes(userAttributes, person);
    const state = person.state === 'ACTIVE' ? 'ACTIVE' : 'BLOCKED';
    const blockedAs = person.state === 'ACTIVE' || person.state === 'BLOCKED' ? null : person.state;
    const confirmed = new Set(addresses.flatMap(({ address, confirmedAt }) => (confirmedAt ? [address] : [])));
    const publicEmail = person.publicEmail ? normalAddress(person.publicEmail) : null;
    const shown = publicEmail !== null && confirmed.has(publicEmail) ? publicEmail : null;
    const commitEmail = storedCommitAddress(person.commitEmail ?? '');
    const isOwn = commitEmail === '_private' || (commitEmail !== null && confirmed.has(commitEmail));
    const values = { ...stored.values, ...(isOwn && { commitEmail }) };
    const unset = person.commitEmail === undefined || isOwn ? stored.unset : [...stored.unset, 'commitEmail'];
    const id = known ?? (await insert(batch, { ...person, username, state, blockedAs, shown, values }));
    if (known !== undefined) {
      const { name, administrator } = person;
      const [now] = await sql.rows(findAccountNow, [known]);
      if (now && now.full_path !== username) {
        await sql.rows(renamePerson, [known, username]);
        await sql.rows(moveTree, [now.id, null, username, username, now.full_path, 'PUBLIC']);
      }
      const changed = [known, name, state, blockedAs, administrator, shown, JSON.stringify(values), unset];
      if ((await sql.rows(changePerson, changed)).length === 0) throw new NotTaken('They were removed here.');
      // As where an administrator changes the state: nothing becomes valid again.
      if (now && (now.state !== state || now.blocked_as !== blockedAs)) await endAll(sql, known, null);
    }
    const keys = person.addresses.map((one) => one.key);
    const ids = known === undefined ? await batch.keepAll('emails', keys) : keys.map(() => null);
    const { identities } = person;
    if (identities && identities.length > 0) {
      const [providers, names] = [identities.map((one) => one.provider), identities.map((one) => one.externUid)];
      const kept = await sql.rows(storeIdentities, [id, providers, names]);
      const others = new Set(providers).size - kept.length;
      if (others > 0) batch.remark(`Someone else here has ${others} of its identities.`);
    }
    const { external, privateProfile, canCreateGroup, projectsLimit } = columns;
    await sql.rows(storeObeyed, [
      id,
      external ?? null,
      privateProfile ?? null,
      canCreateGroup ?? null,
      projectsLimit ?? null,
    ]);
    await sql.rows(storeAddresses, [
      id,
      addresses.map(({ address }) => address),
      addresses.map(({ confirmedAt }) => confirmedAt),
      addresses[0]!.address,
      ids,
    ]);
    return id;
  },
});

/** The name of the account of a person who is here: as it is there now, unless that is taken here. */
async function usernameOf({ sql, remark }: Batch, id: number, wanted: string): Promise<string> {
  const [now] = await sql.rows(findAccountNow, [id]);
  if (!now || now.full_path === wanted) return wanted;
  const [found] = await sql.rows(isTaken, [now.id, wanted.toLowerCase()]);
  if (!found!.taken) return wanted;
  remark(`The path ${wanted} is taken: it stays ${now.full_path}.`);
  return now.full_path;
}

interface NewPerson {
  readonly key: string;
  readonly namespaceKey?: string | null;
  readonly username: string;
  readonly name: string;
  readonly state: string;
  readonly blockedAs: string | null;
  readonly administrator: boolean;
  readonly shown: string | null;
  readonly values: object;
  readonly createdAt: Date;
}

async function insert(batch: Batch, person: NewPerson): Promise<number> {
  const namespaceId = await batch.keep('namespaces', person.namespaceKey);
  const [made] = await batch.sql.rows(insertPerson, [
    batch.keptId(person.key),
    namespaceId,
    person.username,
    person.name,
    person.state,
    person.blockedAs,
    person.administrator,
    person.shown,
    JSON.stringify(person.values),
    person.createdAt,
  ]);
  return made!.id;
}

/** @throws NotTaken with all problems */
export function refuse(problems: Problems): void {
  try {
    problems.refuse();
  } catch (error) {
    if (!(error instanceof InvalidFields)) throw error;
    const words = Object.entries(error.fields).map(([field, messages]) => `${field} ${messages.join(', ')}`);
    throw new NotTaken(words.join('; '));
  }
}
