import type { GraphQLSchema } from 'graphql';
import { domainError } from '../../../context.ts';
import { Conflict, InvalidFields } from '../../../errors.ts';
import type { Answer } from '../../../http/index.ts';
import { compileOperation } from '../../../operation.ts';
import { PlaceLayout } from '../../places/place/layout.tsx';
import { placeQuestion } from '../../places/place/question.tsx';
import type { PlaceHead, PlaceRoute } from '../../places/place/route.ts';
import { readText } from '../../planning/issues/draft.ts';
import { takingOf } from '../../planning/notes/host.ts';
import { Form, NotSaved, TextField } from '../../site/forms/forms.tsx';
import { toAnswer } from '../../site/layout/page.ts';
import { isRecordNumber } from '../../site/paths.ts';
import { requireVisitor, seeOtherSaying, type Visit } from '../../site/visit.ts';
import { sentences } from '../../site/words.ts';
import { mergeRequestPath } from '../merge-requests/addresses.ts';
import type { ShowMergeRequest } from '../merge-requests/show.tsx';
import { anchorOf, draftFields, type Draft } from './draft.ts';

const root = '/merge_requests';
const section = 'merge-requests';

/** Pages of the comments of a review that isn't published yet: changing, deleting and publishing them. */
export function draftPages(schema: GraphQLSchema, show: ShowMergeRequest): PlaceRoute[] {
  const find = compileOperation<{ draftNote: Draft | null }>(
    schema,
    `query ($id: ID!, $project: ID!, $iid: String!) { draftNote(id: $id, projectPath: $project, iid: $iid) { ${draftFields} } }`,
  );
  const operation = (name: string, type: string) =>
    compileOperation<object>(schema, `mutation ($input: ${type}!) { ${name}(input: $input) { __typename } }`);
  const update = operation('draftNoteUpdate', 'DraftNoteUpdateInput');
  const destroy = operation('draftNoteDestroy', 'DraftNoteDestroyInput');
  const publish = compileOperation<{
    draftNotesPublish: { remainingDraftNotes: readonly { readonly id: number }[] };
  }>(
    schema,
    'mutation ($input: DraftNotesPublishInput!) { draftNotesPublish(input: $input) { remainingDraftNotes { id: databaseId } } }',
  );

  const pathOf = ({ named }: Visit, place: PlaceHead, end = '') => mergeRequestPath(place, { iid: named.iid! }, end);
  const nameOf = ({ named: { iid, draft } }: Visit, { fullPath: projectPath }: PlaceHead) => ({
    projectPath,
    iid,
    ...(draft && { id: draft }),
  });

  /** Runs with the draft of the address. Null if the viewer has no such one. */
  async function having(
    visit: Visit,
    place: PlaceHead,
    run: (draft: Draft) => Answer | Promise<Answer>,
  ): Promise<Answer | null> {
    requireVisitor(visit);
    const { iid, draft: id } = visit.named;
    if (!place.mergeRequestsEnabled || !isRecordNumber(iid) || !isRecordNumber(id)) return null;
    const { draftNote } = await find.execute(visit.context, { id, project: place.fullPath, iid });
    return draftNote && (await run(draftNote));
  }

  function editForm(visit: Visit, place: PlaceHead, { id, body }: Pick<Draft, 'id' | 'body'>, errors?: string[]) {
    const title = `Edit a draft on !${visit.named.iid!}`;
    return toAnswer(
      <PlaceLayout site={visit.site} place={place} title={errors ? `Error: ${title}` : title} current={section}>
        <h1>{title}</h1>
        {errors && <NotSaved />}
        <Form csrf={visit.site.visitor!.csrf} action={pathOf(visit, place, `/draft_notes/${id}/edit`)}>
          <TextField name="body" label="Comment" hint="As Markdown." lines={8} value={body} errors={errors} required />
          <div class="decision">
            <button class="button primary">Save changes</button>
            <a href={pathOf(visit, place, `#${anchorOf(id)}`)}>Cancel</a>
          </div>
        </Form>
      </PlaceLayout>,
      errors ? 422 : 200,
    );
  }

  return [
    takingOf({ root }, 'draft_notes/publish', 'publish review', async (visit, place) => {
      requireVisitor(visit);
      if (!place.mergeRequestsEnabled || !isRecordNumber(visit.named.iid)) return null;
      try {
        const { draftNotesPublish } = await publish.execute(visit.context, { input: nameOf(visit, place) });
        const [left] = draftNotesPublish.remainingDraftNotes;
        if (left)
          return seeOtherSaying('review_published_in_part', pathOf(visit, place, `#${anchorOf(left.id)}`), visit);
      } catch (thrown) {
        const problem = domainError(thrown);
        if (problem instanceof Conflict) return await show(visit, place, { review: [problem.message] });
        if (!(problem instanceof InvalidFields)) throw thrown;
        return await show(visit, place, { review: Object.values(problem.fields).flat() });
      }
      return seeOtherSaying('review_published', pathOf(visit, place, '#activity'), visit);
    }),
    {
      of: 'project',
      path: `${root}/:iid/draft_notes/:draft/edit`,
      name: 'edit draft note',
      get: (visit, place) => having(visit, place, (draft) => editForm(visit, place, draft)),
      post: (visit, place, form) =>
        having(visit, place, async ({ id }) => {
          const body = readText(form.body);
          try {
            await update.execute(visit.context, { input: { ...nameOf(visit, place), body } });
          } catch (thrown) {
            const problem = domainError(thrown);
            if (!(problem instanceof InvalidFields)) throw thrown;
            return editForm(visit, place, { id, body }, sentences('The comment', problem.fields.note));
          }
          return seeOtherSaying('draft_note_saved', pathOf(visit, place, `#${anchorOf(id)}`), visit);
        }),
    },
    {
      of: 'project',
      path: `${root}/:iid/draft_notes/:draft/delete`,
      name: 'delete draft note',
      get: (visit, place) =>
        having(visit, place, ({ id }) =>
          placeQuestion(visit, place, section, {
            title: 'Delete your draft?',
            says: 'This can’t be undone.',
            does: 'Delete the draft',
            action: pathOf(visit, place, `/draft_notes/${id}/delete`),
            back: pathOf(visit, place, `#${anchorOf(id)}`),
          }),
        ),
      post: (visit, place) =>
        having(visit, place, async () => {
          await destroy.execute(visit.context, { input: nameOf(visit, place) });
          return seeOtherSaying('draft_note_deleted', pathOf(visit, place, '#activity'), visit);
        }),
    },
  ];
}
