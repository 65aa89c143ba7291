/**
 * What the gateway and the git runner say to each other.
 *
 * One Unix socket, on which the gateway listens. The first connection is the control channel: frames of four bytes
 * length and JSON. For each job the runner opens a connection of the job's own, writes its 32-digit token, and hands
 * the connection to git as stdin and stdout. So bytes pass between gateway and git without a copy in between, the
 * kernel's buffers are the back-pressure, and a slow job doesn't hold up another.
 */

/** What a job is, for its bounds: see `kinds`. */
export type Kind = keyof typeof kinds;

/** The bounds of one kind of job. */
export interface Bounds {
  /** How many run at a time; undefined: as many as the machine's share allows (`share`). */
  readonly atOnce?: number;
  /** Whether it counts towards the share of 4 × cores. */
  readonly shared: boolean;
  /** At most so many of one owner at a time. */
  readonly perOwner?: number;
  /** Seconds until it is ended; 0: no limit. */
  readonly seconds: number;
  /** Seconds that it waits for its turn. */
  readonly patience: number;
  readonly nice: number;
}

export const kinds = {
  /** Long-lived readers, pooled by the gateway. */
  reader: { atOnce: 300, shared: false, seconds: 0, patience: 10, nice: 0 },
  /** Updates of references: a database transaction may wait for them, and they for it. */
  refs: { atOnce: 64, shared: false, seconds: 60, patience: 10, nice: 0 },
  /** Short commands. */
  command: { shared: true, seconds: 30, patience: 30, nice: 10 },
  /** One large blob to a reader who may be slow. */
  stream: { atOnce: 64, shared: false, seconds: 3_600, patience: 30, nice: 10 },
  /** Fetches and pushes. Two places of the share stay free for commands. */
  transfer: { shared: true, perOwner: 2, seconds: 3_600, patience: 120, nice: 10 },
  /** Archives. */
  heavy: { atOnce: 2, shared: true, perOwner: 2, seconds: 600, patience: 60, nice: 10 },
  /** Maintenance and copies. */
  upkeep: { atOnce: 1, shared: true, seconds: 3 * 3_600, patience: 3_600, nice: 15 },
} as const satisfies Record<string, Bounds>;

/** What the runner reads from its stdin at its start, as JSON. The end of its stdin ends it. */
export interface Setup {
  /** The socket of the gateway. */
  readonly socket: string;
  /** Opens the control channel: 32 hex digits. */
  readonly secret: string;
  /** The git program. */
  readonly git: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Jobs of the shared kinds at a time. */
  readonly share: number;
}

/** Asks for a job. */
export interface Start {
  readonly do: 'start';
  readonly id: number;
  readonly kind: Kind;
  /** Opens the job's connection. */
  readonly token: string;
  /** Opens the connection of its hooks, which get it as descriptors 3 and 4. */
  readonly hooks?: string;
  /** Whether the job's connection is its stdin too. */
  readonly input: boolean;
  /** Everything after `git`. */
  readonly args: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Whose job it is, for `perOwner`. */
  readonly owner?: string;
  /** Milliseconds until it is ended, where that differs from its kind's. */
  readonly milliseconds?: number;
}

/** Ends a job, or takes it out of the queue. */
interface Stop {
  readonly do: 'stop';
  readonly id: number;
}

export type Order = Start | Stop;

/** Why a job ended otherwise than by itself. */
export type Cause = 'stopped' | 'busy' | 'time' | 'spawn';

/** Reports that a job can't begin at once. */
interface Waits {
  readonly id: number;
  readonly waits: true;
}

/** Reports the end of a job. */
export interface Ended {
  readonly id: number;
  /** The exit code; null when a signal ended it or it never ran. */
  readonly code: number | null;
  readonly cause?: Cause;
  /** The first 8 KiB of its stderr. */
  readonly stderr: string;
}

export type Report = Waits | Ended;

/** The digits of a token. */
export const tokenLength = 32;
/** Longest frame: a command with thousands of object names. */
const longestFrame = 4 * 2 ** 20;

/** One frame. */
export function frame(message: Order | Report): Buffer {
  const text = Buffer.from(JSON.stringify(message));
  const head = Buffer.alloc(4);
  head.writeUInt32BE(text.length);
  return Buffer.concat([head, text]);
}

/** Cuts a stream of bytes into frames. @throws Error for a frame that is too long */
export class Frames<Message extends Order | Report> {
  #rest: Buffer = Buffer.alloc(0);

  /** @returns the messages that are complete with these bytes */
  push(bytes: Buffer): Message[] {
    this.#rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    const messages: Message[] = [];
    while (this.#rest.length >= 4) {
      const length = this.#rest.readUInt32BE();
      if (length > longestFrame) throw new Error('A frame is too long.');
      if (this.#rest.length < 4 + length) break;
      messages.push(JSON.parse(this.#rest.subarray(4, 4 + length).toString()) as Message);
      this.#rest = this.#rest.subarray(4 + length);
    }
    return messages;
  }
}
