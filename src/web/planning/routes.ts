import type { GraphQLSchema } from 'graphql';
import type { PlaceRoute } from '../places/place/route.ts';
import type { Highlighter } from '../repository/files/highlighter.ts';
import { placeActivityPages } from './activity/controller.tsx';
import { awardPages } from './awards/controller.tsx';
import { epicPages } from './epics/controller.tsx';
import { issueHost } from './issues/host.ts';
import { issuePages } from './issues/controller.tsx';
import { issueLinkPages } from './issues/links-controller.ts';
import { issueFormPages } from './issues/form-controller.tsx';
import { issueListPages } from './issues/list-controller.tsx';
import { labelPages } from './labels/controller.tsx';
import { milestonePages } from './milestones/controller.tsx';
import { notePages } from './notes/controller.tsx';
import { noteOperations } from './notes/operations.ts';
import { projectSnippetPages } from './snippets/controller.tsx';
import { projectSnippetFormPages } from './snippets/form-controller.tsx';
import { snippetHost } from './snippets/host.ts';
import { itemTodoPages } from './todos/item-controller.ts';

/** The pages of planning, below the addresses of groups and projects. */
export function planningRoutes(schema: GraphQLSchema, highlight: Highlighter): PlaceRoute[] {
  const issues = issueHost(schema);
  const snippets = snippetHost(schema, highlight);
  return [
    ...placeActivityPages(schema),
    ...issueListPages(schema),
    ...issuePages(schema),
    ...issueLinkPages(schema),
    ...issueFormPages(schema),
    ...notePages(issues, noteOperations(schema, issues)),
    ...awardPages(schema, issues),
    ...itemTodoPages(schema, issues),
    ...labelPages(schema),
    ...milestonePages(schema),
    ...projectSnippetPages(schema, highlight),
    ...notePages(snippets, noteOperations(schema, snippets)),
    ...awardPages(schema, snippets),
    ...projectSnippetFormPages(schema),
    ...epicPages(schema),
  ];
}
