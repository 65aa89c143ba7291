import type { Context } from '../../../context.ts';
import { parent } from '../../../database/list.ts';
import { BadRequest, Forbidden } from '../../../errors.ts';
import { holds, reads, readSnippets } from '../../../policy/index.ts';
import { User } from '../../accounts/users/types.ts';
import { orNull } from '../../engine/absent.ts';
import { builder } from '../../engine/builder.ts';
import { idIn } from '../../engine/global-id.ts';
import { listOfEach, nestedList, rootList } from '../../engine/list.ts';
import { facts, lookUp, prefetchPlace } from '../../places/place/look-up.ts';
import { Project } from '../../places/place/types.ts';
import { Search } from '../../places/search/fields.ts';
import { lookUpProjectSnippet, lookUpSnippet, prefetchSnippet, snippetIdOf } from './look-up.ts';
import { snippetList, type SnippetFilter } from './statements/list.ts';
import { findProjectOfSnippets, type SnippetRecord } from './statements/reading.ts';
import { Snippet } from './types.ts';
import './blobs.ts';

/** Single snippets, and lists of them: of a project, of a person, and of all that one reads. */

builder.queryField('snippet', (t) =>
  t.field({
    type: Snippet,
    nullable: true,
    description:
      'A snippet by id; null if it is missing or you can’t read it. If you name a project, it must belong to it.',
    admission: { class: 'token', scopes: reads, anonymous: true },
    prefetch: prefetchSnippet,
    args: {
      id: t.arg({ type: 'SnippetID', required: true }),
      project: t.arg.id({ description: 'Full path, global id or number.' }),
    },
    resolve: async (_root, { id, project }, context) => {
      const found = project == null ? lookUpSnippet(context, id) : lookUpProjectSnippet(context, project, id);
      return (await orNull('Snippet', found))?.snippet ?? null;
    },
  }),
);

const VisibilityScopesEnum = builder.enumType('VisibilityScopesEnum', {
  description: 'Who reads a snippet, where its project allows it.',
  values: {
    private: { value: 'PRIVATE', description: 'Its author, and the members of its project.' },
    internal: { value: 'INTERNAL', description: 'All signed-in people.' },
    public: { value: 'PUBLIC', description: 'Everyone.' },
  } as const,
});

const TypeEnum = builder.enumType('TypeEnum', {
  description: 'The kinds of snippets.',
  values: { personal: {}, project: {} } as const,
});

const common = builder.args((t) => ({
  ids: t.field({ type: ['SnippetID'], description: 'Only these.' }),
  visibility: t.field({ type: VisibilityScopesEnum }),
}));
const typed = builder.args((t) => ({ type: t.field({ type: TypeEnum, description: 'Only those of this kind.' }) }));

const maxNamed = 1_000;

interface Asked {
  readonly ids?: readonly string[] | null;
  readonly visibility?: SnippetRecord['visibility'] | null;
  readonly type?: 'personal' | 'project' | null;
}

/** @throws BadRequest */
function filterOf({ ids, visibility, type }: Asked): SnippetFilter {
  if ((ids?.length ?? 0) > maxNamed) throw new BadRequest(`Name no more than ${maxNamed} snippets.`);
  return { ids: ids?.map(snippetIdOf), visibility, kind: type };
}

/** @throws NotFound for the project; Forbidden if the viewer doesn't have its snippets */
async function projectOf(context: Context, given: string): Promise<number> {
  const row = await lookUp(context, findProjectOfSnippets, 'Project', given);
  if (!holds(readSnippets, context.viewer, facts(row))) throw new Forbidden();
  return row.id;
}

const newest = { orders: { id: { column: 's.id', type: 'int' } }, by: 'id_desc' } as const;

rootList('snippets', {
  type: Snippet,
  description: 'Snippets that you can read, the newest first.',
  admission: { class: 'token', scopes: reads },
  prefetch: ({ projectId }) => prefetchPlace(findProjectOfSnippets, 'Project', projectId),
  ...newest,
  args: (t) => ({
    ...common,
    ...typed,
    authorId: t.field({ type: 'UserID', description: 'Only those of this person.' }),
    projectId: t.field({ type: 'ProjectID', description: 'Only those of this project. Full paths do too.' }),
    explore: t.boolean({ description: 'Whether to leave out those of projects.' }),
    createdAfter: t.field({ type: 'Time' }),
    createdBefore: t.field({ type: 'Time' }),
  }),
  rows: async (context, { authorId, projectId, explore, createdAfter, createdBefore, ...asked }) => {
    const filter = { ...filterOf(asked), createdAfter, createdBefore };
    if (authorId != null && projectId != null)
      throw new BadRequest('Filtering by both an author and a project is not supported');
    if (projectId != null)
      return snippetList(context.viewer, { ...filter, project: await projectOf(context, projectId) });
    if (authorId != null) return snippetList(context.viewer, { ...filter, author: idIn(authorId, 'User') });
    return snippetList(context.viewer, explore ? { ...filter, kind: 'personal' } : filter);
  },
});

const ofEachProject = listOfEach(({ viewer }, filter: SnippetFilter) =>
  snippetList(viewer, { ...filter, project: parent }),
);

nestedList(Project, 'snippets', {
  type: Snippet,
  nullable: true,
  description: 'The snippets of the project that you can read, the newest first.',
  ...newest,
  args: () => common,
  rows: (context, asked, _info, { id }) => ofEachProject(context, id, filterOf(asked)),
});

const ofEachAuthor = listOfEach(({ viewer }, filter: SnippetFilter) =>
  snippetList(viewer, { ...filter, author: parent }),
);

nestedList(User, 'snippets', {
  type: Snippet,
  nullable: true,
  description: 'The snippets of the person that you can read, the newest first.',
  admission: { class: 'token', scopes: reads, anonymous: true },
  ...newest,
  args: (t) => ({
    ...common,
    ...typed,
    createdAfter: t.field({ type: 'Time' }),
    createdBefore: t.field({ type: 'Time' }),
  }),
  rows: (context, { createdAfter, createdBefore, ...asked }, _info, { id }) =>
    ofEachAuthor(context, id, {
      ...filterOf(asked),
      createdAfter: createdAfter ?? undefined,
      createdBefore: createdBefore ?? undefined,
    }),
});

nestedList(Search, 'snippets', {
  type: Snippet,
  nullable: true,
  description: 'Snippets with all words in the title, the newest first. Null in a group and in a project.',
  ...newest,
  rows: ({ viewer }, _asked, _info, { text: search, place }) => (place ? null : snippetList(viewer, { search })),
});
