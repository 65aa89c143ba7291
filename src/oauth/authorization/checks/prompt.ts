import { OAuthError } from '../../../errors.ts';
import type { Check } from '../request.ts';

/** A client that wants no page to be shown can't be served: a person decides on each request or has decided before. */
export const checkPrompt: Check = ({ parameters }) => {
  if (parameters.prompt === 'none') {
    throw new OAuthError('interaction_required', 'The authorization server requires interaction with the person.');
  }
};
