import { PreconditionFailed } from '../../../errors.ts';
import { writes } from '../../../policy/index.ts';
import { mutation, type FieldsOf } from '../../engine/mutation.ts';
import { deleteSnippet } from './statements/changes.ts';
import type { SnippetRecord } from './statements/reading.ts';
import { Snippet } from './types.ts';
import { changeable, snippetName } from './update.ts';

mutation('destroySnippet', {
  payload: (t: FieldsOf<{ removed: SnippetRecord }>) => ({
    snippet: t.field({ type: Snippet, nullable: true, description: 'Null: it is gone.', resolve: () => null }),
    snippetDatabaseId: t.int({ description: 'The number that it had.', resolve: ({ removed }) => removed.id }),
  }),
  description: 'Removes a snippet. For its author, and in a project from Maintainer up.',
  admission: { class: 'token', scopes: writes },
  input: (t) => ({
    ...snippetName(t),
    unmodifiedSince: t.field({
      type: 'Time',
      description: 'Refuses if the snippet was changed after this moment. Fractions of a second are ignored.',
    }),
  }),
  resolve: async (context, { unmodifiedSince, ...name }) => {
    const { snippet } = await changeable(context, name);
    const actor = context.viewer.person?.id ?? null;
    const [removed] = await context.database.rows(deleteSnippet, [snippet.id, unmodifiedSince ?? null, actor]);
    if (!removed) {
      // Either a concurrent request removed it, or it was changed after the given moment.
      await changeable(context, name);
      throw new PreconditionFailed();
    }
    return { removed: snippet };
  },
});
