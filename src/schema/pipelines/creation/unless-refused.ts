import { DomainError, mayPass } from '../../../errors.ts';
import { AlreadyMade } from './refused.ts';

/** Makes a pipeline that no one asked for by name: whatever is refused just isn’t there. */
export async function unlessRefused(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (mayPass(error) || !(error instanceof AlreadyMade || error instanceof DomainError)) throw error;
  }
}
