import { setTimeout as pause } from 'node:timers/promises';
import { promised, rounded, type Promised } from './promised.ts';
import { defectsOf, timeouts, type Gateway } from './gateways.ts';
import { calls, encoded, numberOf, rotate, tryOf, type Call, type Load, type Outcome } from './load.ts';

/** Runs one statement on the gateways' database. */
export type Sql = <Row extends object>(text: string, values: unknown[]) => Promise<Row[]>;

/** Milliseconds beyond a request's timeout: the gateway checks four times a second, and both sides may be delayed. */
const allowance = 1_000;

/** Checks what must hold after any fault. Called when the load has stopped and the fault is over. */
export async function verify(gateways: readonly Gateway[], load: Load, sql: Sql): Promise<Promised[]> {
  const ask = (gateway: Gateway, call: Call) => persistently(load, gateway, call);
  return [
    ...(await writes(gateways, load, ask, sql)),
    await revocations(gateways, load, ask),
    longest(load),
    answers(load),
    defects(gateways),
  ];
}

/** Retries until the response isn't a temporary failure. */
export async function persistently(load: Load, gateway: Gateway, call: Call): Promise<Outcome> {
  for (let tries = 1; ; tries++, await pause(100)) {
    const outcome = await load.ask(gateway, call);
    if ((outcome.status !== 0 && outcome.status !== 503) || tries === 20) return outcome;
  }
}

async function writes(
  gateways: readonly Gateway[],
  { ledger }: Load,
  ask: (gateway: Gateway, call: Call) => Promise<Outcome>,
  sql: Sql,
): Promise<Promised[]> {
  const lost: string[] = [];
  const numbers = await Promise.all(
    [...ledger.settings].map(async ([person, setting]) => {
      for (const gateway of gateways) {
        const { status, text } = await ask(gateway, calls.setting(person));
        const value = status === 200 ? numberOf(text) : Number.NaN;
        // A long fault counts beyond what the events encode, and begins again.
        const ahead = (value - (setting.acknowledged % encoded) + encoded) % encoded;
        if (!(ahead <= setting.attempted - setting.acknowledged)) {
          lost.push(`a setting is ${value}, acknowledged ${setting.acknowledged}, attempted ${setting.attempted}`);
        }
      }
      return setting.acknowledged;
    }),
  );

  const acknowledged = ledger.made.filter(({ token }) => token !== undefined);
  const stored = await sql<{ name: string; count: number }>(
    'select name, count(*)::int as count from personal_access_tokens where name = any($1) group by name',
    [ledger.made.map(({ name }) => name)],
  );
  const counts = new Map(stored.map(({ name, count }) => [name, count]));
  for (const { name } of acknowledged)
    if (counts.get(name) !== 1) lost.push(`the token ${name} exists ${counts.get(name) ?? 0} times`);
  for (const [name, count] of counts) if (count > 1) lost.push(`the token ${name} exists ${count} times`);
  for (const { token } of acknowledged.filter((made) => !ledger.doubtful.has(made.token!))) {
    const { status } = await ask(gateways[0]!, calls.user(token!));
    if (status !== 200) lost.push(`a created token is answered ${status}`);
  }

  let rotations = 0;
  for (const family of ledger.families) {
    // A rotation whose response was lost is repeated with the same result, so one more settles it.
    const { wanted, status, text } = await rotate(family, (call) => ask(gateways[0]!, call));
    if (!wanted) lost.push(`a family can’t go on: ${status} ${text.slice(0, 120)}`);
    const [rows] = await sql<{ all: number; live: number }>(
      'select count(*)::int as all, count(*) filter (where rotated_at is null)::int as live from refresh_tokens where grant_id = $1',
      [family.person.grant],
    );
    rotations += family.refreshTokens.size;
    if (rows!.all !== family.refreshTokens.size + 1 || rows!.live !== 1) {
      lost.push(
        `a family of ${family.refreshTokens.size + 1} refresh tokens has ${rows!.all}, of them ${rows!.live} not rotated`,
      );
    }
  }
  const seen = `${numbers.reduce((sum, value) => sum + value, 0)} changes of settings, ${acknowledged.length} tokens made, ${rotations} rotations`;
  return [
    promised(
      'Every acknowledged write is stored once.',
      lost.length > 0 ? `${seen}; ${listed(lost)}` : seen,
      lost.length === 0,
    ),
  ];
}

async function revocations(
  gateways: readonly Gateway[],
  { ledger }: Load,
  ask: (gateway: Gateway, call: Call) => Promise<Outcome>,
): Promise<Promised> {
  const working = [...ledger.usedAfterwards];
  for (const token of ledger.revoked) {
    for (const gateway of gateways) {
      const { status } = await ask(gateway, tryOf(token));
      if (status !== 401) working.push(`answered ${status} afterwards`);
    }
  }
  const seen = `${ledger.revoked.size} revoked, refused ${ledger.triedAfterwards} times meanwhile, and afterwards at every gateway`;
  return promised(
    'No revoked credential works, at any gateway.',
    working.length > 0 ? `${seen}; ${listed(working)}` : seen,
    working.length === 0,
  );
}

function longest({ outcomes }: Load): Promised {
  const late = outcomes.filter(({ milliseconds }) => milliseconds > timeouts.request + allowance);
  const [most] = outcomes.toSorted((one, other) => other.milliseconds - one.milliseconds);
  const seen = `the longest of ${outcomes.length.toLocaleString('en')} took ${rounded(most?.milliseconds ?? 0)}`;
  return promised(
    `No request takes longer than its timeout (${timeouts.request / 1_000} s).`,
    late.length > 0 ? `${seen} (${most!.dialect}, answered ${most!.status}); ${late.length} took longer` : seen,
    late.length === 0,
  );
}

function answers({ outcomes }: Load): Promised {
  const failed = outcomes.filter(({ wanted }) => !wanted);
  const wrong = failed.filter((outcome) => outcome.wrong !== undefined).map((outcome) => outcome.wrong!);
  const refused = failed.filter(({ status }) => status === 503 || status === 200);
  const cut = failed.filter(({ status }) => status === 0).length;
  const kinds = [...new Set(refused.map(({ dialect }) => dialect))].sort().join(', ');
  const seen = `${refused.length} of 503${kinds && ` (${kinds})`}, ${cut} without an answer`;
  return promised(
    'Failures are answered 503 in the form of their door, and show no internals.',
    wrong.length > 0 ? `${seen}; ${listed(wrong)}` : seen,
    wrong.length === 0,
  );
}

function defects(gateways: readonly Gateway[]): Promised {
  const found = gateways.flatMap(defectsOf);
  return promised(
    'No gateway logs a defect.',
    found.length > 0 ? listed(found.map((line) => line.slice(0, 400))) : 'none',
    found.length === 0,
  );
}

/** Some of them, and how many there are. */
function listed(all: readonly string[]): string {
  const kinds = [...new Set(all)];
  return `${all.length} ×: ${kinds.slice(0, 3).join(' | ')}`;
}

/** A part of the load in which nothing may fail. */
export function allAnswered(promise: string, outcomes: readonly Outcome[]): Promised {
  const failed = outcomes.filter(({ wanted }) => !wanted);
  const first = failed[0];
  const seen = `${failed.length} of ${outcomes.length} failed${first ? ` (the first: ${first.dialect} ${first.status} ${first.text.slice(0, 80)})` : ''}`;
  return promised(promise, seen, failed.length === 0 && outcomes.length > 0);
}

/** A part of the load in which a small share may be refused. */
export function share(promise: string, outcomes: readonly Outcome[], least: number): Promised {
  const good = outcomes.filter(({ wanted }) => wanted).length;
  return promised(promise, `${good} of ${outcomes.length}`, outcomes.length > 0 && good / outcomes.length >= least);
}
