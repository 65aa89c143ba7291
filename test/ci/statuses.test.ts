import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compositeStatus, hasWarnings, stagesOf, type JobState } from '../../src/ci/composite.ts';
import { durationOf } from '../../src/ci/durations.ts';
import { startOf, whens } from '../../src/ci/start.ts';
import { afterReport, jobTransitions, timesAfter, type JobEvent } from '../../src/ci/transitions.ts';
import { ciStatuses, reportedStatuses, type CiStatus } from '../../src/values/ci/statuses.ts';
import { runs } from '../support/run/runs.ts';

/** `failed?` is a job that may fail. */
const job = (word: string): JobState => ({
  status: word.replace('?', '') as CiStatus,
  allowFailure: word.endsWith('?'),
});

/**
 * The contract's table, written once more and in another way: each row is its text. W is a job that may fail and failed or
 * was canceled, I one that may fail and waits for somebody.
 */
const contract = `
only skipped I: skipped
only success skipped W I: success
only created W I: created
only preparing W I: preparing
only canceled success skipped W I: canceled
only pending created skipped W I: pending
any running pending: running
any waiting_for_resource: waiting_for_resource
any waiting_for_callback: waiting_for_callback
any manual: manual
any scheduled: scheduled
any preparing: preparing
any created: running
any canceling: canceling
else: failed`
  .trim()
  .split('\n')
  .map((line) => /^(only|any|else) ?(.*): (.*)$/.exec(line)!.slice(1) as [string, string, CiStatus]);

function byContract(jobs: readonly JobState[]): CiStatus | undefined {
  const letters = jobs.map(({ status, allowFailure }) => {
    if (allowFailure && ['failed', 'canceled'].includes(status)) return 'W';
    return allowFailure && status === 'manual' ? 'I' : status;
  });
  for (const [rule, words, status] of contract) {
    const among = (letter: string) => words.split(' ').includes(letter);
    if (rule === 'only' && letters.every(among)) return status;
    if (rule === 'any' && letters.some(among)) return status;
    if (rule === 'else') return status;
  }
  throw new Error('No row holds.');
}

const anyJob = fc.record({ status: fc.constantFrom(...ciStatuses), allowFailure: fc.boolean() });

describe('the status of a pipeline', () => {
  test.each([
    ['skipped manual?', 'skipped'],
    ['success skipped failed?', 'success'],
    ['failed?', 'success'],
    ['created canceled?', 'created'],
    ['canceled success', 'canceled'],
    ['pending created', 'pending'],
    ['pending success', 'running'],
    ['success manual', 'manual'],
    ['success manual?', 'success'],
    ['success created', 'running'],
    ['success failed', 'failed'],
    ['canceled failed', 'failed'],
    ['canceling success', 'canceling'],
  ])('of %s is %s', (words, status) => expect(compositeStatus(words.split(' ').map(job))).toBe(status));

  test('without jobs is not changed', () => expect(compositeStatus([])).toBeUndefined());

  test('is what the contract’s table says, whatever the jobs and their order', () => {
    fc.assert(
      fc.property(fc.array(anyJob, { minLength: 1, maxLength: 6 }), fc.nat(), (jobs, turn) => {
        const turned = jobs.map((_, index) => jobs[(index + turn) % jobs.length]!);
        expect(compositeStatus(jobs)).toBe(byContract(jobs));
        expect(compositeStatus(turned)).toBe(compositeStatus(jobs));
        expect(compositeStatus([...jobs, ...jobs])).toBe(compositeStatus(jobs));
      }),
      { numRuns: 2_000 * runs },
    );
  });

  test('has warnings where a job that may fail did', () => {
    expect(hasWarnings([job('success'), job('failed?')])).toBe(true);
    expect(hasWarnings([job('success'), job('failed'), job('success?')])).toBe(false);
  });

  test('comes with that of each stage, in their order', () => {
    const jobs = [
      { ...job('created'), stage: 'deploy', stageIndex: 2 },
      { ...job('success'), stage: 'build', stageIndex: 0 },
      { ...job('running'), stage: 'test', stageIndex: 1 },
      { ...job('success'), stage: 'test', stageIndex: 1 },
    ];
    expect(stagesOf(jobs).map(({ name, status, jobs: own }) => [name, status, own.length])).toEqual([
      ['build', 'success', 1],
      ['test', 'running', 2],
      ['deploy', 'created', 1],
    ]);
  });
});

describe('a reported status', () => {
  const said = (from: CiStatus, reported: (typeof reportedStatuses)[number]) => {
    const after = afterReport(from, reported);
    return typeof after === 'string' ? after : after.refusal;
  };
  const refusal = (event: string, from: string) =>
    `Cannot transition status via :${event} from :${from} (Reason(s): Status cannot transition via "${event}")`;

  test.each(reportedStatuses)('of something new becomes %s', (reported) =>
    expect(said('created', reported)).toBe(reported),
  );
  test.each(reportedStatuses.filter((one) => one !== 'pending'))('of something pending becomes %s', (reported) =>
    expect(said('pending', reported)).toBe(reported),
  );
  test.each([
    ['running', 'running', refusal('run', 'running')],
    ['pending', 'pending', refusal('enqueue', 'pending')],
    ['running', 'pending', refusal('enqueue', 'running')],
    ['running', 'skipped', refusal('skip', 'running')],
    ['success', 'success', refusal('success', 'success')],
    ['failed', 'canceled', refusal('cancel', 'failed')],
  ] as const)('of %s can’t be %s', (from, reported, text) => expect(said(from, reported)).toBe(text));

  test('never leaves what is finished, but by an explicit start', () => {
    const leaving = Object.entries(jobTransitions).filter(([, { from }]) =>
      (from as readonly CiStatus[]).some((one) => ['success', 'failed', 'canceled'].includes(one)),
    );
    expect(leaving.map(([event]) => event as JobEvent)).toEqual([]);
  });

  test('sets the times once, and takes the end back when it goes on', () => {
    const [first, later] = [new Date(1_000), new Date(2_000)];
    const none = { startedAt: null, finishedAt: null };
    const running = timesAfter(none, 'running', first);
    expect(running).toEqual({ startedAt: first, finishedAt: null });
    const done = timesAfter(running, 'success', later);
    expect(done).toEqual({ startedAt: first, finishedAt: later });
    expect(timesAfter(done, 'running', new Date(3_000))).toEqual({ startedAt: first, finishedAt: null });
    expect(timesAfter(none, 'canceled', later)).toEqual({ startedAt: null, finishedAt: later });
  });
});

describe('a job', () => {
  test.each([
    ['on_success', undefined, 'pending'],
    ['on_success', 'success', 'pending'],
    ['on_success', 'skipped', 'pending'],
    ['on_success', 'failed', 'skipped'],
    ['on_success', 'canceled', 'skipped'],
    ['on_success', 'running', 'wait'],
    ['on_success', 'manual', 'wait'],
    ['on_failure', 'failed', 'pending'],
    ['on_failure', 'success', 'skipped'],
    ['on_failure', 'pending', 'wait'],
    ['always', 'failed', 'pending'],
    ['always', 'skipped', 'pending'],
    ['always', 'canceled', 'skipped'],
    ['manual', 'success', 'manual'],
    ['manual', 'failed', 'skipped'],
    ['delayed', 'skipped', 'scheduled'],
  ] as const)('%s after %s: %s', (when, before, start) => expect(startOf(when, before)).toBe(start));

  test('is skipped with a job that it needs, unless it always runs', () => {
    for (const when of whens)
      expect(startOf(when, 'success', { anySkipped: true })).toBe(when === 'always' ? 'pending' : 'skipped');
  });
});

test('overlapping jobs count once, and gaps don’t count', () => {
  const ran = (from: number, to: number | null) => ({
    startedAt: new Date(from * 1000),
    finishedAt: to === null ? null : new Date(to * 1000),
  });
  expect(durationOf([], new Date())).toBeNull();
  expect(durationOf([{ startedAt: null, finishedAt: new Date() }], new Date())).toBeNull();
  expect(durationOf([ran(0, 10), ran(5, 20), ran(30, 40), ran(31, 33)], new Date())).toBe(30);
  expect(durationOf([ran(0, null)], new Date(7_000))).toBe(7);
});
