import { InvalidFields } from '../../../errors.ts';
import type { Answer } from '../../../http/index.ts';
import { PlaceLayout } from '../../places/place/layout.tsx';
import type { PlaceHead, PlaceRoute } from '../../places/place/route.ts';
import { placeQuestion } from '../../places/place/question.tsx';
import { Form, NotSaved, TextField } from '../../site/forms/forms.tsx';
import { toAnswer } from '../../site/layout/page.ts';
import { forbidden } from '../../site/layout/problems.tsx';
import { orNull } from '../../site/missing.ts';
import { isRecordNumber } from '../../site/paths.ts';
import { requireVisitor, seeOtherSaying, type Visit } from '../../site/visit.ts';
import { readText } from '../issues/draft.ts';
import { hostPath, takingOf, type NoteHost } from './host.ts';
import { mistakesOf } from './mistakes.ts';
import type { NoteOperations } from './operations.ts';
import type { CommentDraft, Note } from './thread.ts';
import { threadPages, type ThreadPages } from './thread-controller.tsx';

/** What people comment on, and what the pages of these comments do. */
interface Notes {
  readonly host: NoteHost;
  readonly operations: NoteOperations;
  readonly threads: ThreadPages;
}

/** Comments on issues, merge requests, snippets or commits: writing, replying, resolving, changing and deleting. */
export function notePages(host: NoteHost, operations: NoteOperations): PlaceRoute[] {
  const threads = threadPages(host, operations);
  const notes = { host, operations, threads };
  const { resolve } = operations;
  return [
    comment(notes),
    reply(notes),
    ...(resolve ? [resolving(host, resolve, true), resolving(host, resolve, false)] : []),
    ...threads.routes,
    editing(notes),
    deletion(notes),
  ];
}

const comment = (notes: Notes): PlaceRoute =>
  takingOf(notes.host, 'notes', 'comment', (visit, place, form) =>
    send(notes, visit, place, {
      body: readText(form.body),
      internal: form.internal === 'on',
      startsThread: form.thread === 'on',
      head: form.head,
      review: form.review === 'on',
      errors: [],
    }),
  );

const reply = (notes: Notes): PlaceRoute =>
  takingOf(notes.host, 'discussions/:thread/reply', 'reply', (visit, place, form) => {
    const draft = { body: readText(form.reply), head: form.head, review: form.review === 'on', errors: [] };
    return send(notes, visit, place, { ...draft, internal: false, startsThread: false }, visit.named.thread!);
  });

/** Writes a comment, and shows the page at it; or the page again with what was typed. @param thread that it replies to */
async function send(
  { host, operations, threads }: Notes,
  visit: Visit,
  place: PlaceHead,
  draft: CommentDraft,
  thread?: string,
): Promise<Answer | null> {
  const { body, internal, review } = draft;
  try {
    if (review && host.addToReview) {
      if (internal) throw new InvalidFields({ note: ['can’t be internal in a review'] });
      const added = { body, ...(thread !== undefined && { discussionId: thread }) };
      return seeOtherSaying('draft_note_created', await host.addToReview(visit, place, added), visit);
    }
    const note = await operations.write(visit, place, draft, thread);
    if (!note) return seeOtherSaying('commands_done', pathOf(host, visit, place, '#activity'), visit);
    return seeOtherSaying('note_created', pathOf(host, visit, place, `#note_${note.id}`), visit);
  } catch (problem) {
    const again = { ...draft, errors: mistakesOf(problem) };
    if (thread === undefined) return await host.show(visit, place, { comment: again });
    return await threads.show(visit, place, again);
  }
}

const resolving = (
  host: NoteHost,
  resolve: NonNullable<NoteOperations['resolve']>,
  isResolved: boolean,
): PlaceRoute => {
  const page = `discussions/:thread/${isResolved ? 'resolve' : 'unresolve'}`;
  return takingOf(host, page, 'resolve thread', async (visit, place) => {
    await resolve(visit, place, visit.named.thread!, isResolved);
    const notice = isResolved ? 'thread_resolved' : 'thread_unresolved';
    return seeOtherSaying(notice, pathOf(host, visit, place, '#activity'), visit);
  });
};

const editing = (notes: Notes): PlaceRoute => {
  const { host, operations } = notes;
  return {
    of: 'project',
    path: `${host.root}/:iid/notes/:note/edit`,
    name: 'edit comment',
    get: (visit, place) => changing(notes, visit, place, (note) => editForm(host, visit, place, note)),
    post: (visit, place, form) =>
      changing(notes, visit, place, async (note) => {
        const body = readText(form.body);
        try {
          const saved = await operations.update(visit, place, { id: String(note.id), body });
          if (!saved) return seeOtherSaying('commands_done', pathOf(host, visit, place, '#activity'), visit);
        } catch (problem) {
          return editForm(host, visit, place, note, body, mistakesOf(problem));
        }
        return seeOtherSaying('note_saved', pathOf(host, visit, place, `#note_${note.id}`), visit);
      }),
  };
};

const deletion = (notes: Notes): PlaceRoute => {
  const { host, operations } = notes;
  return {
    of: 'project',
    path: `${host.root}/:iid/notes/:note/delete`,
    name: 'delete comment',
    get: (visit, place) =>
      changing(notes, visit, place, (note) =>
        placeQuestion(visit, place, host.section, {
          title: `Delete the comment of ${note.author.name}?`,
          says: 'This can’t be undone.',
          does: 'Delete the comment',
          action: pathOf(host, visit, place, `/notes/${note.id}/delete`),
          back: pathOf(host, visit, place, `#note_${note.id}`),
        }),
      ),
    post: (visit, place) =>
      changing(notes, visit, place, async (note) => {
        await operations.remove(visit, place, String(note.id));
        return seeOtherSaying('note_deleted', pathOf(host, visit, place, '#activity'), visit);
      }),
  };
};

/** The address of what the comment is on. */
const pathOf = (host: NoteHost, { named }: Visit, place: PlaceHead, end: string) =>
  hostPath(host, place, named.iid!, end);

/** Runs with the comment of the address, if the viewer may change it. */
async function changing(
  { host, operations }: Notes,
  visit: Visit,
  place: PlaceHead,
  change: (note: Note) => Answer | Promise<Answer>,
): Promise<Answer | null> {
  requireVisitor(visit);
  const found = await host.find(visit, place);
  const { note: id } = visit.named;
  const note = found && isRecordNumber(id) ? await orNull(operations.find(visit, place, id)) : null;
  if (!found || !note || note.system) return null;
  const { createNote, adminNote } = found.userPermissions;
  const isOwn = note.author.username === visit.site.visitor!.username;
  if (place.archived || !createNote || !(isOwn || adminNote))
    return forbidden(visit.site, 'You can change only your own comments. Maintainers change those of others.');
  return await change(note);
}

function editForm(host: NoteHost, visit: Visit, place: PlaceHead, note: Note, draft?: string, errors?: string[]) {
  const { site, named } = visit;
  const title = `Edit a comment on ${host.called(named.iid!)}`;
  return toAnswer(
    <PlaceLayout site={site} place={place} title={errors ? `Error: ${title}` : title} current={host.section}>
      <h1>{title}</h1>
      {errors && <NotSaved />}
      <Form csrf={site.visitor!.csrf} action={pathOf(host, visit, place, `/notes/${note.id}/edit`)}>
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
          <a href={pathOf(host, visit, place, `#note_${note.id}`)}>Cancel</a>
        </div>
      </Form>
    </PlaceLayout>,
    errors ? 422 : 200,
  );
}
