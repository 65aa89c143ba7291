import { OAuthError } from '../../../errors.ts';
import type { Check } from '../request.ts';

/** Refuses `prompt=none`: a request may need a page, to sign in or to ask for consent. */
export const checkPrompt: Check = ({ parameters }) => {
  if (parameters.prompt === 'none') {
    throw new OAuthError('interaction_required', 'The authorization server requires interaction with the person.');
  }
};
