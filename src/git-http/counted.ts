import type { Context, PresentedToGit } from '../context.ts';
import type { Exchange } from '../http/index.ts';
import type { Limits } from '../limits/index.ts';

/**
 * Counts a request of a client of git. Git sends no credential first, even where it has one: that attempt isn't counted
 * if it is refused.
 * @param sent the credential; null without one
 * @throws RateLimited, and what the reading throws
 */
export async function counted<Read extends { readonly context: Context }>(
  limits: Limits,
  exchange: Exchange,
  sent: PresentedToGit | null,
  reading: Promise<Read>,
): Promise<Read> {
  if (sent === null) await reading;
  return await limits.counting(exchange, reading, ({ context }) => context.viewer);
}
