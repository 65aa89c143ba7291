import { pino } from 'pino';
import type { LogLevel } from '../config/index.ts';
import { output } from './output.ts';

/** The log. Each call writes a message with fields. Never log secrets. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/**
 * Structured log lines (JSON) on standard output. Warnings and errors are written before the call returns, and
 * everything logged before them too.
 */
export function createLog(level: LogLevel): Log {
  const { write, flushNow } = output();
  const logger = pino(
    {
      level,
      base: null,
      messageKey: 'message',
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    { write },
  );
  const atOnce = (severity: 'warn' | 'error') => (fields: object, message: string) => {
    if (!logger.isLevelEnabled(severity)) return;
    logger[severity](fields, message);
    flushNow();
  };
  return {
    debug: (fields, message) => logger.debug(fields, message),
    info: (fields, message) => logger.info(fields, message),
    warn: atOnce('warn'),
    error: atOnce('error'),
  };
}

/** Resolves when everything logged was written to standard output. */
export const flushLog = (): Promise<void> => output().flush();
