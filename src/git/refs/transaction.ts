import { Broken, Conflict, GitError, Mismatch, NotFound, TimedOut } from '../errors.ts';
import { deferred, type Deferred } from '../deferred.ts';
import { checkedObject, checkedRef, noObject } from '../names/refs.ts';
import type { Repository } from '../repository.ts';
import { failureOf, type Job } from '../runner/index.ts';

/** A change of one reference. */
export interface RefChange {
  /** The full name. */
  readonly ref: string;
  /** What it must hold now; undefined: it must not exist. */
  readonly old: string | undefined;
  /** What it will hold; undefined: it is deleted. */
  readonly new: string | undefined;
}

/**
 * Changes that git has locked and compared with the expected values, and that happen with `commit`. Between, a database
 * transaction can record them: whatever dies then, the record says what to repeat.
 */
export interface PreparedChanges {
  /** Makes the changes. @throws Broken if the process died: the caller looks which value the references have */
  commit(): Promise<void>;
  /** Lets go of the locks; nothing changes. Never throws. */
  abort(): Promise<void>;
}

/** Milliseconds that prepared changes may wait for `commit`. */
const longestWait = 30_000;

/**
 * Locks references and compares their values: all or none.
 * @throws Mismatch when one has another value, or its lock is held; Conflict ('hierarchy') for `a` beside `a/b`;
 *   NotFound for an object or repository that doesn't exist; Busy, TimedOut, Broken
 */
export async function prepareChanges(
  repository: Repository,
  changes: readonly RefChange[],
  signal?: AbortSignal,
): Promise<PreparedChanges> {
  const commands = changes.map(({ ref, old, new: next }) =>
    next === undefined
      ? `delete ${checkedRef(ref)}\0${checkedObject(old!)}\0`
      : `update ${checkedRef(ref)}\0${checkedObject(next)}\0${old === undefined ? noObject : checkedObject(old)}\0`,
  );
  const job = await repository.start(['update-ref', '--stdin', '-z'], {
    kind: 'refs',
    input: true,
    milliseconds: longestWait,
    signal,
  });
  const answers = new Answers(job);
  try {
    job.input.write(`start\0${commands.join('')}prepare\0`);
    await answers.expect('start');
    await answers.expect('prepare');
  } catch (error) {
    job.stop();
    throw await refusalOf(job, error, signal);
  }
  return {
    async commit() {
      try {
        job.input.write('commit\0');
        await answers.expect('commit');
      } catch (error) {
        throw await refusalOf(job, error, signal);
      } finally {
        job.input.end();
        job.output.destroy();
      }
    },
    async abort() {
      // The end of its input without `commit` makes git let go.
      job.input.end();
      await job.ended;
      job.output.destroy();
    },
  };
}

/**
 * Changes references, all or none.
 * @throws as `prepareChanges`
 */
export async function changeRefs(
  repository: Repository,
  changes: readonly RefChange[],
  signal?: AbortSignal,
): Promise<void> {
  if (changes.length === 0) return;
  const prepared = await prepareChanges(repository, changes, signal);
  await prepared.commit();
}

/** The lines `start: ok`, `prepare: ok`, `commit: ok`. */
class Answers {
  #text = '';
  #over = false;
  #waiting: { readonly line: string; readonly answer: Deferred<void> } | undefined;

  constructor({ output }: Job) {
    output.on('data', (bytes: Buffer) => {
      this.#text += bytes.toString('latin1');
      this.#look();
    });
    output.once('close', () => {
      this.#over = true;
      this.#look();
    });
    output.once('end', () => {
      this.#over = true;
      this.#look();
    });
  }

  /** Waits for the answer to a command. @throws Broken when the process ends instead */
  expect(command: string): Promise<void> {
    const answer = deferred<void>();
    this.#waiting = { line: `${command}: ok\n`, answer };
    this.#look();
    return answer.promise;
  }

  #look(): void {
    if (!this.#waiting) return;
    const { line, answer } = this.#waiting;
    if (this.#text.startsWith(line)) {
      this.#text = this.#text.slice(line.length);
      this.#waiting = undefined;
      answer.resolve();
    } else if (this.#over) {
      this.#waiting = undefined;
      answer.reject(new Broken('Git ended.'));
    }
  }
}

/** What git's last words mean. */
const refusals: readonly [RegExp, (found: RegExpExecArray) => GitError][] = [
  [/not a git repository/, () => new NotFound('The repository does not exist.')],
  [
    /'(?<ref>refs\/[^']+)' exists; cannot create '(?<other>refs\/[^']+)'/,
    ({ groups }) => hierarchy(groups!.other!, groups!.ref!),
  ],
  [
    /cannot process '(?<other>refs\/[^']+)' and '(?<ref>refs\/[^']+)' at the same time/,
    ({ groups }) => hierarchy(groups!.other!, groups!.ref!),
  ],
  [
    /there is a non-empty directory .* blocking reference '(?<ref>refs\/[^']+)'/,
    ({ groups }) => hierarchy(groups!.ref!),
  ],
  [/Unable to create .*\.lock': (?:Not a directory|Is a directory)/, () => hierarchy()],
  [
    /cannot lock ref '(?<ref>[^']+)': (?:is at|reference already exists|reference is missing|unable to resolve reference)/,
    ({ groups }) => new Mismatch(groups!.ref!),
  ],
  [
    /trying to write (?:ref .* with )?(?:nonexistent|non-commit) object/,
    () => new NotFound('The object does not exist.'),
  ],
];

const hierarchy = (...names: string[]) =>
  new Conflict('hierarchy', 'The name conflicts with the existing hierarchy of names.', names);

async function refusalOf(job: Job, error: unknown, signal?: AbortSignal): Promise<unknown> {
  const ended = await job.ended;
  if (signal?.aborted) return signal.reason;
  if (ended.cause === 'time') return new TimedOut();
  for (const [pattern, make] of refusals) {
    const found = pattern.exec(ended.stderr);
    if (found) return make(found);
  }
  return ended.code === 0 ? error : failureOf(ended, signal);
}
