import type { Context } from '../../context.ts';
import { Forbidden } from '../../errors.ts';
import { isAdministrator } from '../../policy/index.ts';

/** Requires an administrator or the operator. @throws Forbidden */
export function requireAdministrator({ viewer }: Context): void {
  if (!isAdministrator(viewer)) throw new Forbidden();
}
