import type { GraphQLSchema } from 'graphql';
import type { Answer } from '../../../http/index.ts';
import { compileOperation } from '../../../operation.ts';
import type { PlaceHead, PlaceRoute } from '../../places/place/route.ts';
import { QuestionForm } from '../../site/forms/confirm.tsx';
import type { Fields } from '../../site/forms/fields.ts';
import { toAnswer } from '../../site/layout/page.ts';
import { forbidden } from '../../site/layout/problems.tsx';
import { compileMutation } from '../../site/mutation.ts';
import { requireVisitor, seeOther, seeOtherSaying, type PageRoute, type Visit } from '../../site/visit.ts';
import { isOutdated, outdated } from '../issues/draft.ts';
import {
  actionsIn,
  draftOf,
  emptyDraft,
  errorsOf,
  mistakesIn,
  readDraft,
  withAnother,
  type SnippetDraft,
  type SnippetErrors,
} from './draft.ts';
import { SnippetForm } from './form.tsx';
import { snippetPath, snippetReader, type ChangedSnippet } from './snippets.ts';
import { Around, mySnippetsPath, newSnippetPath, snippetsPath, whyNoSnippet } from './view.tsx';

type Place = PlaceHead | undefined;

/** A page with a form at an address that people and projects have. */
interface FormAddress {
  readonly path: string;
  readonly name: string;
  readonly get: (visit: Visit, place: Place) => Promise<Answer | null>;
  readonly post: (visit: Visit, place: Place, form: Fields) => Promise<Answer | null>;
}

type Operations = ReturnType<typeof operationsOf>;

function operationsOf(schema: GraphQLSchema) {
  type Rights = { readonly on: { readonly userPermissions: { readonly createSnippet: boolean } } | null };
  const rights = 'userPermissions { createSnippet }';
  const ownRights = compileOperation<Rights>(schema, `query { on: currentUser { ${rights} } }`);
  const rightsIn = compileOperation<Rights>(
    schema,
    `query ($path: ID!) { on: project(fullPath: $path) { ${rights} } }`,
  );
  return {
    find: snippetReader(schema).readChanged,
    async mayCreate({ context }: Visit, place: Place): Promise<boolean> {
      const { on } = await (place
        ? rightsIn.execute(context, { path: place.fullPath })
        : ownRights.execute(context, {}));
      return on?.userPermissions.createSnippet ?? false;
    },
    create: compileMutation<{ snippet: Pick<ChangedSnippet, 'id' | 'project'> }>(
      schema,
      'createSnippet',
      'snippet { id: databaseId project { name fullPath } }',
    ),
    update: compileMutation(schema, 'updateSnippet'),
    remove: compileMutation(schema, 'destroySnippet'),
  };
}

/** The forms of personal snippets. */
export const snippetFormPages = (schema: GraphQLSchema): PageRoute[] =>
  forms(schema).map(({ path, name, get, post }) => ({
    path: `/-${path}`,
    name,
    get: (visit) => get(visit, undefined),
    post: (visit, form) => post(visit, undefined, form),
  }));

/** The forms of the snippets of projects. */
export const projectSnippetFormPages = (schema: GraphQLSchema): PlaceRoute[] =>
  forms(schema).map((form) => ({ ...form, of: 'project' }));

/** The forms of snippets: a new one, changing one, deleting one. */
function forms(schema: GraphQLSchema): FormAddress[] {
  const operations = operationsOf(schema);
  return [newOne, editing, deletion].map((page) => page(operations));
}

const newOne = (operations: Operations): FormAddress => ({
  path: '/snippets/new',
  name: 'new snippet',
  get: (visit, place) => creating(operations, visit, place, () => newForm(visit, place, emptyDraft)),
  post: (visit, place, form) =>
    creating(operations, visit, place, async () => {
      const draft = readDraft(form);
      if (form.add) return newForm(visit, place, withAnother(draft), undefined, true);
      const mistakes = mistakesIn(draft.files, []);
      if (mistakes) return newForm(visit, place, draft, mistakes);
      const { title, description, visibility: visibilityLevel } = draft;
      const input = { ...within(place), title, description, visibilityLevel, blobActions: actionsIn(draft.files) };
      try {
        const { snippet } = (await operations.create.execute(visit.context, { input })).done;
        return seeOtherSaying('snippet_created', snippetPath(snippet), visit);
      } catch (problem) {
        return newForm(visit, place, draft, errorsOf(problem));
      }
    }),
});

const editing = (operations: Operations): FormAddress => ({
  path: '/snippets/:id/edit',
  name: 'edit snippet',
  get: (visit, place) => changing(operations, visit, place, '/edit', (snippet) => editForm(visit, place, snippet)),
  post: (visit, place, form) =>
    changing(operations, visit, place, '/edit', async (snippet) => {
      const draft = readDraft(form);
      const again = (errors: SnippetErrors) => editForm(visit, place, snippet, draft, errors);
      if (form.add) return editForm(visit, place, snippet, withAnother(draft), undefined, true);
      const { title, description, visibility } = draft;
      const describes = isOutdated(form, description);
      if (describes && isOutdated(form, snippet.description)) return again(outdated('snippet'));
      const mistakes = mistakesIn(draft.files, snippet.blobs.nodes);
      if (mistakes) return again(mistakes);
      const actions = actionsIn(draft.files);
      const input = {
        ...within(place),
        id: String(snippet.id),
        ...(title !== form['was.title'] && { title }),
        ...(describes && { description }),
        ...(visibility !== form['was.visibility'] && { visibilityLevel: visibility }),
        ...(actions.length > 0 && { blobActions: actions }),
      };
      try {
        await operations.update.execute(visit.context, { input });
        return seeOtherSaying('snippet_saved', snippetPath(snippet), visit);
      } catch (problem) {
        return again(errorsOf(problem));
      }
    }),
});

const deletion = (operations: Operations): FormAddress => ({
  path: '/snippets/:id/delete',
  name: 'delete snippet',
  get: (visit, place) =>
    changing(operations, visit, place, '/delete', (snippet) => {
      const title = `Delete ${snippet.title}?`;
      return toAnswer(
        <Around site={visit.site} place={place} title={title}>
          <QuestionForm
            csrf={visit.site.visitor!.csrf}
            action={snippetPath(snippet, '/delete')}
            title={title}
            says={`It is deleted with its files${place ? ' and its comments' : ''}. This can’t be undone.`}
            does="Delete the snippet"
            back={snippetPath(snippet)}
          />
        </Around>,
      );
    }),
  post: (visit, place) =>
    changing(operations, visit, place, '/delete', async ({ id }) => {
      await operations.remove.execute(visit.context, { input: { ...within(place), id: String(id) } });
      return seeOtherSaying('snippet_deleted', listPath(place), visit);
    }),
});

const listPath = (place: Place) => (place ? snippetsPath(place) : mySnippetsPath);
const within = (place: Place) => (place ? { projectPath: place.fullPath } : {});

/** Runs if the viewer may create a snippet; otherwise an answer that says why not. */
async function creating(
  { mayCreate }: Operations,
  visit: Visit,
  place: Place,
  create: () => Answer | Promise<Answer>,
): Promise<Answer | null> {
  if (place && !place.snippetsEnabled) return null;
  requireVisitor(visit);
  return (await mayCreate(visit, place)) ? await create() : forbidden(visit.site, whyNoSnippet(place));
}

/** Runs with the snippet of the address, if the viewer may change it; otherwise an answer that says why not. */
async function changing(
  { find }: Operations,
  visit: Visit,
  place: Place,
  page: string,
  change: (snippet: ChangedSnippet) => Answer | Promise<Answer>,
): Promise<Answer | null> {
  requireVisitor(visit);
  const snippet = await find(visit, place?.fullPath);
  if (!snippet) return null;
  if (!place && snippet.project) return seeOther(snippetPath(snippet, page));
  if (place?.archived) return forbidden(visit.site, whyNoSnippet(place));
  if (snippet.userPermissions.updateSnippet) return await change(snippet);
  return forbidden(
    visit.site,
    place
      ? 'Only its author and people with at least the Maintainer role change this snippet.'
      : 'Only its author changes this snippet.',
  );
}

const newForm = ({ site }: Visit, place: Place, draft: SnippetDraft, errors?: SnippetErrors, added = false): Answer =>
  toAnswer(
    <SnippetForm
      site={site}
      place={place}
      title="New snippet"
      action={newSnippetPath(place)}
      back={listPath(place)}
      draft={draft}
      errors={errors}
      added={added}
      does="Create snippet"
    />,
    errors ? 422 : 200,
  );

const editForm = (
  { site }: Visit,
  place: Place,
  snippet: ChangedSnippet,
  draft = draftOf(snippet),
  errors?: SnippetErrors,
  added = false,
): Answer =>
  toAnswer(
    <SnippetForm
      site={site}
      place={place}
      title={`Edit snippet $${snippet.id}`}
      action={snippetPath(snippet, '/edit')}
      back={snippetPath(snippet)}
      draft={draft}
      stored={draftOf(snippet)}
      errors={errors}
      added={added}
      does="Save changes"
    />,
    errors ? 422 : 200,
  );
