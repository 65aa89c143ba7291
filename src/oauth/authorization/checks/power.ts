import { accessDenied } from '../../errors.ts';
import { lendsTooMuch } from '../../guard.ts';
import type { Check } from '../request.ts';

/** Where the instance is set so, administrators keep their power from applications that others registered. */
export const checkPower: Check = ({ engine, administrator, draft }) => {
  if (lendsTooMuch(engine, administrator, draft.client!, draft.scopes!)) throw accessDenied();
};
