import type { GraphQLSchema } from 'graphql';
import { domainError } from '../../../context.ts';
import { BadRequest, Conflict, Enough, Forbidden, InvalidFields, NotFound } from '../../../errors.ts';
import { compileOperation } from '../../../operation.ts';
import { mistakesIn, typedIn, type Mistakes } from '../../site/forms/attributes.tsx';
import { readQuery, type Fields } from '../../site/forms/fields.ts';
import { toAnswer } from '../../site/layout/page.ts';
import { requireVisitor, seeOtherSaying, type PageRoute, type Visit } from '../../site/visit.ts';
import { placePath, visibilities } from '../place/place.ts';
import { newGroupPath, NewPlace, newProjectPath, type Namespace } from './view.tsx';

/** How many groups the form offers; a search finds others. */
const maxGroups = 50;

const labels = {
  name: 'The name',
  path: 'The path',
  parent: 'The group',
  namespace: 'The place',
  description: 'The description',
  visibility: 'The visibility',
  visibilityLevel: 'The visibility',
  limit: 'Your limit of projects',
};

/** The pages on which people make groups and projects. */
export function creationPages(schema: GraphQLSchema): PageRoute[] {
  const list = compileOperation<{ groups: { nodes: Namespace[]; pageInfo: { hasNextPage: boolean } } }>(
    schema,
    `query ($level: AccessLevelEnum, $search: String) {
      groups(minAccessLevel: $level, search: $search, first: ${maxGroups}, sort: "path_asc") {
        nodes { fullPath fullName } pageInfo { hasNextPage }
      }
    }`,
  );
  const make = {
    group: compileOperation<{ made: { place: { fullPath: string } } }>(
      schema,
      'mutation ($input: CreateGroupInput!) { made: createGroup(input: $input) { place: group { fullPath } } }',
    ),
    project: compileOperation<{ made: { place: { fullPath: string } } }>(
      schema,
      'mutation ($input: CreateProjectInput!) { made: createProject(input: $input) { place: project { fullPath } } }',
    ),
  };
  /** The least role with which the kind of place may be made in a group; what each group allows is said after that. */
  const least = { group: 'MAINTAINER', project: 'DEVELOPER' } as const;

  function page(kind: 'group' | 'project', path: string): PageRoute {
    async function show(visit: Visit, typed: Fields, mistakes: Mistakes = {}) {
      requireVisitor(visit);
      const search = (typed.search ?? '').slice(0, 255).trim();
      const { groups } = await list.execute(visit.context, { level: least[kind], ...(search && { search }) });
      const wrong = Object.keys(mistakes).length > 0;
      return toAnswer(
        <NewPlace
          site={visit.site}
          kind={kind}
          groups={groups.nodes}
          more={groups.pageInfo.hasNextPage}
          search={search}
          typed={typed}
          mistakes={mistakes}
        />,
        wrong ? 422 : 200,
      );
    }
    return {
      path,
      name: `new ${kind}`,
      get(visit) {
        const { in: within, search } = readQuery(visit.exchange);
        return show(visit, { in: within, search });
      },
      async post(visit, form) {
        const typed = typedIn(['name', 'path', 'in', 'description', 'visibility', 'readme', 'search'], form);
        const name = typed.name!.trim();
        const within = typed.in!.trim().replace(/^\/+|\/+$/g, '');
        const input = {
          name,
          path: typed.path!.trim() || pathOf(name),
          description: typed.description!,
          ...(Object.hasOwn(visibilities, typed.visibility!) && { visibility: typed.visibility }),
          ...(kind === 'group' && within !== '' && { parent: within }),
          ...(kind === 'project' && within !== '' && { namespace: within }),
          ...(kind === 'project' && { initializeWithReadme: typed.readme === 'on' }),
        };
        if (name === '') return show(visit, typed, { name: ['The name can’t be blank.'] });
        try {
          const { made } = await make[kind].execute(visit.context, { input });
          return seeOtherSaying('place_made', placePath(kind, made.place.fullPath), visit);
        } catch (thrown) {
          return show(visit, typed, mistakesOf(domainError(thrown), thrown));
        }
      },
    };
  }

  return [page('group', newGroupPath), page('project', newProjectPath)];
}

/** The path that a name suggests: `My Shop` is `my-shop`. */
const pathOf = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9_.]+/g, '-')
    .replace(/^[-.]+|[-.]+$/g, '');

/** What is wrong, by the field to blame. @throws errors that have pages of their own */
function mistakesOf(problem: unknown, thrown: unknown): Mistakes {
  if (problem instanceof InvalidFields) return mistakesIn(problem.fields, labels);
  if (problem instanceof NotFound) return { in: ['There is no such group that you can see.'] };
  if (problem instanceof Forbidden) return { in: ['You may not make one there.'] };
  if (problem instanceof Conflict || problem instanceof BadRequest || problem instanceof Enough)
    return { name: [problem.message] };
  throw thrown;
}
