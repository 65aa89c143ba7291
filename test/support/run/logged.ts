import { vi } from 'vitest';
import { output } from '../../../src/observability/output.ts';
import { afterFile } from './after-file.ts';

/** Captures the log lines of gateways that start later in this process. They aren't written anywhere else. */
export function logged(): Record<string, unknown>[] {
  const lines: Record<string, unknown>[] = [];
  const write = vi
    .spyOn(output(), 'write')
    .mockImplementation((line) => void lines.push(JSON.parse(line) as Record<string, unknown>));
  afterFile(() => write.mockRestore());
  return lines;
}
