import { InvalidFields } from '../../../errors.ts';
import type { Answer } from '../../../http/index.ts';
import { PlaceLayout } from '../../places/place/layout.tsx';
import type { PlaceHead, PlaceRoute } from '../../places/place/route.ts';
import { placeQuestion } from '../../places/place/question.tsx';
import { Form, NotSaved, TextField } from '../../site/forms/forms.tsx';
import { toAnswer } from '../../site/layout/page.ts';
import { forbidden } from '../../site/layout/problems.tsx';
import { orNull } from '../../site/or-null.ts';
import { isRecordNumber } from '../../site/paths.ts';
import { requireVisitor, seeOtherSaying, type Visit } from '../../site/visit.ts';
import { readText } from '../issues/draft.ts';
import { hostPath, takingOf, type NoteHost } from './host.ts';
import { mistakesOf } from './mistakes.ts';
import type { NoteOperations } from './operations.ts';
import type { CommentDraft, Note } from './thread.ts';
import { threadPages } from './thread-controller.tsx';

/** Comments on issues, merge requests, snippets or commits: writing, replying, resolving, changing and deleting. */
export function notePages(host: NoteHost, operations: NoteOperations): PlaceRoute[] {
  const taking = (page: string, name: string, post: NonNullable<PlaceRoute['post']>) =>
    takingOf(host, page, name, post);
  const pathOf = ({ named }: Visit, place: PlaceHead, end = '') => hostPath(host, place, named.iid!, end);
  const threads = threadPages(host, operations);

  /** Writes a comment, and shows the page at it; or the page again with what was typed. @param thread that it replies to */
  async function send(visit: Visit, place: PlaceHead, draft: CommentDraft, thread?: string): Promise<Answer | null> {
    const { body, internal, review } = draft;
    try {
      if (review && host.addToReview) {
        if (internal) throw new InvalidFields({ note: ['can’t be internal in a review'] });
        const added = { body, ...(thread !== undefined && { discussionId: thread }) };
        return seeOtherSaying('draft_note_created', await host.addToReview(visit, place, added), visit);
      }
      const note = await operations.write(visit, place, draft, thread);
      if (!note) return seeOtherSaying('commands_done', pathOf(visit, place, '#activity'), visit);
      return seeOtherSaying('note_created', pathOf(visit, place, `#note_${note.id}`), visit);
    } catch (problem) {
      const again = { ...draft, errors: mistakesOf(problem) };
      if (thread === undefined) return await host.show(visit, place, { comment: again });
      return await threads.show(visit, place, again);
    }
  }

  const resolving = (isResolved: boolean, resolve: NonNullable<NoteOperations['resolve']>): PlaceRoute =>
    taking(`discussions/:thread/${isResolved ? 'resolve' : 'unresolve'}`, 'resolve thread', async (visit, place) => {
      await resolve(visit, place, visit.named.thread!, isResolved);
      return seeOtherSaying(
        isResolved ? 'thread_resolved' : 'thread_unresolved',
        pathOf(visit, place, '#activity'),
        visit,
      );
    });

  /** Runs with the comment of the address, if the viewer may change it. */
  async function changing(
    visit: Visit,
    place: PlaceHead,
    change: (note: Note) => Answer | Promise<Answer>,
  ): Promise<Answer | null> {
    requireVisitor(visit);
    const found = await host.find(visit, place);
    const note = found && (await noteOf(visit, place));
    if (!found || !note || note.system) return null;
    const { createNote, adminNote } = found.userPermissions;
    const isOwn = note.author.username === visit.site.visitor!.username;
    if (place.archived || !createNote || !(isOwn || adminNote))
      return forbidden(visit.site, 'You can change only your own comments. Maintainers change those of others.');
    return await change(note);
  }

  async function noteOf(visit: Visit, place: PlaceHead): Promise<Note | null> {
    const { note: id } = visit.named;
    return isRecordNumber(id) ? await orNull(operations.find(visit, place, id)) : null;
  }

  function editForm(visit: Visit, place: PlaceHead, note: Note, draft?: string, errors?: string[]) {
    const { site, named } = visit;
    const title = `Edit a comment on ${host.called(named.iid!)}`;
    return toAnswer(
      <PlaceLayout site={site} place={place} title={errors ? `Error: ${title}` : title} current={host.section}>
        <h1>{title}</h1>
        {errors && <NotSaved />}
        <Form csrf={site.visitor!.csrf} action={pathOf(visit, place, `/notes/${note.id}/edit`)}>
          <TextField
            name="body"
            label="Comment"
            hint="As Markdown."
            lines={8}
            value={draft ?? note.body}
            errors={errors}
            required
          />
          <div class="decision">
            <button class="button primary">Save changes</button>
            <a href={pathOf(visit, place, `#note_${note.id}`)}>Cancel</a>
          </div>
        </Form>
      </PlaceLayout>,
      errors ? 422 : 200,
    );
  }

  return [
    taking('notes', 'comment', (visit, place, form) =>
      send(visit, place, {
        body: readText(form.body),
        internal: form.internal === 'on',
        startsThread: form.thread === 'on',
        head: form.head,
        review: form.review === 'on',
        errors: [],
      }),
    ),
    taking('discussions/:thread/reply', 'reply', (visit, place, form) =>
      send(
        visit,
        place,
        {
          body: readText(form.reply),
          internal: false,
          startsThread: false,
          head: form.head,
          review: form.review === 'on',
          errors: [],
        },
        visit.named.thread!,
      ),
    ),
    ...(operations.resolve ? [resolving(true, operations.resolve), resolving(false, operations.resolve)] : []),
    ...threads.routes,
    {
      of: 'project',
      path: `${host.root}/:iid/notes/:note/edit`,
      name: 'edit comment',
      get: (visit, place) => changing(visit, place, (note) => editForm(visit, place, note)),
      post: (visit, place, form) =>
        changing(visit, place, async (note) => {
          const body = readText(form.body);
          try {
            const saved = await operations.update(visit, place, { id: String(note.id), body });
            if (!saved) return seeOtherSaying('commands_done', pathOf(visit, place, '#activity'), visit);
          } catch (problem) {
            return editForm(visit, place, note, body, mistakesOf(problem));
          }
          return seeOtherSaying('note_saved', pathOf(visit, place, `#note_${note.id}`), visit);
        }),
    },
    {
      of: 'project',
      path: `${host.root}/:iid/notes/:note/delete`,
      name: 'delete comment',
      get: (visit, place) =>
        changing(visit, place, (note) =>
          placeQuestion(visit, place, host.section, {
            title: `Delete the comment of ${note.author.name}?`,
            says: 'This can’t be undone.',
            does: 'Delete the comment',
            action: pathOf(visit, place, `/notes/${note.id}/delete`),
            back: pathOf(visit, place, `#note_${note.id}`),
          }),
        ),
      post: (visit, place) =>
        changing(visit, place, async (note) => {
          await operations.remove(visit, place, String(note.id));
          return seeOtherSaying('note_deleted', pathOf(visit, place, '#activity'), visit);
        }),
    },
  ];
}
