import type { LogLevel } from '../config/index.ts';
import { output } from './output.ts';

/** One line of the access log. It never contains a secret, and only the path of the URL: a query may carry a token. */
export interface AccessLine {
  readonly requestId: string;
  /** The address of the client. */
  readonly address: string;
  readonly method: string;
  readonly path: string;
  /** 0: the client disconnected before the response. */
  readonly status: number;
  readonly milliseconds: number;
  /** From a trusted proxy, or assigned to a traced request. */
  readonly traceId: string | undefined;
  /** The route pattern of the path. */
  readonly route: string | undefined;
  /** Ids of people. The actor is the administrator who acts as the viewer. */
  readonly viewer: number | undefined;
  readonly actor: number | undefined;
  /** The name that a GraphQL client gave it. */
  readonly operation: string | undefined;
  /** Root fields of the operation. */
  readonly fields: readonly string[] | undefined;
  /** Its cost, which counts against the complexity limit. */
  readonly cost: number | undefined;
  readonly statements: number;
  /** Time spent waiting for the database. Concurrent statements each count. */
  readonly databaseMilliseconds: number;
}

/** Writes one line per request; some only at the level `debug`. */
export type AccessLog = (line: AccessLine, level: 'debug' | 'info') => void;

const levels: readonly LogLevel[] = ['debug', 'info', 'warn', 'error', 'silent'];

/** @param least the lowest level that is logged */
export function accessLog(least: LogLevel): AccessLog {
  const { write } = output();
  const from = levels.indexOf(least);
  return (line, level) => {
    if (levels.indexOf(level) >= from) write(format(line, level));
  };
}

/** The line as JSON, built by hand: it is written for every request, at a quarter of a serializer's cost. */
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

/** Maximum characters of text from a client: a path may be as long as all headers together. */
const maxText = 1_000;
/** Text that needs no escaping in JSON. */
const plain = /^[ !#-[\]-~]*$/;

function quoted(text: string): string {
  const bounded = text.length > maxText ? text.slice(0, maxText) : text;
  return plain.test(bounded) ? `"${bounded}"` : JSON.stringify(bounded);
}

let second = Number.NaN;
let upToSecond = '';

/** ISO 8601; the text of the current second is cached. */
function time(now: number): string {
  const since = now % 1_000;
  if (now - since !== second) {
    second = now - since;
    upToSecond = new Date(second).toISOString().slice(0, -4);
  }
  return `${upToSecond}${String(since).padStart(3, '0')}Z`;
}
