import * as fc from 'fast-check';
import { sweep } from '../../../src/jobs/sweep.ts';
import { back, commonly, mostly, scopes, rarely } from './choices.ts';
import {
  clientCredentials,
  clients,
  introspect,
  ofToken,
  redeem,
  refresh,
  refreshThrice,
  revoke,
  use,
} from './clients.ts';
import { step, type Model } from './model.ts';
import {
  approve,
  authorizations,
  block,
  change,
  changePassword,
  changes,
  consent,
  deleteApplication,
  listAuthorized,
  register,
  renewSecret,
  revokeAuthorization,
  signOut,
  signOutEverywhere,
  unblock,
} from './people.ts';
import { command, type Command, type Scene } from './step.ts';

async function pass({ model, server, say }: Scene, steps: number): Promise<void> {
  say(`let ${steps * step} seconds pass`);
  model.now += steps * step;
  await server.pass(steps * step, model.people, model.applications);
}

/** The sweep removes only what no client can notice. */
async function tidyUp({ server, say }: Scene): Promise<void> {
  say('');
  await sweep({ database: server.gateway.gateway.application.database, auditDays: 365 });
}

const hasApplication = ({ applications }: Model) => applications.length > 0;
const hasCode = ({ codes }: Model) => codes.length > 0;
const hasRefreshToken = ({ refreshTokens }: Model) => refreshTokens.length > 0;
const hasToken = ({ accessTokens }: Model) => accessTokens.length > 0;
const always = () => true;

const fewerScopes = fc.option(scopes, { freq: 3 });
const again = fc.constantFrom(true, false);
const verifier = mostly('right', 'wrong', 'malformed', 'none');

/** Steps of time. A day is when what is over begins to be forgotten. */
const aDay = 86_400 / step;
const passages = fc.oneof(
  { weight: 30, arbitrary: fc.constantFrom(1, 1, 1, 1, 1, 2, 2, 3, 7) },
  { weight: 1, arbitrary: fc.constantFrom(aDay, 2 * aDay) },
);

/** What may come next. Most runs are about codes and refresh tokens; what ends many of them comes rarely. */
export const anyCommand: fc.Arbitrary<Command> = fc.oneof(
  command(
    40,
    'register',
    fc.record({ owner: back, confidential: fc.boolean(), refreshes: commonly }),
    always,
    register,
  ),
  command(
    240,
    'approve',
    fc.record({ request: authorizations, approved: commonly, signsIn: commonly }),
    hasApplication,
    approve,
  ),
  command(
    80,
    'consent',
    fc.record({ any: rarely, request: authorizations, like: back, scopes: fc.nat(3) }),
    hasApplication,
    consent,
  ),
  command(
    240,
    'redeem',
    fc.record({ code: back, client: clients, doubled: rarely, verifier, sameUri: commonly }),
    hasCode,
    redeem,
  ),
  command(
    240,
    'refresh',
    fc.record({ token: back, again, client: clients, doubled: rarely, scopes: fewerScopes }),
    hasRefreshToken,
    refresh,
  ),
  command(25, 'refresh', back, hasRefreshToken, (scene, token) => refreshThrice(scene, { token, wait: pass })),
  command(
    20,
    'client credentials',
    fc.record({ application: back, client: clients, doubled: rarely, scopes }),
    hasApplication,
    clientCredentials,
  ),
  command(30, 'use', back, hasToken, use),
  command(30, 'list what is authorized by', back, always, listAuthorized),
  command(50, 'introspect', ofToken, hasToken, introspect),
  command(30, 'revoke', ofToken, hasToken, revoke),
  command(20, 'take back', back, hasCode, revokeAuthorization),
  command(15, 'renew the secret of', back, hasApplication, renewSecret),
  command(25, 'change', changes, hasApplication, change),
  command(10, 'delete', back, hasApplication, deleteApplication),
  command(10, 'sign out everywhere:', back, always, signOutEverywhere),
  command(10, 'sign out:', back, always, signOut),
  command(3, 'change the password of', back, always, changePassword),
  command(8, 'block', back, always, block),
  command(40, 'unblock', back, ({ people }) => people.some(({ blocked }) => blocked), unblock),
  command(80, '', passages, always, pass),
  command(15, 'sweep', fc.constant(null), always, tidyUp),
);
