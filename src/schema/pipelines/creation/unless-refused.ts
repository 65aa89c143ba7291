import { Busy, DomainError, Unavailable } from '../../../errors.ts';
import { AlreadyMade } from './refused.ts';

/** Makes a pipeline that no one asked for by name: whatever is refused just isn’t there. */
export async function unlessRefused(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const mayPass = error instanceof Unavailable || error instanceof Busy;
    if (mayPass || !(error instanceof AlreadyMade || error instanceof DomainError)) throw error;
  }
}
