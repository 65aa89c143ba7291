import * as fc from 'fast-check';
import { sweep } from '../../../src/jobs/sweep.ts';
import { back, commonly, mostly, scopes, seldom } from './choices.ts';
import { clientCredentials, clients, introspect, ofToken, redeem, refresh, revoke, use } from './clients.ts';
import { limits, step, type Model } from './model.ts';
import {
  approve,
  authorizations,
  block,
  changeKind,
  changePassword,
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
  say(`${steps * step} seconds`);
  model.now += steps * step;
  await server.pass(steps * step, model.people, model.applications);
}

/** What is removed in the background is nothing that anyone could tell. */
async function tidyUp({ server, say }: Scene): Promise<void> {
  say('');
  await sweep({ database: server.gateway.gateway.application.database, refreshReuseWindow: limits.reuse, auditDays: 365 });
}

const hasApplication = ({ applications }: Model) => applications.length > 0;
const hasCode = ({ codes }: Model) => codes.length > 0;
const hasRefreshToken = ({ refreshTokens }: Model) => refreshTokens.length > 0;
const hasToken = ({ accessTokens }: Model) => accessTokens.length > 0;
const always = () => true;

const verifier = mostly('right', 'wrong', 'malformed', 'none');

/** What may come next. Most runs are about codes and refresh tokens; what ends many of them comes seldom. */
export const anyCommand: fc.Arbitrary<Command> = fc.oneof(
  command(40, 'register', fc.record({ owner: back, confidential: fc.boolean(), refreshes: commonly }), always, register),
  command(240, 'approve', fc.record({ request: authorizations, approved: commonly, signsIn: commonly }), hasApplication, approve),
  command(40, 'consent', fc.record({ any: seldom, request: authorizations, like: back, scopes: fc.nat(3) }), hasApplication, consent),
  command(240, 'redeem', fc.record({ code: back, client: clients, doubled: seldom, verifier, sameUri: commonly }), hasCode, redeem),
  command(220, 'refresh', fc.record({ token: back, client: clients, doubled: seldom, scopes: fc.option(scopes, { freq: 3 }) }), hasRefreshToken, refresh),
  command(20, 'client credentials', fc.record({ application: back, client: clients, doubled: seldom, scopes }), hasApplication, clientCredentials),
  command(30, 'use', back, hasToken, use),
  command(30, 'list what is authorized by', back, always, listAuthorized),
  command(40, 'introspect', ofToken, hasToken, introspect),
  command(30, 'revoke', ofToken, hasToken, revoke),
  command(15, 'take back', fc.record({ person: back, application: back }), hasApplication, revokeAuthorization),
  command(15, 'renew the secret of', back, hasApplication, renewSecret),
  command(10, 'change the kind of', back, hasApplication, changeKind),
  command(10, 'delete', back, hasApplication, deleteApplication),
  command(10, 'sign out everywhere:', back, always, signOutEverywhere),
  command(10, 'sign out:', back, always, signOut),
  command(5, 'change the password of', back, always, changePassword),
  command(8, 'block', back, always, block),
  command(40, 'unblock', back, ({ people }) => people.some(({ blocked }) => blocked), unblock),
  command(60, 'pass', fc.oneof({ weight: 8, arbitrary: fc.integer({ min: 1, max: 3 }) }, { weight: 1, arbitrary: fc.constant(7) }), always, pass),
  command(10, 'sweep', fc.constant(null), always, tidyUp),
);
