import { pino } from 'pino';

/** Milliseconds until buffered output is written. */
const pause = 100;
/** Characters written at once: the capacity of a pipe. Each write has a fixed cost. */
const chunk = 65_536;
/** Maximum number of bytes buffered for a slow reader of the log. Beyond that, lines are dropped. */
const maxBuffered = 16 * 1_048_576;

/** Buffered standard output, shared by every log of the process. */
export interface Output {
  /** Buffers a whole line with its line end; it is written within a tenth of a second. */
  write(line: string): void;
  /** Writes everything buffered before it returns. */
  flushNow(): void;
  /** Resolves when everything buffered was written, as far as the reader accepts it. */
  flush(): Promise<void>;
}

let shared: Output | undefined;

export function output(): Output {
  shared ??= open();
  return shared;
}

/**
 * Opens standard output. Lines are written in the background: a slow reader of the log doesn't delay requests. The
 * buffer is flushed when the process ends, even after an error.
 */
function open(): Output {
  const destination = pino.destination({ dest: 1, sync: false, maxLength: maxBuffered });
  // A reader that went away must not end the process.
  destination.on('error', () => undefined);
  let buffered = '';
  let timer: NodeJS.Timeout | undefined;
  function handOver(): void {
    clearTimeout(timer);
    timer = undefined;
    const text = buffered;
    buffered = '';
    if (text !== '') destination.write(text);
  }
  function flushNow(): void {
    handOver();
    try {
      destination.flushSync();
    } catch {
      // No reader is left.
    }
  }
  process.on('exit', flushNow);
  return {
    write(line) {
      buffered += line;
      if (buffered.length >= chunk) handOver();
      else timer ??= setTimeout(handOver, pause).unref();
    },
    flushNow,
    flush() {
      handOver();
      return new Promise((resolve) => destination.flush(() => resolve()));
    },
  };
}
