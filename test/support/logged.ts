import { afterAll, vi } from 'vitest';
import { output } from '../../src/observability/output.ts';

/** The lines that this process logs from now on, by gateways that start later. They go nowhere else. */
export function logged(): Record<string, unknown>[] {
  const lines: Record<string, unknown>[] = [];
  const write = vi
    .spyOn(output(), 'write')
    .mockImplementation((line) => void lines.push(JSON.parse(line) as Record<string, unknown>));
  afterAll(() => write.mockRestore());
  return lines;
}
