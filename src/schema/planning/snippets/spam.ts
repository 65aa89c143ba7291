import { BadRequest } from '../../../errors.ts';
import { writes } from '../../../policy/index.ts';
import { requireAdministrator } from '../../engine/administrators.ts';
import { mutation } from '../../engine/mutation.ts';
import { snippetPayload } from './input.ts';
import { lookUpSnippet } from './look-up.ts';

mutation('markAsSpamSnippet', {
  payload: snippetPayload,
  description:
    'Reports a snippet as spam. There is no service that takes such reports, so `errors` says that. For administrators.',
  admission: { class: 'token', scopes: writes },
  input: (t) => ({ id: t.field({ type: 'SnippetID', required: true }) }),
  resolve: async (context, { id }): Promise<{ id: number }> => {
    requireAdministrator(context);
    await lookUpSnippet(context, id);
    throw new BadRequest('There is no service for spam here: nothing was reported.');
  },
});
