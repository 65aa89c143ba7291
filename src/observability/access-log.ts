import type { LogLevel } from '../config.ts';
import { output } from './output.ts';

/** What is told of a request. Never a secret, and never what it asked beyond its path: a query may carry a token. */
export interface AccessLine {
  readonly requestId: string;
  /** The client's. */
  readonly address: string;
  readonly method: string;
  readonly path: string;
  /** 0: the client left before it was answered. */
  readonly status: number;
  readonly milliseconds: number;
  /** As a trusted proxy named it, or as it was given where the request is traced. */
  readonly traceId: string | undefined;
  /** The pattern that the path fits. */
  readonly route: string | undefined;
  /** Ids of people. The actor is the administrator who acts as the viewer. */
  readonly viewer: number | undefined;
  readonly actor: number | undefined;
  /** As a GraphQL client named it. */
  readonly operation: string | undefined;
  /** At the root of the schema. */
  readonly fields: readonly string[] | undefined;
  /** What the operation counts against the limit of complexity. */
  readonly cost: number | undefined;
  readonly statements: number;
  /** Spent waiting for the database. Of statements that ran at the same time each counts. */
  readonly databaseMilliseconds: number;
}

/** Writes one line for each request; at the level `debug` those that are of interest only then. */
export type AccessLog = (line: AccessLine, level: 'debug' | 'info') => void;

const levels: readonly LogLevel[] = ['debug', 'info', 'warn', 'error', 'silent'];

/** @param least the least severe level that is logged */
export function accessLog(least: LogLevel): AccessLog {
  const { write } = output();
  const from = levels.indexOf(least);
  return (line, level) => {
    if (levels.indexOf(level) >= from) write(format(line, level));
  };
}

/**
 * The line as JSON, put together by hand: it is written for every request, and costs
 * a quarter of what a serializer takes for it.
 */
export function format(line: AccessLine, level: 'debug' | 'info', now = Date.now()): string {
  const { traceId, route, viewer, actor, operation, fields, cost } = line;
  let text = `{"level":"${level}","time":"${time(now)}","requestId":${quoted(line.requestId)}`;
  if (traceId !== undefined) text += `,"traceId":"${traceId}"`;
  text += `,"address":${quoted(line.address)},"method":${quoted(line.method)}`;
  if (route !== undefined) text += `,"route":${quoted(route)}`;
  text += `,"path":${quoted(line.path)},"status":${line.status},"milliseconds":${tenths(line.milliseconds)}`;
  if (viewer !== undefined) text += `,"viewer":${viewer}`;
  if (actor !== undefined) text += `,"actor":${actor}`;
  if (operation !== undefined) text += `,"operation":${quoted(operation)}`;
  if (fields !== undefined) text += `,"fields":${quoted(fields.join(' '))}`;
  if (cost !== undefined) text += `,"cost":${cost}`;
  if (line.statements > 0)
    text += `,"statements":${line.statements},"databaseMilliseconds":${tenths(line.databaseMilliseconds)}`;
  return `${text},"message":"request"}\n`;
}

const tenths = (milliseconds: number) => Math.round(milliseconds * 10) / 10;

/** Longest text of a client that is repeated: a path may be as long as all headers together. */
const longest = 1_000;
/** What stands in a JSON string as it is. */
const plain = /^[ !#-[\]-~]*$/;

function quoted(text: string): string {
  const bounded = text.length > longest ? text.slice(0, longest) : text;
  return plain.test(bounded) ? `"${bounded}"` : JSON.stringify(bounded);
}

let second = Number.NaN;
let upToSecond = '';

/** ISO 8601; the same second is put together once. */
function time(now: number): string {
  const since = now % 1_000;
  if (now - since !== second) {
    second = now - since;
    upToSecond = new Date(second).toISOString().slice(0, -4);
  }
  return `${upToSecond}${String(since).padStart(3, '0')}Z`;
}
