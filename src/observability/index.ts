import { pino } from 'pino';
import type { LogLevel } from '../config.ts';

/** What the rooms below the doors may say: a line with fields. Secrets never go in. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Structured lines (JSON) on standard output. */
export function createLog(level: LogLevel): Log {
  return pino({
    level,
    base: null,
    messageKey: 'message',
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
  });
}
