import { join } from 'node:path';
import { digestOf, openStore, secretKey, secretOf, application } from './store.ts';
import { pinLoad, startServer } from './server.ts';

/**
 * Timing attacks (row 37): whether response times reveal what responses hide. Sends pairs of requests that are refused
 * alike, alternately, so that other load on the machine affects both. A difference that is small beside the spread of
 * either reveals nothing.
 *
 * npm run bench -- --timing
 */

interface Request {
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly form?: Record<string, string>;
}
interface Pair {
  readonly name: string;
  readonly one: Request;
  readonly other: Request;
  readonly rounds: number;
}

const root = process.env.BENCH_ROOT!;
const store = await openStore(root, 'small', (message) => process.stderr.write(`${message}\n`));
const [person] = store.people;
const token = (client: string, secret: string): Request => ({
  path: '/oauth/token',
  form: { grant_type: 'client_credentials', client_id: client, client_secret: secret },
});
/** A secret with one character changed. */
const altered = (secret: string, at: number) =>
  secret.slice(0, at) + (secret[at] === 'A' ? 'B' : 'A') + secret.slice(at + 1);
const bearer = (secret: string): Request => ({ path: '/api/v4/user', headers: { authorization: `Bearer ${secret}` } });
const password = (username: string): Request => ({
  path: '/oauth/token',
  form: {
    grant_type: 'password',
    client_id: application.uid,
    client_secret: application.secret,
    username,
    password: 'not the right one',
  },
});

const { secret, uid } = application;
const pairs: readonly Pair[] = [
  {
    name: 'client: unknown, or known with a wrong secret',
    one: token('unknown', secret),
    other: token(uid, altered(secret, 20)),
    rounds: 2_000,
  },
  {
    name: 'client secret: wrong at its beginning, or at its end',
    one: token(uid, altered(secret, 6)),
    other: token(uid, altered(secret, secret.length - 1)),
    rounds: 2_000,
  },
  {
    name: 'token: unknown, or wrong in its last character',
    one: bearer(secretOf('cwpat_', 'unknown')),
    other: bearer(altered(person!.token, person!.token.length - 1)),
    rounds: 2_000,
  },
  {
    name: 'token: not in our format, or in our format',
    one: bearer('x'.repeat(49)),
    other: bearer(secretOf('cwpat_', 'unknown')),
    rounds: 2_000,
  },
  // Few: after ten of each the rate limit answers.
  {
    name: 'password: unknown person, or a wrong one of a person',
    one: password('unknown-person'),
    other: password(person!.username),
    rounds: 9,
  },
];

const median = (values: readonly number[], share = 0.5) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)]!;

try {
  await store.pool.query('update applications set secret_digest = $2 where uid = $1', [uid, digestOf(secret)]);
  const env = {
    DATABASE_URL: store.url,
    CAUSEWAY_SECRET_KEY: secretKey,
    CAUSEWAY_DEMO: 'off',
    CAUSEWAY_ACCESS_LOG: 'off',
    PORT: '0',
  };
  const server = await startServer([process.execPath, join(root, 'dist/cli.js'), 'start'], env, { cores: 1 });
  pinLoad();
  /** Microseconds until the response is complete. */
  const time = async ({ path, headers, form }: Request) => {
    const body = form && new URLSearchParams(form);
    const startedAt = performance.now();
    await (
      await fetch(server.origin + path, {
        method: body ? 'POST' : 'GET',
        headers: headers ?? {},
        ...(body && { body }),
      })
    ).text();
    return (performance.now() - startedAt) * 1_000;
  };
  const line = (...cells: readonly string[]) => process.stdout.write(`| ${cells.join(' | ')} |\n`);
  line('refused alike', 'first, µs', 'second, µs', 'difference, µs', 'the middle half of the first, µs');
  line('---', '--:', '--:', '--:', '--:');
  for (const { name, one, other, rounds } of pairs) {
    const [first, second]: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round++) {
      const order =
        round % 2 === 0
          ? ([
              [one, first],
              [other, second],
            ] as const)
          : ([
              [other, second],
              [one, first],
            ] as const);
      for (const [request, times] of order) {
        const taken = await time(request);
        // The first tenth warms up.
        if (round >= rounds / 10) times.push(taken);
      }
    }
    const figure = (value: number) => value.toFixed(0);
    line(
      name,
      figure(median(first)),
      figure(median(second)),
      figure(median(second) - median(first)),
      `${figure(median(first, 0.25))} to ${figure(median(first, 0.75))}`,
    );
  }
  await server.stop();
} finally {
  await store.stop();
}
