import type { GraphQLSchema } from 'graphql';
import type { Answer } from '../../../http/index.ts';
import type { PlaceHead } from '../../places/place/route.ts';
import { toAnswer } from '../../site/layout/page.ts';
import type { Visit } from '../../site/visit.ts';
import { isPart } from '../notes/thread.ts';
import { issueFinder } from './issue.ts';
import { IssuePage, type Typed } from './view.tsx';

/** Shows the page of an issue, again with what a person typed if it was refused. Null: there is no such issue. */
export type ShowIssue = (visit: Visit, place: PlaceHead, typed?: Typed) => Promise<Answer | null>;

export function issueShower(schema: GraphQLSchema): ShowIssue {
  const find = issueFinder(schema);
  return async (visit, place, typed) => {
    const found = await find(visit, place);
    if (!found) return null;
    const scripts = isPart({ site: visit.site, ...found, threads: found.issue.discussions.nodes });
    return toAnswer(
      <IssuePage site={visit.site} place={place} {...found} scripts={scripts} typed={typed} />,
      typed === undefined ? 200 : 422,
      { scripts },
    );
  };
}
