import type { GraphQLSchema } from 'graphql';
import { InvalidFields } from '../../../errors.ts';
import type { Answer } from '../../../http/index.ts';
import { compileOperation } from '../../../operation.ts';
import { emojiNameOf } from '../../../values/text/emoji.ts';
import type { PlaceHead, PlaceRoute } from '../../places/place/route.ts';
import { toAnswer } from '../../site/layout/page.ts';
import { orNull } from '../../site/missing.ts';
import { isRecordNumber } from '../../site/paths.ts';
import { forbidden } from '../../site/layout/problems.tsx';
import { requireVisitor, seeOther, type Visit } from '../../site/visit.ts';
import { sentences } from '../../site/words.ts';
import { mayComment } from '../notes/conversation.tsx';
import { hostPath, noteNaming, takingOf, type NoteableHost } from '../notes/host.ts';
import type { AwardDraft } from './award.ts';
import { AwardPage, type AwardedNote } from './page.tsx';

/** Giving emoji to an issue, a merge request, a snippet or a comment. */
export function awardPages(schema: GraphQLSchema, host: NoteableHost): PlaceRoute[] {
  const taking = (page: string, name: string, post: NonNullable<PlaceRoute['post']>) =>
    takingOf(host, page, name, post);
  const toggle = compileOperation<object>(
    schema,
    'mutation ($input: AwardEmojiToggleInput!) { awardEmojiToggle(input: $input) { toggledOn } }',
  );
  const findNote = compileOperation<{ note: AwardedNote | null }>(
    schema,
    `query (${noteNaming(host).declared}, $id: NoteID!) {
      note(${noteNaming(host).named}, id: $id) { bodyHtml system author { name } }
    }`,
  );

  /** The page that offers emoji for the comment of the address. */
  async function offer(visit: Visit, place: PlaceHead, draft?: AwardDraft): Promise<Answer | null> {
    const { site, context, named } = visit;
    const { iid, note: id } = named;
    requireVisitor(visit);
    const hosted = await host.find(visit, place);
    if (!hosted || !isRecordNumber(id)) return null;
    const note = (await orNull(findNote.execute(context, { project: place.fullPath, iid, id })))?.note;
    if (!note || note.system) return null;
    const path = hostPath(host, place, iid!);
    if (!mayComment(site, place, hosted))
      return forbidden(site, 'Only people who may comment react to comments.', path);
    return toAnswer(
      <AwardPage
        site={site}
        place={place}
        section={host.section}
        note={note}
        action={`${path}/notes/${id}/award`}
        back={`${path}#note_${id}`}
        draft={draft}
      />,
      draft ? 422 : 200,
    );
  }

  async function award(visit: Visit, place: PlaceHead, typed = ''): Promise<Answer | null> {
    const { iid, note } = visit.named;
    if (note !== undefined && !isRecordNumber(note)) return null;
    const awardableId = note === undefined ? (await host.find(visit, place))?.id : `gid://gitlab/Note/${note}`;
    if (awardableId === undefined) return null;
    try {
      await toggle.execute(visit.context, { input: { awardableId, name: await emojiNameOf(typed) } });
    } catch (problem) {
      if (!(problem instanceof InvalidFields)) throw problem;
      const errors = sentences('This', problem.fields.name);
      const draft = { name: typed, errors };
      return note === undefined ? await host.show(visit, place, { award: draft }) : await offer(visit, place, draft);
    }
    return seeOther(hostPath(host, place, iid!) + (note === undefined ? '' : `#note_${note}`));
  }

  return [
    taking('award', `award ${host.noun}`, (visit, place, { name }) => award(visit, place, name)),
    {
      of: 'project',
      path: `${host.root}/:iid/notes/:note/award`,
      name: 'award comment',
      get: (visit, place) => offer(visit, place),
      post: (visit, place, { name }) => award(visit, place, name),
    },
  ];
}
