import { domainError } from '../../../context.ts';
import { NotFound } from '../../../errors.ts';

/** What a read finds; undefined if nothing is there. */
export async function found<Data>(reading: Promise<Data>): Promise<Data | undefined> {
  try {
    return await reading;
  } catch (thrown) {
    if (domainError(thrown) instanceof NotFound) return undefined;
    throw thrown;
  }
}
