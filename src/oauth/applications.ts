import { newToken, randomSecret } from '../auth/index.ts';
import {
  countAuthorizers,
  deleteApplication,
  endApplication,
  findManagedApplication,
  insertApplication,
  listApplications,
  renewSecret,
  updateApplication,
} from './statements/applications.ts';
import { InvalidFields, NotFound } from '../errors.ts';
import { scopes as offered } from '../policy/index.ts';
import { nameProblems } from '../values/text/visible-names.ts';
import { toClient, type Client } from './client.ts';
import type { Engine } from './engine.ts';
import { grantTypes, type GrantType, type Profile } from './profile.ts';
import { redirectUriProblems } from './redirect-uri.ts';

/** The input of a registration. */
export interface ApplicationInput {
  readonly name: string;
  readonly redirectUris: readonly string[];
  readonly scopes: readonly string[];
  readonly grants: readonly string[];
  readonly confidential: boolean;
}

/** Those of some grants that a kind of application (confidential or public) can use. */
export function usableGrants(
  { passwordWithoutClient }: Pick<Profile, 'passwordWithoutClient'>,
  confidential: boolean,
  grants: readonly GrantType[],
): GrantType[] {
  // A public application can't authenticate: it gets no client credentials grant (RFC 6749 §4.4.2), and the password
  // grant only if the profile allows it without a client.
  return grants.filter(
    (grant) => confidential || (grant !== 'client_credentials' && (grant !== 'password' || passwordWithoutClient)),
  );
}

/** Who manages applications: a person manages their own, an administrator all of them. */
export interface Manager {
  /** The owner of the applications; null for the instance, which may manage every application. */
  readonly ownerId: number | null;
  /** The actor; null for the operator. */
  readonly actorId: number | null;
}

/** An application with its secret, which is shown only once; null for a public one. */
export interface NewSecret {
  readonly client: Client;
  readonly secret: string | null;
}

/** Grants that redirect a person to the application. */
const redirecting: readonly string[] = ['authorization_code', 'implicit'] satisfies GrantType[];

/**
 * Checks a registration and reports every problem, by field.
 * @param registered redirect URIs that the application has already: they stay valid under stricter rules
 * @throws InvalidFields
 */
function check(engine: Engine, input: ApplicationInput, registered: readonly string[] = []): void {
  const uris = uriProblems(engine, input, registered);
  const fields: Record<string, string[]> = {
    name: nameProblems(input.name),
    redirectUris: uris.map(({ message }) => message),
    scopes: listProblems(input.scopes, offered),
    grants: grantProblems(input),
  };
  const problems = Object.entries(fields).filter(([, messages]) => messages.length > 0);
  if (problems.length > 0)
    throw new InvalidFields(Object.fromEntries(problems), { redirectUris: uris.map(({ entry }) => entry) });
}

/** What is wrong with redirect URIs, each with the index of the one that it is about. */
function uriProblems(
  { profile }: Engine,
  { redirectUris, grants }: ApplicationInput,
  registered: readonly string[],
): { readonly message: string; readonly entry?: number }[] {
  if (redirectUris.length === 0)
    return grants.some((grant) => redirecting.includes(grant)) ? [{ message: "can't be blank" }] : [];
  if (redirectUris.length > 50) return [{ message: 'are too many (maximum is 50)' }];
  // Of several, the message names the one that it is about.
  const said = (problem: string, uri: string) =>
    redirectUris.length === 1 ? problem : `${problem.replace(/\.$/, '')}: ${uri.slice(0, 200)}`;
  return redirectUris.flatMap((uri, entry) =>
    registered.includes(uri)
      ? []
      : redirectUriProblems(uri, profile).map((problem) => ({ message: said(problem, uri), entry })),
  );
}

function listProblems(given: readonly string[], known: readonly string[]): string[] {
  if (given.length === 0) return ["can't be blank"];
  return given.every((one) => known.includes(one)) ? [] : ["doesn't match configured on the server."];
}

function grantProblems({ grants, confidential }: ApplicationInput): string[] {
  const problems = listProblems(grants, grantTypes);
  // RFC 6749 §4.4: with a public client, anyone who knows the id could use this grant.
  if (!confidential && grants.includes('client_credentials'))
    problems.push('need a confidential application for client_credentials');
  return problems;
}

const unique = (values: readonly string[]) => [...new Set(values)];

/** Registers an application. @throws InvalidFields */
export async function registerApplication(
  engine: Engine,
  { ownerId, actorId }: Manager,
  input: ApplicationInput,
): Promise<NewSecret> {
  check(engine, input);
  const secret = input.confidential ? newToken('client') : null;
  const [row] = await engine.sql.rows(insertApplication, [
    ownerId,
    input.name.trim(),
    randomSecret(),
    secret?.digest ?? null,
    input.confidential,
    unique(input.redirectUris),
    unique(input.scopes),
    unique(input.grants),
    engine.origin.address,
    engine.origin.requestId,
    actorId,
  ]);
  return { client: toClient(row!), secret: secret?.secret ?? null };
}

/**
 * Changes an application.
 * @returns a secret if a public application became confidential
 * @throws InvalidFields, NotFound
 */
export async function editApplication(
  engine: Engine,
  { ownerId, actorId }: Manager,
  id: number,
  input: ApplicationInput,
): Promise<NewSecret> {
  const before = await managedApplication(engine, { ownerId }, id);
  check(engine, input, before.redirectUris);
  const secret = input.confidential && !before.confidential ? newToken('client') : null;
  const [row] = await engine.sql.rows(updateApplication, [
    id,
    ownerId,
    input.name.trim(),
    input.confidential,
    unique(input.redirectUris),
    unique(input.scopes),
    unique(input.grants),
    secret?.digest ?? null,
    engine.origin.address,
    engine.origin.requestId,
    actorId,
  ]);
  if (!row) throw new NotFound('Application');
  if (row.confidential !== before.confidential) await endAgain(engine, id);
  return { client: toClient(row), secret: secret?.secret ?? null };
}

/**
 * Ends everything that was issued to an application a second time: a request admitted just before the change may
 * have stored something with a later time.
 */
async function endAgain({ sql }: Engine, id: number): Promise<void> {
  await sql.rows(endApplication, [id]);
}

/** Renews the secret, and ends every token that was issued with the old one. @throws NotFound */
export async function renewApplicationSecret(
  engine: Engine,
  { ownerId, actorId }: Manager,
  id: number,
): Promise<NewSecret> {
  const { secret, digest } = newToken('client');
  const { address, requestId } = engine.origin;
  const [row] = await engine.sql.rows(renewSecret, [id, ownerId, digest, address, requestId, actorId]);
  if (!row) throw new NotFound('Application');
  await endAgain(engine, id);
  return { client: toClient(row), secret };
}

/** Removes an application. @throws NotFound */
export async function removeApplication(engine: Engine, { ownerId, actorId }: Manager, id: number): Promise<void> {
  const { address, requestId } = engine.origin;
  const [row] = await engine.sql.rows(deleteApplication, [id, ownerId, address, requestId, actorId]);
  if (!row) throw new NotFound('Application');
}

/** An application, if the manager may manage it. @throws NotFound */
export async function managedApplication(
  { sql }: Engine,
  { ownerId }: Pick<Manager, 'ownerId'>,
  id: number,
): Promise<Client> {
  const [row] = await sql.rows(findManagedApplication, [id, ownerId]);
  if (!row) throw new NotFound('Application');
  return toClient(row);
}

/** A part of the applications that a person registered, the newest first. */
export async function ownApplications(
  { sql }: Engine,
  ownerId: number,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<Client[]> {
  return (await sql.rows(listApplications, [ownerId, limit, offset])).map(toClient);
}

/** The number of people that applications may act for at present, by the id of the application; left out if there are none. */
export async function authorizers({ sql }: Pick<Engine, 'sql'>, ids: readonly number[]): Promise<Map<number, number>> {
  return new Map((await sql.rows(countAuthorizers, [ids])).map(({ id, people }) => [id, people]));
}
