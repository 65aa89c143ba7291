import type { Context } from '../../context.ts';
import { Forbidden } from '../../errors.ts';
import { isAdministrator } from '../../policy/index.ts';

/** @throws Forbidden unless an administrator, or the operator, asks */
export function requireAdministrator({ viewer }: Context): void {
  if (!isAdministrator(viewer)) throw new Forbidden();
}
