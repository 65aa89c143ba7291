import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { GraphQLSchema } from 'graphql';
import { domainError, gitContext, type Application, type Context } from '../context.ts';
import { Unauthenticated } from '../errors.ts';
import type { Channel } from '../git/transport/channel.ts';
import { beginTransfer, callOf, header, reportDefect, streamed, type Door, type Exchange } from '../http/index.ts';
import type { Limits } from '../limits/index.ts';
import type { Log } from '../observability/index.ts';
import { compileOperation, type Operation } from '../operation.ts';
import { gitHeaders, notAllowed, notOffered, refuse, refuseThrown } from './answers.ts';
import { counted } from './counted.ts';
import { readCredential, readRequest, type GitRequest, type ServiceName } from './request.ts';

/** The operation that opens a channel. */
const sources: Readonly<Record<ServiceName, string>> = {
  'git-upload-pack': 'query ($project: String!) { opened: gitUploadPack(project: $project) { fullPath channel } }',
  'git-receive-pack': 'mutation ($project: String!) { opened: gitReceivePack(project: $project) { fullPath channel } }',
};
type Opening = Operation<{ opened: { fullPath: string; channel: Channel } }>;
type Asked = Extract<GitRequest, { asks: 'advertisement' | 'exchange' }>;

/** The operations of the door. */
export const compileGit = (schema: GraphQLSchema): Readonly<Record<ServiceName, Opening>> => ({
  'git-upload-pack': compileOperation(schema, sources['git-upload-pack']),
  'git-receive-pack': compileOperation(schema, sources['git-receive-pack']),
});

/**
 * The door of git over HTTP: asks an operation whether someone may fetch or push, and passes bytes between the client and
 * the channel that it returns, at the pace of both.
 */
export function gitHttpDoor(application: Application, schema: GraphQLSchema, limits: Limits, log: Log): Door {
  let operations: ReturnType<typeof compileGit> | undefined;

  async function open(exchange: Exchange, { project, service }: Asked): Promise<Channel> {
    const sent = readCredential(exchange);
    if (sent === undefined) throw new Unauthenticated();
    const operation = (operations ??= compileGit(schema))[service];
    const variables = { project };
    const reading = gitContext(application, sent, callOf(exchange), operation.prefetch(variables)).then(
      async (context: Context) => {
        exchange.notes.viewer = context.viewer.person?.id;
        operation.admit(context);
        const { opened } = await operation.execute(context, variables);
        return { context, channel: opened.channel };
      },
    );
    return (await counted(limits, exchange, sent, reading)).channel;
  }

  async function serve(exchange: Exchange, asked: Asked): Promise<Response> {
    const { asks, service } = asked;
    const body = asks === 'exchange' ? bodyType(exchange, service) : undefined;
    if (body === 'unknown') return refuse(exchange, unsupported);
    const channel = await open(exchange, asked);
    const { body: stream, signal } = beginTransfer(exchange);
    const report = (error: unknown) => reportFailure(log, exchange, error);
    const length = Number(header(exchange, 'content-length') ?? NaN);
    const how = { protocol: header(exchange, 'git-protocol'), signal, report, length };
    const answer =
      asks === 'advertisement'
        ? await channel.advertise(how)
        : await channel.exchange(body === 'gzip' ? inflated(stream!) : stream!, how);
    const type = `application/x-${service}-${asks === 'advertisement' ? 'advertisement' : 'result'}`;
    const headers = { ...gitHeaders, 'content-type': type };
    return streamed(exchange, { status: 200, headers, body: answer }, report);
  }

  const door = async (exchange: Exchange): Promise<Response> => {
    const asked = readRequest(exchange);
    exchange.notes.route = `git ${asked.asks}`;
    switch (asked.asks) {
      case 'nothing':
        return refuse(exchange, notOffered);
      case 'unreadable':
        return refuse(exchange, { status: 400, text: 'Bad Request' });
      case 'files':
        return refuse(exchange, notAllowed);
      case 'method':
        return refuse(exchange, { status: 405, text: 'Method Not Allowed', headers: { allow: asked.allow } });
      case 'redirect':
        return refuse(exchange, { status: 301, text: 'Moved Permanently', headers: { location: asked.to } });
    }
    exchange.notes.route = `${asked.service} ${asked.asks}`;
    try {
      return await serve(exchange, asked);
    } catch (error) {
      // The client disconnected; no one reads an answer.
      if (exchange.request.signal.aborted) return refuse(exchange, notOffered);
      return refuseThrown(exchange, error, asked.service, () => reportFailure(log, exchange, error));
    }
  };
  return Object.assign(door, { streams: true });
}

const unsupported = { status: 415, text: 'Unsupported Media Type' } as const;

/** How a body is packed; `unknown` for one that no client of git sends. */
function bodyType(exchange: Exchange, service: ServiceName): 'gzip' | 'plain' | 'unknown' {
  if (header(exchange, 'content-type') !== `application/x-${service}-request`) return 'unknown';
  const encoding = header(exchange, 'content-encoding')?.trim().toLowerCase() ?? 'identity';
  if (encoding === 'gzip' || encoding === 'x-gzip') return 'gzip';
  return encoding === 'identity' ? 'plain' : 'unknown';
}

/** Decompresses a body as it comes. The reader bounds what comes out. */
function inflated(body: Readable): Readable {
  const gunzip = createGunzip();
  pipeline(body, gunzip).catch(() => undefined);
  return gunzip;
}

/** What git says about its failure is for the log, never for people (contract S28). */
function reportFailure(log: Log, exchange: Exchange, error: unknown): void {
  if (exchange.request.signal.aborted) return;
  const detail = (error as { detail?: string }).detail;
  if (detail) log.warn({ requestId: exchange.id, path: exchange.path, git: detail }, 'git failed');
  // The client sees what a known error means.
  else if (!domainError(error)) reportDefect(log, exchange, error);
}
