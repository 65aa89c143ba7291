import type { GraphQLSchema } from 'graphql';
import type { Application } from '../context.ts';
import { bodyOf, header, parseForm, type Door, type Exchange } from '../http/index.ts';
import type { Limits } from '../limits/index.ts';
import type { Log } from '../observability/index.ts';
import { answer, answerFor, notAllowed, refused } from './answers.ts';
import { countRefused, jobFilesOf } from './job.ts';

export const jobTracePath = /^\/api\/v4\/jobs\/(\d{1,10})\/trace\/?$/;

/** Longest piece of a log; runners send a mebibyte at most, unless the answer says otherwise. */
const longestPiece = 4 * 1_048_576;

/** Seconds after which a runner sends more of its log: sooner while someone watches it. */
const interval = { watched: '3', usual: '60' } as const;

const running = { 'job-status': 'running' } as const;

/** The door of `PATCH /jobs/:id/trace`: appends to the log of a running job (contract §9.4). */
export function jobTraceDoor(application: Application, schema: GraphQLSchema, limits: Limits, log: Log): Door {
  const open = jobFilesOf(application, schema);

  async function append(exchange: Exchange): Promise<Response> {
    const job = jobTracePath.exec(exchange.path)![1]!;
    const range = header(exchange, 'content-range');
    const query = parseForm(exchange.query);
    const files = await open(exchange, job, query);
    if (range === undefined) return answer(exchange, 400, { error: '400 Missing header Content-Range' });
    const start = startOf(range);
    if (start === undefined) return answer(exchange, 400, { error: '400 Invalid header Content-Range' });
    const debug = query.debug_trace === 'true';
    const appended = await files.append({ start, bytes: bodyOf(exchange), debug });
    switch (appended.outcome) {
      case 'refused':
        if (appended.status === undefined) await countRefused(limits, exchange);
        return refused(exchange, appended.status);
      case 'busy':
        return answer(exchange, 409, { message: '409 Conflict' }, running);
      case 'elsewhere':
        return answer(
          exchange,
          416,
          { error: '416 Range Not Satisfiable' },
          { ...running, range: `0-${appended.size}` },
        );
      case 'appended':
        return answer(exchange, 202, null, {
          ...running,
          range: `0-${appended.size}`,
          'x-gitlab-trace-update-interval': appended.watched ? interval.watched : interval.usual,
        });
    }
  }

  const door = async (exchange: Exchange): Promise<Response> => {
    exchange.notes.route = 'PATCH /api/v4/jobs/:id/trace';
    if (exchange.request.method !== 'PATCH') return notAllowed(exchange, 'PATCH');
    try {
      return await append(exchange);
    } catch (error) {
      return answerFor(exchange, log, error);
    }
  };
  return Object.assign(door, { longestBody: () => longestPiece });
}

/** The first number of `<start>-<end>`: nothing else of the header counts. */
function startOf(range: string): number | undefined {
  const start = Number(/^(?:bytes )?(\d{1,15})-/.exec(range.trim())?.[1]);
  return Number.isNaN(start) ? undefined : start;
}
