import createRouter from 'find-my-way';
import type { GraphQLSchema } from 'graphql';
import { domainError } from '../../../context.ts';
import { Forbidden, Moved, NotFound } from '../../../errors.ts';
import { compileOperation } from '../../../operation.ts';
import type { Answer } from '../../../http/index.ts';
import { picturedFields, type Pictured } from '../avatars/avatar.tsx';
import type { Fields } from '../../site/forms/fields.ts';
import { reads } from '../../site/dispatch.ts';
import { forbidden, pageNotFound } from '../../site/layout/problems.tsx';
import { nameSegments } from '../../site/paths.ts';
import { requireVisitor, seeOther, type PageRoute, type Visit } from '../../site/visit.ts';
import { placePath, type Kind } from './place.ts';

/** Pages of groups and projects below `/-/`: `/demo/storefront/-/issues`. */

/** What every page of a place knows of it. */
export interface PlaceHead extends Pictured {
  readonly kind: Kind;
  readonly fullPath: string;
  /** Nothing can be changed in an archived project. */
  readonly archived: boolean;
  /** Whether the viewer has issues there. */
  readonly issuesEnabled: boolean;
  /** Whether the viewer has merge requests there. */
  readonly mergeRequestsEnabled: boolean;
  /** Of a project: whether the viewer has jobs there. */
  readonly jobsEnabled?: boolean;
  /** Of a project: whether the viewer has snippets there. */
  readonly snippetsEnabled?: boolean;
  /** How many of a project are open. */
  readonly openMergeRequests?: { readonly count: number } | null;
  readonly userPermissions: {
    readonly createIssue: boolean;
    readonly setIssueMetadata: boolean;
    readonly adminLabel: boolean;
    readonly adminMilestone: boolean;
    /** Of a project: whether the viewer reads its repository, and whether their role lets them write to it. */
    readonly downloadCode?: boolean;
    readonly pushCode?: boolean;
    readonly createMergeRequestFrom?: boolean;
    readonly createMergeRequestIn?: boolean;
    /** Of a project: whether the viewer reads its pipelines. */
    readonly readPipeline?: boolean;
    /** Of a project: whether the viewer sees its environments, and whether they change them. */
    readonly readEnvironment?: boolean;
    readonly createDeployment?: boolean;
    /** Of a group: whether the viewer changes its settings. */
    readonly viewEditPage?: boolean;
    /** Of a project: whether the viewer maintains it. */
    readonly adminProject?: boolean;
    /** Of a group. */
    readonly readEpic?: boolean;
  };
}

type Shown = Answer | null | Promise<Answer | null>;

interface PlaceAddress extends Pick<PageRoute, 'name'> {
  /** The kind of place that has it; both by default. */
  readonly of?: Kind;
  /** Below `/-`: `/issues/:iid`. */
  readonly path: string;
  /** Whether everyone else is asked to sign in, whatever there is at the address. */
  readonly forPeople?: true;
}

type PlacePost = (visit: Visit, place: PlaceHead, fields: Fields) => Shown;

/** A page of a group or a project; null means 404. */
interface PlacePage extends PlaceAddress {
  readonly get: (visit: Visit, place: PlaceHead) => Shown;
  readonly post?: PlacePost;
  readonly leadsTo?: undefined;
}

/** An address that only takes a form. */
interface PlaceForm extends PlaceAddress {
  readonly post: PlacePost;
  /** The address to which a GET redirects: that of the page with the form. */
  readonly leadsTo: (visit: Visit, place: PlaceHead) => string;
  readonly get?: undefined;
}

export type PlaceRoute = PlacePage | PlaceForm;

/** Finds a page of a place by its address. */
export interface PlaceRouter {
  /** Null if no page of a place has this address. */
  find(path: string): { readonly page: PageRoute; readonly named: Visit['named'] } | null;
}

/** The permissions that the navigation of a place goes by. */
export const navigated = {
  project:
    'createIssue setIssueMetadata adminLabel adminMilestone downloadCode pushCode createMergeRequestFrom createMergeRequestIn readPipeline readEnvironment createDeployment adminProject',
  group: 'adminLabel adminMilestone readEpic viewEditPage',
};

/** @throws GraphQLError when an operation doesn't fit the schema */
export function placeRouter(schema: GraphQLSchema, routes: readonly PlaceRoute[]): PlaceRouter {
  const finder = (kind: Kind, more: string) =>
    compileOperation<{ place: Omit<PlaceHead, 'kind'> | null }>(
      schema,
      `query ($path: ID!) { place: ${kind}(fullPath: $path) {
        ${picturedFields} fullPath ${more} userPermissions { ${navigated[kind]} }
      } }`,
    );
  const find = {
    group: finder('group', ''),
    project: finder(
      'project',
      'archived issuesEnabled mergeRequestsEnabled jobsEnabled snippetsEnabled openMergeRequests: mergeRequests(state: opened, first: 1) { count }',
    ),
  };

  async function headOf({ context }: Visit, kind: Kind, path: string): Promise<PlaceHead | null> {
    const segments = nameSegments(path);
    if (!segments) return null;
    const { place } = await find[kind].execute(context, { path: segments.join('/') });
    return (
      place && {
        ...(kind === 'group' && { archived: false, issuesEnabled: true, mergeRequestsEnabled: true }),
        ...place,
        kind,
      }
    );
  }

  /** The address of the same page of a place that has another path now; null if the viewer can't see it. */
  async function movedTo({ context, exchange }: Visit, kind: Kind, path: string, { id }: Moved) {
    const { place } = await find[kind].execute(context, { path: String(id) });
    const below = exchange.path.slice(placePath(kind, path).length);
    return place && seeOther(placePath(kind, place.fullPath) + below + (exchange.query && `?${exchange.query}`));
  }

  function pageOf(route: PlaceRoute, kind: Kind, path: string): PageRoute {
    const { name, forPeople, post } = route;
    /** Answers about a place; what isn’t there or isn’t allowed leads back to it. */
    async function answered(outside: Visit, answer: (visit: Visit, place: PlaceHead) => Shown): Promise<Answer | null> {
      if (forPeople) requireVisitor(outside);
      const place = await headOf(outside, kind, path);
      if (!place) return null;
      const within = { name: place.name, path: placePath(kind, place.fullPath) };
      const visit = { ...outside, site: { ...outside.site, within } };
      try {
        return (await answer(visit, place)) ?? pageNotFound(visit.site);
      } catch (thrown) {
        const problem = domainError(thrown);
        if (problem instanceof NotFound && !(problem instanceof Moved)) return pageNotFound(visit.site);
        if (problem instanceof Forbidden && reads(visit.exchange)) return forbidden(visit.site, problem.message);
        throw thrown;
      }
    }
    return {
      path,
      name,
      async get(visit) {
        try {
          return await answered(visit, (inside, place) =>
            route.get ? route.get(inside, place) : seeOther(route.leadsTo(inside, place)),
          );
        } catch (thrown) {
          const problem = domainError(thrown);
          if (problem instanceof Moved) return await movedTo(visit, kind, path, problem);
          throw thrown;
        }
      },
      ...(post && { post: (visit, fields) => answered(visit, (inside, place) => post(inside, place, fields)) }),
    };
  }

  const routers = { group: createRouter(), project: createRouter() };
  for (const route of routes)
    for (const kind of ['group', 'project'] as const)
      if (route.of === undefined || route.of === kind) routers[kind].on('GET', route.path, () => undefined, route);

  return {
    find(address) {
      const [, isGroup, path, below] = /^\/(groups\/)?(.+?)\/-(\/.+)$/.exec(address) ?? [];
      if (path === undefined || below === undefined) return null;
      const kind = isGroup === undefined ? 'project' : 'group';
      const known = routers[kind].find('GET', below);
      return known && { page: pageOf(known.store as PlaceRoute, kind, path), named: known.params };
    },
  };
}
