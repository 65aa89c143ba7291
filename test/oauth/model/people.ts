import * as fc from 'fast-check';
import { fragment, pkce, prospect, registerApplication, sessionOf, withChallenge } from '../../support/oauth/oauth.ts';
import {
  applicationScopes,
  back,
  grantsOf,
  isThere,
  latest,
  mostly,
  promising,
  redirectUriLists,
  redirectUris,
  scopes,
  rarely,
  type Chosen,
} from './choices.ts';
import { noteSecret } from './clients.ts';
import type { Application, AuthorizationRequest, Code, Model, Person } from './model.ts';
import { expectSame, learn, type Scene } from './step.ts';

/** What people do: to applications of their own, with those of others, and with themselves. */

const isLetIn = ({ blocked }: Person) => !blocked;

/** A person who needs a session opens one, which the blocked can't. */
async function present({ server }: Scene, person: Person): Promise<boolean> {
  if (person.session?.alive) return true;
  const secret = await server.openSession(person);
  expectSame('whether a session opens', !person.blocked, secret !== null);
  if (secret !== null) person.session = { secret, alive: true };
  return secret !== null;
}

/** Something that only a session allows. @returns whether it was done */
async function done(
  scene: Scene,
  person: Person,
  source: string,
  variables?: Record<string, unknown>,
): Promise<boolean> {
  const { error } = await scene.server.operation(person, source, variables);
  expectSame('the error', person.session?.alive ? null : 'UNAUTHENTICATED', error);
  return error === null;
}

/** Something that an application's owner does to it. @returns the data, where it was done */
async function byOwner<Data>(
  scene: Scene,
  application: Application,
  source: string,
  { possible = true, variables = {} }: { possible?: boolean; variables?: Record<string, unknown> } = {},
): Promise<Data | null> {
  const { owner, id, deleted } = application;
  const signedIn = await present(scene, owner);
  const { data, error } = await scene.server.operation<Data>(owner, source, { id, ...variables });
  expectSame('the error', !signedIn ? 'UNAUTHENTICATED' : deleted || !possible ? 'NOT_FOUND' : null, error);
  return data;
}

export const authorizations = fc.record({
  person: back,
  application: back,
  responseType: mostly('code', 'token') as fc.Arbitrary<'code' | 'token'>,
  redirectUri: mostly(redirectUris[0]!, redirectUris[1]!),
  scopes,
  withPkce: fc.boolean(),
  careless: rarely,
});

function requestFor(model: Model, choice: Chosen<typeof authorizations>): AuthorizationRequest {
  const application = promising(model.applications, choice.application, isThere);
  // A public application knows that it must use PKCE.
  const withPkce = choice.withPkce || (!application.confidential && !choice.careless);
  const { responseType, redirectUri, scopes: asked } = choice;
  return { application, responseType, redirectUri, scopes: asked, verifier: withPkce ? pkce().verifier : null };
}

/** The request as the server takes it. */
const onTheWire = ({
  application,
  responseType,
  redirectUri,
  scopes: asked,
  verifier: proof,
}: AuthorizationRequest) => ({
  clientId: application.clientId,
  responseType,
  redirectUri,
  scope: asked.join(' '),
  state: 'a state',
  ...(proof !== null && withChallenge(pkce(proof))),
});

/** What is wrong with a request so that there is no redirect. */
function errorForPerson({ application, redirectUri }: AuthorizationRequest): string | null {
  if (application.deleted) return 'invalid_client';
  return application.redirectUris.includes(redirectUri) ? null : 'invalid_redirect_uri';
}

const inWords = ({ application, responseType, redirectUri, scopes: asked, verifier: proof }: AuthorizationRequest) =>
  `${responseType} for ${application.name} with ${asked.join(' ')}${proof === null ? '' : ' and PKCE'} at ${redirectUri}`;

export async function approve(
  scene: Scene,
  choice: { request: Chosen<typeof authorizations>; approved: boolean; signsIn: boolean },
): Promise<void> {
  const { model, server, say } = scene;
  const person = promising(model.people, choice.request.person, isLetIn);
  const request = requestFor(model, choice.request);
  say(`${person.name}, ${choice.approved ? 'yes' : 'no'}: ${inWords(request)}`);
  if (choice.signsIn) await present(scene, person);
  const { data, error } = await server.operation<{ authorize: { location: string } }>(
    person,
    'mutation ($parameters: AuthorizationParameters!, $approved: Boolean!) { authorize(parameters: $parameters, approved: $approved) { location } }',
    { parameters: onTheWire(request), approved: choice.approved },
  );
  expectSame('the error', person.session?.alive ? errorForPerson(request) : 'UNAUTHENTICATED', error);
  if (!data) return;

  const location = new URL(data.authorize.location);
  const answer = request.responseType === 'token' ? fragment(location) : location.searchParams;
  expectSame('where the answer goes', request.redirectUri, location.origin + location.pathname);
  expectSame('state and issuer', ['a state', null], [answer.get('state'), answer.get('iss')]);
  const refused = model.authorizationError(request) ?? (choice.approved ? null : 'access_denied');
  expectSame('the error in the answer', refused, answer.get('error'));
  if (refused) return;
  if (request.responseType === 'code') model.approveCode(person, request, answer.get('code')!);
  else learn(model, model.approveToken(person, request).access, answer.get('access_token')!);
}

/** Whether the person would be asked; as a rule about something like what was approved before. */
export async function consent(
  scene: Scene,
  choice: { any: boolean; request: Chosen<typeof authorizations>; like: number; scopes: number },
): Promise<void> {
  const { model } = scene;
  const before = choice.any || model.codes.length === 0 ? null : latest(model.codes, choice.like);
  const person = before?.person ?? latest(model.people, choice.request.person);
  const request: AuthorizationRequest = before
    ? { ...before, responseType: 'code', scopes: before.scopes.slice(0, 1 + (choice.scopes % before.scopes.length)) }
    : requestFor(model, choice.request);
  scene.say(`${person.name}: ${inWords(request)}`);
  await expectProspect(scene, person, request);
}

/** After a run: what is remembered of all that was approved. */
export async function tryConsents(scene: Scene, like: readonly Code[]): Promise<void> {
  for (const code of like) {
    scene.say(`at last, consent of ${code.person.name} to ${code.application.name}, like ${code.name}`);
    await expectProspect(scene, code.person, { ...code, responseType: 'code' });
  }
}

async function expectProspect(scene: Scene, person: Person, request: AuthorizationRequest): Promise<void> {
  const { model, server } = scene;
  await present(scene, person);
  const { error, remembered } = await prospect(server.gateway, person.session?.secret ?? null, onTheWire(request));
  const refused = errorForPerson(request) ?? model.authorizationError(request);
  expectSame('the error', refused, error);
  const expected = !refused && person.session?.alive === true && model.isRemembered(person, request);
  expectSame('whether it is remembered', expected, remembered);
}

/** What a person sees of all this. */
export async function listAuthorized(scene: Scene, choice: number): Promise<void> {
  const { model, server, say } = scene;
  const person = latest(model.people, choice);
  say(person.name);
  const { data, error } = await server.operation<{
    authorizedApplications: { application: { id: number }; scopes: string[] }[];
  }>(person, '{ authorizedApplications { application { id: databaseId } scopes } }');
  expectSame('the error', person.session?.alive ? null : 'UNAUTHENTICATED', error);
  if (!data) return;
  const rows = (list: [id: string, scopes: Iterable<string>][]) =>
    list.map(([id, some]) => [id, [...some].toSorted()].join(' ')).toSorted();
  const expected = rows([...model.authorized(person)].map(([{ id }, some]) => [id, some]));
  expectSame(
    'what is authorized',
    expected,
    rows(data.authorizedApplications.map(({ application, scopes: some }) => [String(application.id), some])),
  );
}

/** Also called before a run, so that there is something to begin with. */
export async function register(
  scene: Scene,
  choice: { owner: number; confidential: boolean; refreshes: boolean },
): Promise<void> {
  const { model, server, say } = scene;
  const { confidential, refreshes } = choice;
  const owner = latest(model.people, choice.owner);
  const name = `application ${model.applications.length}`;
  say(
    `${name} of ${owner.name}: ${confidential ? 'confidential' : 'public'}${refreshes ? '' : ', without refresh tokens'}`,
  );
  if (!(await present(scene, owner))) return;
  const session = sessionOf(server.gateway, owner.username, owner.session!.secret);
  const made = await registerApplication(session, {
    confidential,
    redirectUris,
    scopes: applicationScopes,
    grants: grantsOf(choice),
  });
  model.applications.push({ ...made, name, owner, refreshes, deleted: false });
}

export async function renewSecret(scene: Scene, choice: number): Promise<void> {
  const application = promising(scene.model.applications, choice, isThere);
  scene.say(application.name);
  const made = await byOwner<{ renewApplicationSecret: { secret: string } }>(
    scene,
    application,
    'mutation ($id: ID!) { renewApplicationSecret(id: $id) { secret } }',
    { possible: application.confidential },
  );
  if (!made) return;
  noteSecret(application);
  scene.model.renewSecret(application, made.renewApplicationSecret.secret);
}

/** One of the things that its owner can change, and perhaps back again at once. */
export const changes = fc.record({
  application: back,
  what: fc.constantFrom('kind', 'kind', 'redirect URIs', 'redirect URIs', 'scopes', 'nothing'),
  uris: fc.constantFrom(...redirectUriLists),
  scopes: fc.oneof(fc.constant(applicationScopes), fc.shuffledSubarray(applicationScopes, { minLength: 1 })),
  andBack: fc.boolean(),
});

export async function change(
  scene: Scene,
  { what, uris, scopes: kept, andBack, ...choice }: Chosen<typeof changes>,
): Promise<void> {
  const application = promising(scene.model.applications, choice.application, isThere);
  const { redirectUris: formerUris, scopes: formerScopes } = application;
  const edit = (redirectUris: readonly string[], some: readonly string[]) =>
    changeTo(scene, application, {
      confidential: application.confidential !== (what === 'kind'),
      redirectUris: what === 'redirect URIs' ? redirectUris : formerUris,
      scopes: what === 'scopes' ? some : formerScopes,
    });
  await edit(uris, kept);
  if (andBack) await edit(formerUris, formerScopes);
}

async function changeTo(
  { model, server, say }: Scene,
  application: Application,
  to: Pick<Application, 'confidential' | 'redirectUris' | 'scopes'>,
): Promise<void> {
  say(
    `${application.name}: ${to.confidential ? 'confidential' : 'public'}, at ${to.redirectUris.join(' ')}, with ${to.scopes.join(' ')}`,
  );
  const changed = await byOwner<{ updateApplication: { secret: string | null } }>(
    { model, server, say },
    application,
    'mutation ($id: ID!, $input: ApplicationInput!) { updateApplication(id: $id, input: $input) { secret } }',
    { variables: { input: { name: 'Changed', ...to, grants: grantsOf({ ...application, ...to }) } } },
  );
  if (!changed) return;
  const { secret } = changed.updateApplication;
  expectSame('whether there is a new secret', to.confidential && !application.confidential, secret !== null);
  noteSecret(application);
  if (to.confidential !== application.confidential) model.changeKind(application, to.confidential, secret ?? '');
  model.changeRedirectUris(application, to.redirectUris);
  model.changeScopes(application, to.scopes);
}

export async function deleteApplication(scene: Scene, choice: number): Promise<void> {
  const application = promising(scene.model.applications, choice, isThere);
  scene.say(application.name);
  if (await byOwner(scene, application, 'mutation ($id: ID!) { deleteApplication(id: $id) }'))
    scene.model.deleteApplication(application);
}

export async function revokeAuthorization(scene: Scene, choice: number): Promise<void> {
  const { model, say } = scene;
  const { person, application } = latest(model.codes, choice);
  say(`${application.name} by ${person.name}`);
  const signedIn = await present(scene, person);
  const { error } = await scene.server.operation(
    person,
    'mutation ($id: ID!) { revokeAuthorization(applicationId: $id) }',
    { id: application.id },
  );
  expectSame('the error', !signedIn ? 'UNAUTHENTICATED' : application.deleted ? 'NOT_FOUND' : null, error);
  if (!error) model.revokeAuthorization(person, application);
}

/** By a session that may be over. */
export async function signOutEverywhere(scene: Scene, choice: number): Promise<void> {
  const person = latest(scene.model.people, choice);
  scene.say(person.name);
  if (await done(scene, person, 'mutation { signOutEverywhere }')) scene.model.endPerson(person, false);
}

export async function signOut(scene: Scene, choice: number): Promise<void> {
  const person = latest(scene.model.people, choice);
  scene.say(person.name);
  if (await done(scene, person, 'mutation { signOut }')) person.session!.alive = false;
}

export async function changePassword(scene: Scene, choice: number): Promise<void> {
  const person = latest(scene.model.people, choice);
  scene.say(person.name);
  const input = { current: person.password, password: `${person.password}!` };
  if (
    !(await done(scene, person, 'mutation ($input: ChangePasswordInput!) { changePassword(input: $input) }', { input }))
  )
    return;
  person.password = input.password;
  scene.model.endPerson(person, true);
}

export async function block(scene: Scene, choice: number): Promise<void> {
  await setBlocked(scene, latest(scene.model.people, choice), true);
}

export async function unblock(scene: Scene, choice: number): Promise<void> {
  await setBlocked(
    scene,
    promising(scene.model.people, choice, ({ blocked }) => blocked),
    false,
  );
}

/** Either way everything ends: a block that was cut short must not leave anything to come back. */
async function setBlocked({ model, server, say }: Scene, person: Person, blocked: boolean): Promise<void> {
  say(person.name);
  const changed = await server.setBlocked(person, blocked);
  expectSame('whether that changed anything', person.blocked !== blocked, changed);
  person.blocked = blocked;
  if (changed) model.endPerson(person, false);
}
