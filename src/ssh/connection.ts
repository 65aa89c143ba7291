import type { Socket } from 'node:net';
import type { Connection as Client, ServerChannel, Session } from 'ssh2';
import { Authentication } from './authentication.ts';
import type { Bounds } from './bounds.ts';
import { readCommand } from './command.ts';
import { serve, type Service } from './session.ts';

/** Only this version is passed on; any other client gets the first one. */
const newProtocol = 'version=2';

/** One connection: who it is, and its commands. */
export class Connection {
  readonly #service: Service;
  readonly #bounds: Bounds;
  readonly #socket: Socket;
  readonly #address: string;
  readonly #authentication: Authentication;
  readonly #commands = new Set<ServerChannel>();
  #client: Client | undefined;
  #sessions = 0;
  #timer: NodeJS.Timeout;
  #stopping = false;

  constructor(service: Service, bounds: Bounds, socket: Socket, address: string) {
    this.#service = service;
    this.#bounds = bounds;
    this.#socket = socket;
    this.#address = address;
    this.#authentication = new Authentication(service.application, bounds.attempts);
    this.#timer = this.#endAfter(bounds.handshake);
    socket.once('close', () => clearTimeout(this.#timer));
    socket.on('timeout', () => socket.destroy());
  }

  /** The client has said what it speaks. @param known is called when a key is proved */
  begin(client: Client, known: () => void): void {
    this.#client = client;
    // A client that breaks the protocol, or is gone; the socket is closed then.
    client.on('error', () => this.#socket.destroy());
    client.on('authentication', (attempt) => {
      this.#authentication.decide(attempt).then(
        (again) => void (again || this.end()),
        (error: Error) => {
          this.#service.log.error({ error: error.message, address: this.#address }, 'an SSH key can’t be looked up');
          this.#socket.destroy();
        },
      );
    });
    client.on('ready', () => {
      known();
      this.#rest();
    });
    client.on('session', (accept, reject) => {
      if (this.#stopping || this.#sessions >= this.#bounds.channels) return void reject();
      this.#sessions++;
      const session = accept();
      session.on('close', () => this.#sessions--);
      this.#open(session);
    });
  }

  /** Waits for commands, which may still come for a while. */
  #rest(): void {
    clearTimeout(this.#timer);
    this.#socket.setTimeout(0);
    if (this.#stopping) this.end();
    else this.#timer = this.#endAfter(this.#bounds.idle);
  }

  /** A session takes one command. What isn't listened for, such as terminals, forwarding and subsystems, is refused. */
  #open(session: Session): void {
    let protocol: string | undefined;
    let isUsed = false;
    session.on('env', (accept, reject, { key, val }) => {
      if (key !== 'GIT_PROTOCOL' || val !== newProtocol) return void reject?.();
      protocol = val;
      accept?.();
    });
    const run = (accept: () => ServerChannel, reject: (() => void) | undefined, text: string) => {
      if (isUsed) return void reject?.();
      isUsed = true;
      this.#run(accept(), text, protocol).catch((error: Error) => {
        this.#service.log.error({ error: error.message, stack: error.stack }, 'a command over SSH failed');
        this.#socket.destroy();
      });
    };
    session.on('exec', (accept, reject, { command }) => run(accept, reject, command));
    session.on('shell', (accept, reject) => run(accept, reject, ''));
  }

  async #run(channel: ServerChannel, text: string, protocol: string | undefined): Promise<void> {
    const gone = new AbortController();
    this.#commands.add(channel);
    clearTimeout(this.#timer);
    const command = readCommand(text);
    const isPush = command.asks === 'git' && command.service === 'git-receive-pack';
    this.#socket.setTimeout(isPush ? this.#bounds.quietPush : this.#bounds.quiet);
    const closed = new Promise<void>((resolve) => {
      channel.once('close', () => {
        gone.abort();
        resolve();
      });
    });
    // The connection broke under it.
    channel.on('error', () => gone.abort());
    const asked = { text, key: this.#authentication.key!, address: this.#address, protocol, signal: gone.signal };
    await serve(this.#service, channel, asked);
    await closed;
    this.#commands.delete(channel);
    if (this.#commands.size === 0) this.#rest();
  }

  /** Ends the connection once its commands are done. */
  drain(): void {
    this.#stopping = true;
    if (this.#commands.size === 0) this.end();
  }

  /** Ends it in the words of the protocol, and a second later in any case. */
  end(): void {
    clearTimeout(this.#timer);
    this.#timer = this.#endAfter(lastWords);
    if (this.#client) this.#client.end();
    else this.#socket.destroy();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #endAfter(milliseconds: number): NodeJS.Timeout {
    return setTimeout(() => this.#socket.destroy(), milliseconds).unref();
  }
}

/** Milliseconds that a client has to take the last message. */
const lastWords = 1_000;
