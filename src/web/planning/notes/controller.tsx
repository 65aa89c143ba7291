import type { GraphQLSchema } from 'graphql';
import { InvalidFields, NotFound } from '../../../errors.ts';
import type { Answer } from '../../../http/index.ts';
import { compileOperation } from '../../../operation.ts';
import { PlaceLayout } from '../../places/place/layout.tsx';
import type { PlaceHead, PlaceRoute } from '../../places/place/route.ts';
import { placeQuestion } from '../../places/place/question.tsx';
import { Form, NotSaved, TextField } from '../../site/forms/forms.tsx';
import { toAnswer } from '../../site/layout/page.ts';
import { forbidden } from '../../site/layout/problems.tsx';
import { requireVisitor, seeOtherSaying, type Visit } from '../../site/visit.ts';
import { readText } from '../issues/draft.ts';
import { hostPath, noteNaming, takingOf, type NoteHost } from './host.ts';
import { mistakesOf } from './mistakes.ts';
import { noteFields, type CommentDraft, type Note } from './thread.ts';
import { threadPages } from './thread-controller.tsx';

interface Written {
  /** No comment is stored of a text of nothing but commands. */
  readonly written: { readonly note: { readonly id: number } | null };
}

/** Comments on issues, merge requests or snippets: writing, replying, resolving, changing and deleting. */
export function notePages(schema: GraphQLSchema, host: NoteHost): PlaceRoute[] {
  const taking = (page: string, name: string, post: NonNullable<PlaceRoute['post']>) =>
    takingOf(host, page, name, post);
  const write = (name: string, type: string) =>
    compileOperation<Written>(
      schema,
      `mutation ($input: ${type}!) { written: ${name}(input: $input) { note { id: databaseId } } }`,
    );
  const comment = write('createNote', 'CreateNoteInput');
  const startThread = write('createDiscussion', 'CreateDiscussionInput');
  const update = write('updateNote', 'UpdateNoteInput');
  const remove = write('destroyNote', 'DestroyNoteInput');
  const resolve = compileOperation<object>(
    schema,
    'mutation ($input: DiscussionToggleResolveInput!) { discussionToggleResolve(input: $input) { discussion { key } } }',
  );
  const { declared, named } = noteNaming(host);
  const find = compileOperation<{ note: Note | null }>(
    schema,
    `query (${declared}, $id: NoteID!) { note(${named}, id: $id) { ${noteFields} } }`,
  );

  const nameOf = ({ named }: Visit, { fullPath }: PlaceHead) => ({ projectPath: fullPath, [host.iid]: named.iid });
  const pathOf = ({ named }: Visit, place: PlaceHead, end = '') => hostPath(host, place, named.iid!, end);
  const threads = threadPages(schema, host);

  /** Writes a comment, and shows the page at it; or the page again with what was typed. @param thread that it replies to */
  async function send(visit: Visit, place: PlaceHead, draft: CommentDraft, thread?: string): Promise<Answer | null> {
    const { body, internal, startsThread, head, review } = draft;
    const input = {
      ...nameOf(visit, place),
      body,
      ...(internal && { internal }),
      ...(thread !== undefined && { discussionId: thread }),
      ...(head && { mergeRequestDiffHeadSha: head }),
    };
    try {
      if (review && host.addToReview) {
        if (internal) throw new InvalidFields({ note: ['can’t be internal in a review'] });
        const added = { body, ...(thread !== undefined && { discussionId: thread }) };
        return seeOtherSaying('draft_note_created', await host.addToReview(visit, place, added), visit);
      }
      const { written } = await (startsThread ? startThread : comment).execute(visit.context, { input });
      if (!written.note) return seeOtherSaying('commands_done', pathOf(visit, place, '#activity'), visit);
      return seeOtherSaying('note_created', pathOf(visit, place, `#note_${written.note.id}`), visit);
    } catch (problem) {
      const again = { ...draft, errors: mistakesOf(problem) };
      if (thread === undefined) return await host.show(visit, place, { comment: again });
      return await threads.show(visit, place, again);
    }
  }

  const resolving = (isResolved: boolean): PlaceRoute =>
    taking(`discussions/:thread/${isResolved ? 'resolve' : 'unresolve'}`, 'resolve thread', async (visit, place) => {
      await resolve.execute(visit.context, {
        input: { ...nameOf(visit, place), id: visit.named.thread, resolve: isResolved },
      });
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

  async function noteOf({ context, named }: Visit, { fullPath }: PlaceHead): Promise<Note | null> {
    if (!/^[1-9]\d{0,9}$/.test(named.note ?? '')) return null;
    try {
      return (await find.execute(context, { project: fullPath, iid: named.iid, id: named.note })).note;
    } catch (problem) {
      if (problem instanceof NotFound) return null;
      throw problem;
    }
  }

  function editForm(visit: Visit, place: PlaceHead, note: Note, draft?: string, errors?: string[]) {
    const { site, named } = visit;
    const title = `Edit a comment on ${host.sign}${named.iid!}`;
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
    resolving(true),
    resolving(false),
    ...threads.routes,
    {
      of: 'project',
      path: `${host.root}/:iid/notes/:note/edit`,
      name: 'edit comment',
      get: (visit, place) => changing(visit, place, (note) => editForm(visit, place, note)),
      post: (visit, place, form) =>
        changing(visit, place, async (note) => {
          const body = readText(form.body);
          const input = { ...nameOf(visit, place), id: String(note.id), body };
          try {
            const { written } = await update.execute(visit.context, { input });
            if (!written.note) return seeOtherSaying('commands_done', pathOf(visit, place, '#activity'), visit);
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
          await remove.execute(visit.context, { input: { ...nameOf(visit, place), id: String(note.id) } });
          return seeOtherSaying('note_deleted', pathOf(visit, place, '#activity'), visit);
        }),
    },
  ];
}
