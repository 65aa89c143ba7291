import { Forbidden, NotFound } from '../../errors.ts';

/** What was read; null if it is missing, or hidden from the viewer. @param subject of the error that says so */
export async function orNull<T>(subject: string, reading: Promise<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof NotFound && error.subject === subject) return null;
    throw error;
  }
}

/** What a subscription shows; null if it is gone, or the viewer doesn’t read it any more. */
export async function whileReadable<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof NotFound || error instanceof Forbidden) return null;
    throw error;
  }
}
