import { domainError } from '../../context.ts';
import { NotFound } from '../../errors.ts';

/** What is read; null if it is missing or out of sight. */
export async function orNull<Data>(work: Promise<Data>): Promise<Data | null> {
  try {
    return await work;
  } catch (thrown) {
    if (domainError(thrown) instanceof NotFound) return null;
    throw thrown;
  }
}

/**
 * What was there a moment ago, when another part of the page was read.
 * @throws NotFound if it was removed in the meantime, or hidden
 */
export function stillThere<Data>(read: Data | null): Data {
  if (read === null) throw new NotFound('Page');
  return read;
}
