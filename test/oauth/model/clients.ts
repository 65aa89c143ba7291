import * as fc from 'fast-check';
import { pkce, type Form } from '../../support/oauth/oauth.ts';
import { back, isThere, latest, mostly, promising, redirectUris, type Chosen } from './choices.ts';
import {
  remaining,
  type Answer,
  type Application,
  type Client,
  type Model,
  type Pair,
  type RefreshToken,
  type Token,
} from './model.ts';
import { expectAnswer, expectSame, expectTokens, type Scene } from './step.ts';

/** What clients do, and who they claim to be. */

const impostors = ['with a wrong secret', 'without a secret', 'with its former secret', 'another application'];
export const clients = fc.record({ as: mostly('itself', ...impostors), other: back, byBasic: fc.boolean() });

const formerSecrets = new WeakMap<Application, string>();

/** Before it changes. */
export const noteSecret = (application: Application) => void formerSecrets.set(application, application.secret);

function clientFor(model: Model, own: Application, { as, other }: Chosen<typeof clients>): Client {
  if (as === 'another application') {
    const application = promising(model.applications, other, (one) => one !== own && isThere(one));
    return { application, secret: application.secret };
  }
  const secrets: Record<string, string> = {
    itself: own.secret,
    'with a wrong secret': 'wrong',
    'without a secret': '',
    'with its former secret': formerSecrets.get(own) ?? 'former',
  };
  return { application: own, secret: secrets[as]! };
}

const by = ({ application }: Client, { as }: Chosen<typeof clients>) =>
  `by ${application.name}${as === 'itself' ? '' : ` (${as})`}`;

interface Exchange {
  readonly client: Chosen<typeof clients>;
  readonly doubled: boolean;
}

const byWhom = (client: Client, { client: choice, doubled }: Exchange) =>
  `${by(client, choice)}${doubled ? ', twice at once' : ''}`;

/** What a client asks the token endpoint, once or twice at the same moment, and what the model answers to each. */
async function exchange(
  { model, server }: Scene,
  client: Client,
  { client: { byBasic }, doubled }: Exchange,
  form: Form,
  ask: () => Answer<Pair>,
): Promise<void> {
  const times = doubled ? [1, 2] : [1];
  const expected = times.map(ask);
  const answers = await Promise.all(times.map(() => server.request('/oauth/token', client, byBasic, form)));
  // Which of the two came first is not for us to say: a success did.
  answers.sort((one, other) => one.status - other.status);
  for (const [index, answer] of answers.entries()) expectTokens(model, expected[index]!, answer);
}

export async function redeem(
  scene: Scene,
  choice: Exchange & { code: number; verifier: string; sameUri: boolean },
): Promise<void> {
  const { model, say } = scene;
  const code = promising(model.codes, choice.code, (one) => !one.spent && !one.void);
  const client = clientFor(model, code.application, choice.client);
  say(
    `${code.name} ${byWhom(client, choice)}, verifier: ${choice.verifier}${choice.sameUri ? '' : ', at another redirect URI'}`,
  );
  const verifiers: Record<string, string | null> = {
    right: code.verifier,
    wrong: pkce().verifier,
    malformed: 'short',
    none: null,
  };
  // One that is forgotten asks for no verifier any more.
  const verifier = verifiers[choice.verifier === 'none' && model.mayBeGone(code) ? 'right' : choice.verifier]!;
  const redirectUri = choice.sameUri ? code.redirectUri : redirectUris.find((uri) => uri !== code.redirectUri)!;
  const form = {
    grant_type: 'authorization_code',
    code: code.secret,
    redirect_uri: redirectUri,
    ...(verifier !== null && { code_verifier: verifier }),
  };
  await exchange(scene, client, choice, form, () => model.redeem(client, code, redirectUri, verifier));
}

export async function refresh(
  scene: Scene,
  choice: Exchange & { token: number; again: boolean; scopes: string[] | null },
): Promise<void> {
  const { model, say } = scene;
  const token = promising(
    model.refreshTokens,
    choice.token,
    ({ family, rotated }) => family.endedAt === null && (rotated !== null) === choice.again,
  );
  const client = clientFor(model, token.family.application, choice.client);
  say(`${token.name} ${byWhom(client, choice)}${choice.scopes ? `, for ${choice.scopes.join(' ')}` : ''}`);
  const form = {
    grant_type: 'refresh_token',
    refresh_token: token.secret,
    ...(choice.scopes && { scope: choice.scopes.join(' ') }),
  };
  await exchange(scene, client, choice, form, () => model.refresh(client, token, choice.scopes));
}

/**
 * One refresh token, presented three times, the last time when the window is over:
 * being used in the meantime doesn't make it longer.
 */
export async function refreshThrice(
  scene: Scene,
  choice: { token: number; wait: (scene: Scene, steps: number) => Promise<void> },
): Promise<void> {
  const { model, say } = scene;
  const token = promising(model.refreshTokens, choice.token, (one) => model.isLive(one));
  const { application } = token.family;
  const client = { application, secret: application.secret };
  const form = { grant_type: 'refresh_token', refresh_token: token.secret };
  for (const time of ['first', 'second', 'third']) {
    say(`${token.name} by ${application.name}, for the ${time} time`);
    await exchange(scene, client, { client: { as: 'itself', other: 0, byBasic: false }, doubled: false }, form, () =>
      model.refresh(client, token, null),
    );
    await choice.wait(scene, 1);
  }
}

/** After a run: a refresh token that can't be introspected is used, to see whether it is live. */
export async function tryRefreshTokens(scene: Scene, tokens: readonly RefreshToken[]): Promise<void> {
  for (const token of tokens) {
    const { application } = token.family;
    const client = { application, secret: application.secret };
    const form = { grant_type: 'refresh_token', refresh_token: token.secret };
    scene.say(`at last, refresh ${token.name}`);
    await exchange(scene, client, { client: { as: 'itself', other: 0, byBasic: false }, doubled: false }, form, () =>
      scene.model.refresh(client, token, null),
    );
  }
}

export async function clientCredentials(
  scene: Scene,
  choice: Exchange & { application: number; scopes: string[] },
): Promise<void> {
  const { model, say } = scene;
  const client = clientFor(model, promising(model.applications, choice.application, isThere), choice.client);
  say(`${byWhom(client, choice)}, for ${choice.scopes.join(' ')}`);
  const form = { grant_type: 'client_credentials', scope: choice.scopes.join(' ') };
  await exchange(scene, client, choice, form, () => model.clientCredentials(client, choice.scopes));
}

const anyone = fc.record({
  as: fc.constantFrom('itself', 'itself', 'another application', ...impostors),
  other: back,
  byBasic: fc.boolean(),
});
export const ofToken = fc.record({ ofRefresh: fc.boolean(), token: back, client: anyone });

function tokenOf(model: Model, { ofRefresh, token }: Chosen<typeof ofToken>): Token {
  return promising<Token>(
    ofRefresh && model.refreshTokens.length > 0 ? model.refreshTokens : model.accessTokens,
    token,
    (one) => model.isLive(one),
  );
}

export async function introspect({ model, server, say }: Scene, choice: Chosen<typeof ofToken>): Promise<void> {
  const token = tokenOf(model, choice);
  const client = clientFor(model, token.family.application, choice.client);
  say(`${token.name} ${by(client, choice.client)}`);
  const expected = model.introspect(client, token);
  const answer = await server.request('/oauth/introspect', client, choice.client.byBasic, { token: token.secret });
  const active = expectAnswer(expected, answer);
  if (active === null) return;
  const { body } = answer;
  const { application, person } = token.family;
  const known = [remaining(token, application).join(' '), application.clientId, person?.username];
  expectSame(
    'introspection',
    [active, ...(active ? known : [])],
    [body.active, ...(body.active ? [body.scope, body.client_id, body.username] : [])],
  );
}

export async function revoke({ model, server, say }: Scene, choice: Chosen<typeof ofToken>): Promise<void> {
  const token = tokenOf(model, choice);
  // What is forgotten ends nothing any more, and what isn't does: nothing can be said of its family.
  if (model.mayBeGone(token)) return;
  const client = clientFor(model, token.family.application, choice.client);
  say(`${token.name} ${by(client, choice.client)}`);
  const expected = model.revoke(client, token);
  expectAnswer(expected, await server.request('/oauth/revoke', client, choice.client.byBasic, { token: token.secret }));
}

/** Token information is what every access token reaches. */
export async function use({ model, server, say }: Scene, choice: number): Promise<void> {
  const token = latest(model.accessTokens, choice);
  say(token.name);
  const { status, body } = await server.get('/oauth/token/info', token);
  const { scope, application } = body as { scope?: string[]; application?: { uid: string } };
  const expected = model.isLive(token)
    ? [200, remaining(token, token.family.application), token.family.application.clientId]
    : [401, undefined, undefined];
  expectSame('token information', expected, [status, scope, application?.uid]);
}
