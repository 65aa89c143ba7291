import type { Readable } from 'node:stream';
import type { GraphQLSchema } from 'graphql';
import type { Application } from '../context.ts';
import {
  beginTransfer,
  dropBody,
  header,
  parseForm,
  reportDefect,
  streamed,
  toResponse,
  type Door,
  type Exchange,
} from '../http/index.ts';
import type { Limits } from '../limits/index.ts';
import type { Log } from '../observability/index.ts';
import { disposition } from '../values/sent-files.ts';
import { answer, answerFor, notAllowed, refused } from './answers.ts';
import { countRefused, jobFilesOf } from './job.ts';

export const jobArtifactsPath = /^\/api\/v4\/jobs\/(\d{1,10})\/artifacts\/?$/;

/** The door of `/jobs/:id/artifacts`: takes what a job leaves, and gives it to jobs that need it (contract §9.5). */
export function jobArtifactsDoor(application: Application, schema: GraphQLSchema, limits: Limits, log: Log): Door {
  const open = jobFilesOf(application, schema);

  async function receive(exchange: Exchange, job: string): Promise<Response> {
    const query = parseForm(exchange.query);
    const files = await open(exchange, job, query);
    const { body } = beginTransfer(exchange);
    const text = (name: string) => (typeof query[name] === 'string' ? query[name] : undefined);
    const received = await files.receive({
      kind: text('artifact_type'),
      format: text('artifact_format'),
      expireIn: text('expire_in'),
      body: body as Readable,
      contentType: header(exchange, 'content-type') ?? '',
    });
    if (received.outcome === 'received') return answer(exchange, 201, { message: '201 Created' });
    if (received.status === undefined) await countRefused(limits, exchange);
    await dropBody(exchange);
    return refused(exchange, received.status);
  }

  async function send(exchange: Exchange, job: string): Promise<Response> {
    const files = await open(exchange, job, parseForm(exchange.query));
    const found = await files.download();
    if (found.outcome === 'refused') {
      await countRefused(limits, exchange);
      return refused(exchange);
    }
    const headers = {
      'content-type': 'application/zip',
      'content-disposition': disposition('attachment', found.filename),
      'content-length': String(found.size),
      'cache-control': 'no-store',
    };
    if (exchange.request.method === 'HEAD') return toResponse(exchange, { status: 200, headers, body: null });
    beginTransfer(exchange);
    return streamed(exchange, { status: 200, headers, body: found.open() }, (error) =>
      reportDefect(log, exchange, error),
    );
  }

  const door = async (exchange: Exchange): Promise<Response> => {
    const job = jobArtifactsPath.exec(exchange.path)![1]!;
    const { method } = exchange.request;
    exchange.notes.route = `${method === 'HEAD' ? 'GET' : method} /api/v4/jobs/:id/artifacts`;
    try {
      if (method === 'POST') return await receive(exchange, job);
      if (method === 'GET' || method === 'HEAD') return await send(exchange, job);
      return notAllowed(exchange, 'GET, HEAD, POST');
    } catch (error) {
      if (method === 'POST') await dropBody(exchange);
      return answerFor(exchange, log, error);
    }
  };
  return Object.assign(door, { streams: true });
}
