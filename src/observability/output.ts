import { pino } from 'pino';

/** Milliseconds until what was written is on its way. */
const pause = 100;
/** Characters that are written at once: as much as a pipe takes. Handing over costs more than what is handed over. */
const chunk = 65_536;
/** Bytes that wait for a reader of the log at most; of what comes then, the rest is dropped, and the gateway goes on. */
const most = 16 * 1_048_576;

/** Standard output, gathered for a moment. Shared by every log of the process. */
export interface Output {
  /** A whole line, with its end. It is on its way within a tenth of a second. */
  write(line: string): void;
  /** Hands over all that was written, before it returns. */
  flushNow(): void;
  /** Resolves when all that was written is handed over, as far as a reader takes it. */
  flush(): Promise<void>;
}

let shared: Output | undefined;

export function output(): Output {
  shared ??= open();
  return shared;
}

/**
 * Written in the background: who reads the log slowly doesn't hold up requests.
 * What a process has gathered goes out when it ends, also when it ends over an error.
 */
function open(): Output {
  const destination = pino.destination({ dest: 1, sync: false, maxLength: most });
  // A reader that went away is no reason to end.
  destination.on('error', () => undefined);
  let gathered = '';
  let timer: NodeJS.Timeout | undefined;
  function handOver(): void {
    clearTimeout(timer);
    timer = undefined;
    const text = gathered;
    gathered = '';
    if (text !== '') destination.write(text);
  }
  function flushNow(): void {
    handOver();
    try {
      destination.flushSync();
    } catch {
      // Nobody is left to be told.
    }
  }
  process.on('exit', flushNow);
  return {
    write(line) {
      gathered += line;
      if (gathered.length >= chunk) handOver();
      else timer ??= setTimeout(handOver, pause).unref();
    },
    flushNow,
    flush() {
      handOver();
      return new Promise((resolve) => destination.flush(() => resolve()));
    },
  };
}
