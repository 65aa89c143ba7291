import { OAuthError } from '../../../errors.ts';
import type { Check } from '../request.ts';

/** `prompt=none` is refused: a request may need a page. */
export const checkPrompt: Check = ({ parameters }) => {
  if (parameters.prompt === 'none') {
    throw new OAuthError('interaction_required', 'The authorization server requires interaction with the person.');
  }
};
