import type { GraphQLSchema } from 'graphql';
import type { PlaceRoute } from '../places/place/route.ts';
import { awardPages } from '../planning/awards/controller.tsx';
import { notePages } from '../planning/notes/controller.tsx';
import { noteOperations } from '../planning/notes/operations.ts';
import { itemTodoPages } from '../planning/todos/item-controller.ts';
import { changePages } from './diffs/controller.tsx';
import { draftPages } from './draft-notes/controller.tsx';
import { mergeRequestPages } from './merge-requests/controller.tsx';
import { mergeRequestFormPages } from './merge-requests/form-controller.tsx';
import { mergeRequestHost } from './merge-requests/host.tsx';
import { mergeRequestShower } from './merge-requests/show.tsx';
import { mergeRequestListPages } from './merge-requests/list-controller.tsx';

/** The pages of merge requests, below the addresses of groups and projects. */
export function reviewRoutes(schema: GraphQLSchema): PlaceRoute[] {
  const host = mergeRequestHost(schema);
  const show = mergeRequestShower(schema);
  return [
    ...mergeRequestListPages(schema),
    ...mergeRequestFormPages(schema),
    ...mergeRequestPages(schema),
    ...changePages(schema, show),
    ...draftPages(schema, show),
    ...notePages(host, noteOperations(schema, host)),
    ...awardPages(schema, host),
    ...itemTodoPages(schema, host),
  ];
}
