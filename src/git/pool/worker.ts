import { Broken, NotFound, TimedOut } from '../errors.ts';
import type { Command, Job, Runner } from '../runner/index.ts';

/** A question to a long-lived process. */
export interface Question {
  /** What is written to its stdin. */
  readonly text: string;
  /** How often a process died while it worked on this. */
  deaths: number;
  fail(error: Error): void;
}

/** Milliseconds that one answer may take. */
const patience = 30_000;

/**
 * A long-lived git process that answers one question after the other, in order. It is started with the first question,
 * and again when it died: questions that it hadn't answered are asked again. A question that kills it twice fails.
 */
export abstract class Worker<Q extends Question> {
  readonly #runner: Runner;
  readonly #command: Command;
  /** Answers after which the process is replaced, for those whose memory grows. */
  readonly #lifetime: number;
  /** What is written after the questions of a moment. */
  readonly #close: string;
  /** Questions of this moment, which are written together. */
  #unsent = '';
  /** Not answered yet, the oldest first. */
  protected readonly queue: Q[] = [];
  #job: Job | undefined;
  #starting = false;
  #answers = 0;
  #retired = false;
  #watch: NodeJS.Timeout | undefined;

  constructor(runner: Runner, command: Command, { lifetime = Infinity, close = '' } = {}) {
    this.#runner = runner;
    this.#command = command;
    this.#lifetime = lifetime;
    this.#close = close;
  }

  /** Bytes of the process; calls `answered` for each question that is answered with them. */
  protected abstract receive(bytes: Buffer): void;
  /** A new process: what the last one wrote is forgotten. */
  protected abstract reset(): void;

  protected ask(question: Q): void {
    this.queue.push(question);
    if (this.#job) {
      if (this.#unsent === '') process.nextTick(() => this.#send());
      this.#unsent += question.text;
      if (this.queue.length === 1) this.#expect();
    } else if (!this.#starting) void this.#start();
  }

  #send(): void {
    if (this.#unsent !== '') this.#job?.input.write(this.#unsent + this.#close);
    this.#unsent = '';
  }

  /** The oldest question has its answer. */
  protected answered(): void {
    this.queue.shift();
    this.#answers++;
    this.#expect();
    if (this.queue.length === 0 && (this.#retired || this.#answers >= this.#lifetime)) this.#leave();
  }

  /** The oldest question fails, and the process ends: the rest of its answer isn't wanted. The others are asked again. */
  protected giveUp(error: Error): void {
    this.queue.shift()?.fail(error);
    this.#leave();
    if (this.queue.length > 0) void this.#start();
  }

  /** Ends the process as soon as nothing is asked. It may be asked again, which starts a new one. */
  retire(): void {
    if (this.queue.length === 0) this.#leave();
    else this.#retired = true;
  }

  async #start(): Promise<void> {
    this.#starting = true;
    try {
      const job = await this.#runner.start(this.#command);
      this.#job = job;
      this.#answers = 0;
      this.reset();
      job.output.on('data', (bytes: Buffer) => {
        if (this.#job === job) this.receive(bytes);
      });
      // The end alone doesn't close the connection, since git's input is still open.
      job.output.once('end', () => void this.#lost(job)).once('close', () => void this.#lost(job));
      this.#expect();
      this.#unsent = this.queue.map(({ text }) => text).join('');
      this.#send();
    } catch (error) {
      for (const question of this.queue.splice(0)) question.fail(error as Error);
    } finally {
      this.#starting = false;
    }
  }

  /** The process ended by itself, or was killed. */
  async #lost(job: Job): Promise<void> {
    if (this.#job !== job) return;
    this.#job = undefined;
    this.#unwatch();
    job.output.destroy();
    this.#starting = true;
    const { stderr } = await job.ended;
    this.#starting = false;
    const [first] = this.queue;
    if (!first) return;
    const missing = /not a git repository/.test(stderr);
    if (missing || ++first.deaths > 1) {
      this.queue.shift();
      first.fail(missing ? new NotFound('The repository does not exist.') : new Broken('Git ended.', stderr));
    }
    if (this.queue.length > 0) await this.#start();
  }

  #leave(): void {
    const job = this.#job;
    this.#job = undefined;
    this.#retired = false;
    this.#unwatch();
    job?.output.destroy();
    job?.stop();
  }

  /** The next answer has its whole time. */
  #expect(): void {
    this.#watch ??= setTimeout(() => this.queue.length > 0 && this.giveUp(new TimedOut()), patience).unref();
    this.#watch.refresh();
  }

  #unwatch(): void {
    clearTimeout(this.#watch);
    this.#watch = undefined;
  }
}
