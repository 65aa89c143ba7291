import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import type { ServerChannel } from 'ssh2';
import { domainError, keyContext, type Application, type Context } from '../context.ts';
import type { Channel } from '../git/transport/channel.ts';
import { refusalOf, type compileGit, type ServiceName } from '../git-http/index.ts';
import { counters } from '../counters.ts';
import type { Limits } from '../limits/index.ts';
import type { Log } from '../observability/index.ts';
import { readCommand, type Command } from './command.ts';

/** What serves commands. */
export interface Service {
  readonly application: Application;
  readonly operations: ReturnType<typeof compileGit>;
  readonly limits: Limits;
  readonly log: Log;
  /** Whether each command is logged. */
  readonly accessLog: boolean;
}

/** One command of a client. */
export interface Asked {
  readonly text: string;
  /** The fingerprint of the key, which was proved. */
  readonly key: Buffer;
  readonly address: string;
  /** The version of git's protocol that the client wants. */
  readonly protocol: string | undefined;
  /** Ends when the client is gone, or has to go. */
  readonly signal: AbortSignal;
}

/** What ends without git: an exit code, and a text for the person. */
interface Said {
  readonly code: number;
  readonly text: string;
}

const refused = (text: string): Said => ({ code: 1, text: `remote: \nremote: ERROR: ${text}\nremote: \n` });
const hidden = "The project you were looking for could not be found or you don't have permission to view it.";

/**
 * Runs one command: asks an operation whether the person may, and passes bytes between the client and the channel that it
 * returns, at the pace of both. No shell, no program that the client names, no environment of the client.
 */
export async function serve(service: Service, channel: ServerChannel, asked: Asked): Promise<void> {
  const { log, accessLog } = service;
  const requestId = randomUUID();
  const begun = performance.now();
  const command = readCommand(asked.text);
  const notes: Notes = { person: undefined };
  const report = (error: unknown) => reportFailure(log, requestId, asked, error);
  let said: Said;
  try {
    said = await answerTo(service, channel, asked, { command, requestId, notes, report });
  } catch (error) {
    report(error);
    const refusal = refusalOf(error, serviceOf(command), true);
    counters.sshCommands.count(refusal ? 'refused' : 'failed');
    said = refused(refusal?.text ?? `Internal error. Request id: ${requestId}`);
  }
  if (accessLog) {
    const what =
      command.asks === 'git' ? { service: command.service, project: command.project } : { asks: command.asks };
    const milliseconds = Math.round(performance.now() - begun);
    log.info(
      { requestId, address: asked.address, person: notes.person, ...what, code: said.code, milliseconds },
      'ssh',
    );
  }
  finish(channel, said);
}

interface Notes {
  person: number | undefined;
}

interface Around {
  readonly command: Command;
  readonly requestId: string;
  readonly notes: Notes;
  readonly report: (error: unknown) => void;
}

/** @throws a domain error for what may not be done, or an error of git */
async function answerTo(
  { application, limits, operations }: Service,
  channel: ServerChannel,
  { key, address, protocol, signal }: Asked,
  { command, requestId, notes, report }: Around,
): Promise<Said> {
  const call = { origin: { address, requestId } };
  // A command counts like a request of git over HTTP. There are no headers to say so in.
  const counted = async (reading: Promise<Context>) => {
    const context = await limits.counting({ address, headers: {} }, reading, ({ viewer }) => viewer);
    notes.person = context.viewer.person?.id;
    return context;
  };
  if (command.asks !== 'git') {
    // The person is looked up for every command: a key may have been removed since the connection began.
    const { viewer } = await counted(keyContext(application, key, call));
    counters.sshCommands.count('no git');
    switch (command.asks) {
      case 'missing':
        return refused(hidden);
      case 'archive':
        return refused('Archives are offered over HTTP only.');
      case 'nothing':
        return { code: 1, text: `Welcome, ${viewer.person?.username ?? 'deploy key'}. Causeway gives no shell.\n` };
    }
  }
  const operation = operations[command.service];
  const variables = { project: command.project };
  const context = await counted(keyContext(application, key, call, operation.prefetch(variables)));
  operation.admit(context);
  const { opened } = await operation.execute(context, variables);
  counters.sshCommands.count(command.service === 'git-receive-pack' ? 'push' : 'fetch');
  await pass(opened.channel, channel, { protocol, signal, report });
  return { code: 0, text: '' };
}

/** Passes what git says to the client, as fast as it reads. @throws errors of git */
async function pass(git: Channel, channel: ServerChannel, how: Parameters<Channel['converse']>[1]): Promise<void> {
  const answer = await git.converse(channel as unknown as Readable, how);
  for await (const chunk of answer) {
    how.signal?.throwIfAborted();
    if (!channel.write(chunk)) await once(channel, 'drain', { signal: how.signal! });
  }
}

/** Says the last words, and the exit code, and closes. The client may be gone. */
function finish(channel: ServerChannel, { code, text }: Said): void {
  if (channel.destroyed || !channel.writable) return;
  if (text !== '') channel.stderr.write(text);
  channel.exit(code);
  channel.end();
}

const serviceOf = (command: Command): ServiceName => (command.asks === 'git' ? command.service : 'git-upload-pack');

/** What git says about its failure is for the log, never for people (contract S28). */
function reportFailure(log: Log, requestId: string, { address, signal }: Asked, error: unknown): void {
  if (signal.aborted) return;
  const { detail, message, stack } = error as { detail?: string; message?: string; stack?: string };
  if (detail) log.warn({ requestId, address, git: detail }, 'git failed');
  // The client sees what a known error means.
  else if (!domainError(error)) log.error({ requestId, address, error: message, stack }, 'a command over SSH failed');
}
