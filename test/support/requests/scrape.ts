import { rawClient } from './raw-client.ts';
import { expect } from 'vitest';

/** Reads the metrics over a new connection. @returns values by name and labels, as in the exposition */
export async function scrapeOf(url: string): Promise<Map<string, number>> {
  const { status, headers, text } = await rawClient(url)({ path: '/-/metrics', headers: { connection: 'close' } });
  expect([status, headers['content-type']]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  for (const line of lines)
    expect(line).toMatch(/^[a-z_][a-z\d_]*(\{([a-z_]+="[^"\n]*",?)+\})? (-?[\d.e+-]+|NaN|\+Inf)$/i);
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
  );
}
