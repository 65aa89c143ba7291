import { setTimeout as pause } from 'node:timers/promises';
import { query } from '../cluster.ts';
import type { Fault, Scene } from '../fault.ts';
import { promised, rounded } from '../promised.ts';
import { tryOf, type Call, type Outcome } from '../load.ts';
import { application, digestOf, newSecret } from '../store.ts';
import { share } from '../verify.ts';

/** Milliseconds. */
const time = 5_000;
/** The share of the load that must be answered during a flood; the rest may be asked to retry. */
const minShare = 0.95;

/** So many connections send requests without a pause. */
async function flood({ gateways, load }: Scene, connections: number, next: (turn: number) => Call): Promise<Outcome[]> {
  const answers: Outcome[] = [];
  const until = performance.now() + time;
  let turn = 0;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (performance.now() < until) answers.push(await load.ask(gateways[turn++ % gateways.length]!, next(turn)));
    }),
  );
  return answers;
}

const median = (outcomes: readonly Outcome[]) =>
  outcomes.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b)[outcomes.length >> 1] ?? 0;

function summary(answers: readonly Outcome[]): string {
  const counts = new Map<number, number>();
  for (const { status } of answers) counts.set(status, (counts.get(status) ?? 0) + 1);
  return [...counts]
    .sort()
    .map(([status, count]) => `${count.toLocaleString('en')} × ${status || 'cut'}`)
    .join(', ');
}

export const tokenFlood: Fault = {
  name: 'token-flood',
  what: `For ${time / 1_000} seconds, 16 connections send requests without a pause, half with unknown tokens and half with expired tokens.`,
  async run(scene) {
    const {
      load,
      databaseUrl,
      spare: [person],
    } = scene;
    const expired = Array.from({ length: 200 }, () => newSecret('cwat_'));
    await query(
      databaseUrl,
      `with g as (insert into grants (kind, application_id, user_id, authorized_at)
         select 'PASSWORD', id, $1, now() - interval '5 hours' from applications where uid = $2 returning id)
       insert into access_tokens (grant_id, digest, scopes, expires_at)
       select g.id, digest, '{api}', now() - interval '1 hour' from g, unnest($3::bytea[]) digest`,
      [person!.id, application.uid, expired.map(digestOf)],
    );
    const from = performance.now();
    const answers = await flood(scene, 16, (turn) => ({
      ...tryOf(turn % 2 ? newSecret('cwat_') : expired[turn % expired.length]!),
      wanted: [401],
    }));
    const meanwhile = load.between(from, performance.now());
    return [
      promised(
        'Each is answered 401, or 503 under overload.',
        summary(answers),
        answers.every(({ status, wrong }) => status === 401 || (status === 503 && !wrong)),
      ),
      share(
        `At least ${minShare * 100} % of valid requests are answered meanwhile; the others are asked to retry.`,
        meanwhile,
        minShare,
      ),
      promised(
        'They are answered in less than a second.',
        `half within ${rounded(median(meanwhile))}`,
        median(meanwhile) < 1_000,
      ),
    ];
  },
};

export const passwordFlood: Fault = {
  name: 'password-flood',
  what: `For ${time / 1_000} seconds, 320 connections try passwords without a pause, each for another name.`,
  async run(scene) {
    const { load } = scene;
    const from = performance.now();
    const body = (turn: number) =>
      new URLSearchParams({
        grant_type: 'password',
        username: `unknown-${turn}`,
        password: 'a wrong password',
        client_id: application.uid,
        client_secret: application.secret,
      }).toString();
    const answers = await flood(scene, 320, (turn) => ({
      dialect: 'OAuth',
      method: 'POST',
      path: '/oauth/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: body(turn),
      wanted: [400, 429],
    }));
    const meanwhile = load.between(from, performance.now());
    await pause(200);
    return [
      promised(
        'Each is answered 400, or 429 when the queue for passwords is full.',
        summary(answers),
        answers.every(({ wanted, status, wrong }) => wanted || (status === 503 && !wrong)),
      ),
      promised(
        'The queue is bounded.',
        `${answers.filter(({ status }) => status === 429).length} were refused`,
        answers.some(({ status }) => status === 429),
      ),
      share(
        `At least ${minShare * 100} % of other requests are answered meanwhile; the others are asked to retry.`,
        meanwhile,
        minShare,
      ),
      promised(
        'They are answered in less than a second.',
        `half within ${rounded(median(meanwhile))}`,
        median(meanwhile) < 1_000,
      ),
    ];
  },
};
