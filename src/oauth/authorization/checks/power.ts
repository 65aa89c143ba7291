import { accessDenied } from '../../errors.ts';
import { lendsAdministratorPower } from '../../guard.ts';
import type { Check } from '../request.ts';

/** With `guardAdministrators`, administrators can't give `api` or `sudo` to applications that people registered. */
export const checkPower: Check = ({ engine, administrator, draft }) => {
  if (lendsAdministratorPower(engine, administrator, draft.client!, draft.scopes!)) throw accessDenied();
};
