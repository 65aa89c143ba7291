import { beforeAll, describe, expect, test } from 'vitest';
import { testGateway, type TestGateway } from '../../support/gateway.ts';
import {
  basic,
  codeFor,
  codeForm,
  inBody,
  pkce,
  post,
  refreshForm,
  refusalOf,
  registerApplication,
  session,
  token,
  tokensFor,
  withChallenge,
  type Form,
  type RegisteredApplication,
  type Session,
} from '../../support/oauth/oauth.ts';
import type { RestRequest } from '../../support/requests/rest-client.ts';

/**
 * The statement that spends a code or a refresh token also checks the client's
 * proof. It must accept the same proofs as revocation, which authenticates the client
 * by itself.
 */

let gateway: TestGateway;
let person: Session;
let other: RegisteredApplication;
beforeAll(async () => {
  gateway = await testGateway();
  person = await session(gateway, 'person');
  other = await registerApplication(person);
});

/** How a request says which client it comes from, and whether it is at all. */
type Proof = (application: RegisteredApplication) => readonly [form: Form, request?: RestRequest];

const proofs: [what: string, proof: Proof][] = [
  ['the id and the secret', (application) => [inBody(application)]],
  ['the same as Basic', (application) => [{}, basic(application)]],
  ['the id alone', ({ clientId }) => [{ client_id: clientId }]],
  ['the id and an empty secret', ({ clientId }) => [{ client_id: clientId, client_secret: '' }]],
  ['the id as Basic, without a secret', ({ clientId }) => [{}, basic({ clientId, secret: '' })]],
  ['a wrong secret', ({ clientId }) => [{ client_id: clientId, client_secret: 'wrong' }]],
  ['the secret of another application', ({ clientId }) => [{ client_id: clientId, client_secret: other.secret }]],
  ['another application', () => [inBody(other)]],
  ['an unknown id', ({ secret }) => [{ client_id: 'nobody', client_secret: secret }]],
  ['an id in capitals', ({ clientId, secret }) => [{ client_id: clientId.toUpperCase(), client_secret: secret }]],
  ['a secret without an id', ({ secret }) => [{ client_secret: secret }]],
  ['nothing', () => [{}]],
];

/** Something to spend, without who spends it. */
type Spent = 'a code' | 'a refresh token';
async function toSpend(what: Spent, application: RegisteredApplication): Promise<Form> {
  if (what === 'a refresh token')
    return withoutProof(refreshForm(application, (await tokensFor(person, application)).refresh_token));
  const proof = pkce();
  const code = await codeFor(person, application, withChallenge(proof));
  return withoutProof(codeForm(application, code, { code_verifier: proof.verifier }));
}
const withoutProof = ({ client_id: _id, client_secret: _secret, ...form }: Form): Form => form;

const loseSecret = ({ id }: RegisteredApplication) =>
  gateway.sql('update applications set secret_digest = null where id = $1', [id]);

describe.each<Spent>(['a code', 'a refresh token'])('%s', (what) => {
  test.each([
    ['confidential', true, ['the id and the secret', 'the same as Basic']],
    // Whose secret is empty.
    ['public', false, proofs.slice(0, 5).map(([name]) => name)],
    ['confidential without a secret', true, []],
  ])('of an application that is %s is spent by its own proof and by no other', async (kind, confidential, right) => {
    const application = await registerApplication(person, { confidential });
    const kept = await toSpend(what, application);
    // One for each proof that will do.
    const more = await Promise.all(right.map(() => toSpend(what, application)));
    if (kind.endsWith('without a secret')) await loseSecret(application);
    const accepted: string[] = [];
    for (const [name, proof] of proofs) {
      const [form, request] = proof(application);
      const judged = await post(gateway, '/oauth/revoke', { token: 'of nobody', ...form }, request);
      const answer = await token(gateway, { ...(right.includes(name) ? more.pop()! : kept), ...form }, request);
      if (answer.status === 200) accepted.push(name);
      else if (name === 'another application')
        expect([judged.status, refusalOf(answer)]).toEqual([200, [400, 'invalid_grant']]);
      else expect([name, answer.status, answer.body]).toEqual([name, judged.status, judged.body]);
    }
    expect(accepted).toEqual(right);
    if (kind.endsWith('without a secret')) return;
    expect((await token(gateway, { ...kept, ...inBody(application) })).status).toBe(200);
  });

  test('isn’t spent by an application that may no longer use the grant, and is when it may again', async () => {
    const application = await registerApplication(person);
    const form = { ...(await toSpend(what, application)), ...inBody(application) };
    const allow = (grants: string[]) =>
      gateway.sql('update applications set grant_types = $2 where id = $1', [application.id, grants]);
    await allow(['client_credentials']);
    expect(refusalOf(await token(gateway, form))).toEqual([400, 'unauthorized_client']);
    await allow(['authorization_code', 'refresh_token']);
    expect((await token(gateway, form)).status).toBe(200);
  });
});

test('a client’s id with a byte that no text may have is unknown, never a defect', async () => {
  const application = await registerApplication(person);
  const form = await toSpend('a refresh token', application);
  for (const id of ['\ud800', 'x'.repeat(10_000), '\u0001']) {
    expect(refusalOf(await token(gateway, { ...form, client_id: id, client_secret: application.secret }))).toEqual([
      401,
      'invalid_client',
    ]);
  }
});
