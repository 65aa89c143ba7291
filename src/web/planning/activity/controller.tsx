import type { GraphQLSchema } from 'graphql';
import { compileOperation } from '../../../operation.ts';
import { below } from '../../places/place/layout.tsx';
import type { PlaceRoute } from '../../places/place/route.ts';
import { readQuery } from '../../site/forms/fields.ts';
import { toAnswer } from '../../site/layout/page.ts';
import { nameSegments } from '../../site/paths.ts';
import { pagesAround } from '../../site/records/paging.ts';
import { requireVisitor, type PageRoute, type Visit } from '../../site/visit.ts';
import {
  activityAround,
  filterOf,
  groupActivity,
  personActivity,
  projectActivity,
  type HappeningPage,
} from './happenings.ts';
import {
  ActivityAround,
  aroundPath,
  GroupActivity,
  PersonActivity,
  personActivityPath,
  ProjectActivity,
  type ShownList,
} from './view.tsx';

/** A page of a list, as views take it. */
function shownAt(path: string, { exchange }: Visit, { nodes, pageInfo }: HappeningPage): ShownList {
  const query = readQuery(exchange);
  return { path, filter: filterOf(query), happenings: nodes, pages: pagesAround(path, query, pageInfo) };
}

/** What happened in a project or a group, for all who see it. */
export function placeActivityPages(schema: GraphQLSchema): PlaceRoute[] {
  const [list, ofGroup] = [projectActivity(schema), groupActivity(schema)];
  return [
    {
      of: 'group',
      path: '/activity',
      name: 'activity of a group',
      async get(visit, place) {
        const page = await ofGroup(visit.context, { group: place.fullPath }, readQuery(visit.exchange));
        const shown = shownAt(below(place, '/activity'), visit, page);
        return toAnswer(<GroupActivity site={visit.site} place={place} list={shown} />);
      },
    },
    {
      of: 'project',
      path: '/activity',
      name: 'activity of a project',
      async get(visit, place) {
        const page = await list(visit.context, { project: place.fullPath }, readQuery(visit.exchange));
        // It needn't be read for each event.
        const nodes = page.nodes.map((one) => ({ ...one, project: place }));
        const shown = shownAt(below(place, '/activity'), visit, { ...page, nodes });
        return toAnswer(<ProjectActivity site={visit.site} place={place} list={shown} />);
      },
    },
  ];
}

/** What a person did, and what everybody did in one's projects. */
export function activityPagesOfPeople(schema: GraphQLSchema): PageRoute[] {
  const find = compileOperation<{ user: { name: string; username: string; createdAt: string | null } | null }>(
    schema,
    'query ($name: String!) { user(username: $name) { name username createdAt } }',
  );
  const [ofPerson, around] = [personActivity(schema), activityAround(schema)];
  return [
    {
      path: personActivityPath(':username'),
      name: 'activity of a person',
      async get(visit) {
        // As their profile: anonymous visitors don't learn which usernames exist.
        requireVisitor(visit);
        const [name] = nameSegments(encodeURIComponent(visit.named.username!)) ?? [];
        if (name === undefined) return null;
        const { user } = await find.execute(visit.context, { name });
        if (!user) return null;
        const page = await ofPerson(visit.context, { user: user.username }, readQuery(visit.exchange));
        const person = { ...user, isPrivate: user.createdAt === null };
        const shown = shownAt(personActivityPath(user.username), visit, page);
        return toAnswer(<PersonActivity site={visit.site} person={person} list={shown} />);
      },
    },
    {
      path: aroundPath,
      name: 'activity in my projects',
      async get(visit) {
        requireVisitor(visit);
        const page = await around(visit.context, {}, readQuery(visit.exchange));
        return toAnswer(<ActivityAround site={visit.site} list={shownAt(aroundPath, visit, page)} />);
      },
    },
  ];
}
