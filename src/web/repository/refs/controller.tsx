import type { GraphQLSchema } from 'graphql';
import { compileOperation } from '../../../operation.ts';
import { placeQuestion } from '../../places/place/question.tsx';
import type { PlaceRoute } from '../../places/place/route.ts';
import { readQuery } from '../../site/forms/fields.ts';
import { toAnswer } from '../../site/layout/page.ts';
import { pageArguments, pageInfoFields, pagesAround, type PageInfo } from '../../site/records/paging.ts';
import { forbidden } from '../../site/layout/problems.tsx';
import { requireVisitor, seeOther, seeOtherSaying } from '../../site/visit.ts';
import { branchesPath, codePath, deletionPath, tagsPath } from '../code/addresses.ts';
import { commitFields } from '../code/commit-line.tsx';
import { creationPages } from './create.tsx';
import { BranchList, TagList, type ShownBranch, type ShownTag } from './view.tsx';
import { writesTo } from '../../places/place/place.ts';

const onPage = 30;

interface Page<Node> {
  readonly nodes: readonly Node[];
  readonly pageInfo: PageInfo;
}

/** Pages of branches and tags. */
export function refPages(schema: GraphQLSchema): PlaceRoute[] {
  const compile = <Data,>(fields: string) =>
    compileOperation<{ readonly repository: Data }>(
      schema,
      `query ($project: ID!, $search: String, $first: Int, $last: Int, $before: String, $after: String) {
        repository(project: $project) { ${fields} }
      }`,
    );
  const given = 'search: $search, first: $first, last: $last, before: $before, after: $after';
  const readBranches = compile<{ readonly rootRef: string | null; readonly branches: Page<ShownBranch> }>(
    `rootRef branches(${given}, sort: UPDATED_DESC) { nodes { name default merged protected canPush commit { ${commitFields} } } ${pageInfoFields} }`,
  );
  const readTags = compile<{ readonly tags: Page<ShownTag> }>(
    `tags(${given}) { nodes { name message protected canDelete commit { ${commitFields} } } ${pageInfoFields} }`,
  );
  const removal = (name: string, input: string) =>
    compileOperation<object>(schema, `mutation ($input: ${input}!) { ${name}(input: $input) { clientMutationId } }`);
  const removers = {
    branches: removal('branchDelete', 'BranchDeleteInput'),
    tags: removal('tagDelete', 'TagDeleteInput'),
  };
  const nouns = { branches: 'branch', tags: 'tag' } as const;
  const losses = {
    branches: 'Commits that no other branch and no tag has are lost. This can’t be undone.',
    tags: 'Its commit stays as long as a branch or another tag has it. This can’t be undone.',
  };
  const lists = { branches: branchesPath, tags: tagsPath };

  /** The page that asks before it deletes one. */
  const deleting = (kind: 'branches' | 'tags'): PlaceRoute => ({
    path: `/${kind}/delete/*`,
    name: `delete ${nouns[kind]}`,
    of: 'project',
    get(visit, place) {
      requireVisitor(visit);
      const name = visit.named['*'] ?? '';
      if (!writesTo(place))
        return forbidden(visit.site, `You need at least the Developer role to delete a ${nouns[kind]}.`);
      return placeQuestion(visit, place, 'code', {
        title: `Delete the ${nouns[kind]} ${name}?`,
        says: losses[kind],
        does: `Delete the ${nouns[kind]}`,
        action: deletionPath(place, kind, name),
        back: lists[kind](place),
      });
    },
    async post(visit, place) {
      const input = { projectPath: place.fullPath, name: visit.named['*'] ?? '' };
      await removers[kind].execute(visit.context, { input });
      return seeOtherSaying(kind === 'branches' ? 'branch_deleted' : 'tag_deleted', lists[kind](place), visit);
    },
  });

  return [
    {
      path: '/branches',
      name: 'branches',
      of: 'project',
      async get({ context, exchange, site }, place) {
        const query = readQuery(exchange);
        const search = query.search ?? '';
        const { rootRef, branches } = (
          await readBranches.execute(context, {
            project: place.fullPath,
            ...(search && { search }),
            ...pageArguments(query, onPage),
          })
        ).repository;
        return toAnswer(
          <BranchList
            site={site}
            place={place}
            branches={branches.nodes}
            rootRef={rootRef}
            search={search}
            writes={writesTo(place)}
            pages={pagesAround(branchesPath(place), query, branches.pageInfo)}
          />,
        );
      },
    },
    {
      path: '/tags',
      name: 'tags',
      of: 'project',
      async get({ context, exchange, site }, place) {
        const query = readQuery(exchange);
        const search = query.search ?? '';
        const { tags } = (
          await readTags.execute(context, {
            project: place.fullPath,
            ...(search && { search }),
            ...pageArguments(query, onPage),
          })
        ).repository;
        return toAnswer(
          <TagList
            site={site}
            place={place}
            tags={tags.nodes}
            search={search}
            writes={writesTo(place)}
            pages={pagesAround(tagsPath(place), query, tags.pageInfo)}
          />,
        );
      },
    },
    {
      // Bots link to tags by this address.
      path: '/tags/*',
      name: 'tag',
      of: 'project',
      get: ({ named }, place) => seeOther(codePath(place, 'tree', named['*'] ?? '')),
    },
    deleting('branches'),
    deleting('tags'),
    ...creationPages(schema),
  ];
}
