import type { GraphQLSchema } from 'graphql';
import { InvalidFields } from '../../../errors.ts';
import type { Answer } from '../../../http/index.ts';
import { compileOperation } from '../../../operation.ts';
import { emojiNameOf } from '../../../values/emoji.ts';
import type { PlaceHead, PlaceRoute } from '../../places/place/route.ts';
import { seeOther, seeOtherSaying, type Visit } from '../../site/visit.ts';
import { sentences } from '../../site/words.ts';
import { hostPath, takingOf, type NoteHost } from '../notes/host.ts';

/** Giving emoji to an issue, a merge request or a comment, and one's to-do about it. */
export function awardPages(schema: GraphQLSchema, host: NoteHost): PlaceRoute[] {
  const taking = (page: string, name: string, post: NonNullable<PlaceRoute['post']>) =>
    takingOf(host, page, name, post);
  const find = compileOperation<{ one: { id: string } | null }>(
    schema,
    `query ($project: ID!, $iid: String!) { one: ${host.field}(project: $project, iid: $iid) { id } }`,
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

  /** The global id of what the address names; undefined if the viewer sees none. */
  const idOf = async ({ context, named }: Visit, { fullPath: project }: PlaceHead) =>
    (await find.execute(context, { project, iid: named.iid! })).one?.id;

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
      return await host.show(visit, place, { award: draft });
    }
    return seeOther(hostPath(host, place, iid!) + (note === undefined ? '' : `#note_${note}`));
  }

  return [
    taking('award', `award ${host.noun}`, (visit, place, { name }) => award(visit, place, name)),
    taking('notes/:note/award', 'award comment', (visit, place, { name }) => award(visit, place, name)),
    taking('todo', 'add to-do', async (visit, place) => {
      const targetId = await idOf(visit, place);
      if (targetId === undefined) return null;
      await addTodo.execute(visit.context, { input: { targetId } });
      return seeOtherSaying('todo_added', hostPath(host, place, visit.named.iid!), visit);
    }),
    taking('todo_done', 'mark to-do as done', async (visit, place) => {
      const targetId = await idOf(visit, place);
      if (targetId === undefined) return null;
      await finishTodos.execute(visit.context, { input: { targetId } });
      return seeOtherSaying('todo_done', hostPath(host, place, visit.named.iid!), visit);
    }),
  ];
}
