import { Worker } from 'node:worker_threads';
import { escapedText } from './html-lines.ts';

/** The lines of a text as safe HTML: coloured, if the name of its file says what it is, and if it isn't too long. */
export type Highlighter = (name: string, text: string) => Promise<readonly string[]>;

interface Task {
  readonly name: string;
  readonly text: string;
  /** @param lines undefined if it can't be coloured */
  readonly done: (lines: readonly string[] | undefined) => void;
}

/** Characters of a text that is coloured. */
const longest = 256 * 1024;
/** Texts that wait. Any other isn't coloured. */
const mostWaiting = 20;
/** Milliseconds for one text, which may be made to take very long, and for one that waits for a thread to begin. */
const patience = 1_500;
const patienceAtFirst = 6_000;
/** Milliseconds that a page waits for its turn. */
const waitingTime = 3_000;
/** Milliseconds after which an idle thread ends. */
const idleTime = 60_000;

/**
 * Colours source code in a thread of its own, one text after the other: the thread begins with the first text, and ends
 * when it takes too long. What isn't coloured is shown all the same.
 * @param program the file of the thread's program
 */
export function highlighter(program: string): Highlighter {
  const waiting: Task[] = [];
  let current: Task | undefined;
  let worker: Worker | undefined;
  let timer: NodeJS.Timeout | undefined;

  function finish(lines: readonly string[] | undefined) {
    const done = current?.done;
    current = undefined;
    clearTimeout(timer);
    done?.(lines);
    next();
  }

  /** Ends the thread; the next text gets another. */
  function end() {
    const ended = worker;
    worker = undefined;
    ended?.removeAllListeners();
    // Whatever it still says is of no interest.
    ended?.on('error', () => undefined);
    void ended?.terminate();
  }

  function start(): Worker {
    const started = new Worker(program, { resourceLimits: { maxOldGenerationSizeMb: 128 } });
    started.unref();
    started.on('message', finish);
    started.on('error', () => {
      end();
      finish(undefined);
    });
    started.on('exit', () => {
      end();
      finish(undefined);
    });
    return started;
  }

  function next() {
    if (current) return;
    current = waiting.shift();
    if (!current) {
      timer = setTimeout(end, idleTime).unref();
      return;
    }
    const { name, text } = current;
    clearTimeout(timer);
    timer = setTimeout(
      () => {
        end();
        finish(undefined);
      },
      worker ? patience : patienceAtFirst,
    );
    worker ??= start();
    worker.postMessage({ name, text });
  }

  const turn = (name: string, text: string) =>
    new Promise<readonly string[] | undefined>((done) => {
      const task: Task = { name, text, done };
      waiting.push(task);
      setTimeout(() => {
        const at = waiting.indexOf(task);
        if (at < 0) return;
        waiting.splice(at, 1);
        done(undefined);
      }, waitingTime).unref();
      next();
    });

  return async (name, text) => {
    // Lines end where git ends them.
    const unified = text.replaceAll('\r\n', '\n').replaceAll('\r', '␍').replace(/\n$/, '');
    const coloured = unified.length > longest || waiting.length >= mostWaiting ? undefined : await turn(name, unified);
    return coloured ?? unified.split('\n').map(escapedText);
  };
}
