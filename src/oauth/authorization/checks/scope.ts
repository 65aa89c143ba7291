import { invalidScope } from '../../errors.ts';
import { parseScopes, within } from '../../scopes.ts';
import type { Check } from '../request.ts';

/** RFC 6749 §3.3: the scopes are required, and the application must have registered them. */
export const checkScope: Check = ({ parameters, draft }) => {
  const scopes = parseScopes(parameters.scope);
  if (!scopes || !within(scopes, draft.client!.scopes)) throw invalidScope();
  draft.scopes = scopes;
};
