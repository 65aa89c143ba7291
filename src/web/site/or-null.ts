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
