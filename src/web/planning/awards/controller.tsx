import type { GraphQLSchema } from 'graphql';
import { InvalidFields } from '../../../errors.ts';
import type { Answer } from '../../../http/index.ts';
import { compileOperation } from '../../../operation.ts';
import { emojiNameOf } from '../../../values/emoji.ts';
import type { PlaceHead, PlaceRoute } from '../../places/place/route.ts';
import { seeOther, seeOtherSaying, type Visit } from '../../site/visit.ts';
import { sentences } from '../../site/words.ts';
import { issuePath } from '../issues/issue.ts';
import { issueShower } from '../issues/show.tsx';
import { taking } from '../issues/taking.ts';

/** Giving emoji to an issue or to a comment of it, and one's to-do about it. */
export function awardPages(schema: GraphQLSchema): PlaceRoute[] {
  const show = issueShower(schema);
  const find = compileOperation<{ issue: { id: string } | null }>(
    schema,
    'query ($project: ID!, $iid: String!) { issue(project: $project, iid: $iid) { id } }',
  );
  const toggle = compileOperation<object>(
    schema,
    'mutation ($input: AwardEmojiToggleInput!) { awardEmojiToggle(input: $input) { toggledOn } }',
  );
  const addTodo = compileOperation<object>(
    schema,
    'mutation ($input: TodoCreateInput!) { todoCreate(input: $input) { todo { state } } }',
  );
  const finishTodos = compileOperation<object>(
    schema,
    'mutation ($input: TodosMarkAllDoneInput!) { todosMarkAllDone(input: $input) { updatedCount } }',
  );

  /** The global id of the issue of the address; undefined if the viewer sees none. */
  const idOf = async ({ context, named }: Visit, { fullPath: project }: PlaceHead) =>
    (await find.execute(context, { project, iid: named.iid! })).issue?.id;

  async function award(visit: Visit, place: PlaceHead, typed = ''): Promise<Answer | null> {
    const { iid, note } = visit.named;
    if (note !== undefined && !/^[1-9]\d{0,8}$/.test(note)) return null;
    const awardableId = note === undefined ? await idOf(visit, place) : `gid://gitlab/Note/${note}`;
    if (awardableId === undefined) return null;
    try {
      await toggle.execute(visit.context, { input: { awardableId, name: await emojiNameOf(typed) } });
    } catch (problem) {
      if (!(problem instanceof InvalidFields)) throw problem;
      const errors = sentences('This', problem.fields.name);
      const draft = { ...(note !== undefined && { note: Number(note) }), name: typed, errors };
      return await show(visit, place, { award: draft });
    }
    return seeOther(issuePath(place, { iid: iid! }) + (note === undefined ? '' : `#note_${note}`));
  }

  return [
    taking('award', 'award issue', (visit, place, { name }) => award(visit, place, name)),
    taking('notes/:note/award', 'award comment', (visit, place, { name }) => award(visit, place, name)),
    taking('todo', 'add to-do', async (visit, place) => {
      const { iid } = visit.named;
      await addTodo.execute(visit.context, { input: { projectPath: place.fullPath, iid } });
      return seeOtherSaying('todo_added', issuePath(place, { iid: iid! }), visit);
    }),
    taking('todo_done', 'mark to-do as done', async (visit, place) => {
      const targetId = await idOf(visit, place);
      if (targetId === undefined) return null;
      await finishTodos.execute(visit.context, { input: { targetId } });
      return seeOtherSaying('todo_done', issuePath(place, { iid: visit.named.iid! }), visit);
    }),
  ];
}
