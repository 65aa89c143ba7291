import type { GraphQLSchema } from 'graphql';
import type { Answer } from '../../../http/index.ts';
import type { PlaceHead } from '../../places/place/route.ts';
import { readText } from '../../planning/issues/draft.ts';
import { noteWriter } from '../../planning/notes/operations.ts';
import type { Fields } from '../../site/forms/fields.ts';
import { seeOtherSaying, type Visit } from '../../site/visit.ts';
import { commitPath } from '../code/addresses.ts';
import { lineMistakes, positionIn } from './line-comment.tsx';
import { isName, type ShowCommit } from './show.tsx';

/** Takes a comment on a line of a commit, and shows the page at it. Null: the form names no line, or the address no commit. */
export function lineCommenter(
  schema: GraphQLSchema,
  show: ShowCommit,
): (visit: Visit, place: PlaceHead, form: Fields) => Promise<Answer | null> {
  const create = noteWriter(schema, 'commitCommentCreate', 'CommitCommentCreateInput', 'comment');
  return async (visit, place, form) => {
    const { iid: sha = '' } = visit.named;
    const position = positionIn(form);
    if (!isName(sha) || !position) return null;
    const body = readText(form.body);
    const back = commitPath(place, sha);
    try {
      const { written } = await create.execute(visit.context, {
        input: { projectPath: place.fullPath, sha, note: body, position },
      });
      if (!written.note) return seeOtherSaying('commands_done', back, visit);
      return seeOtherSaying('note_created', `${back}#note_${written.note.id}`, visit);
    } catch (thrown) {
      const { file = '', line = '' } = form;
      return await show(visit, place, { line: { file, line, body, ...lineMistakes(thrown) } });
    }
  };
}
