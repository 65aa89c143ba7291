import type { GraphQLSchema } from 'graphql';
import type { Answer } from '../../../http/index.ts';
import type { PlaceHead } from '../../places/place/route.ts';
import { isPart } from '../../planning/notes/thread.ts';
import { toAnswer } from '../../site/layout/page.ts';
import type { Visit } from '../../site/visit.ts';
import { threadLineReader } from '../diffs/thread-lines.ts';
import { mergeRequestFinder } from './merge-request.ts';
import { MergeRequestPage, type Typed } from './view.tsx';

/** Shows the page of a merge request, again with what a person typed if it was refused. Null: there is no such one. */
export type ShowMergeRequest = (visit: Visit, place: PlaceHead, typed?: Typed) => Promise<Answer | null>;

export function mergeRequestShower(schema: GraphQLSchema): ShowMergeRequest {
  const find = mergeRequestFinder(schema);
  const linesOf = threadLineReader(schema);
  return async (visit, place, typed) => {
    const found = await find(visit, place);
    if (!found) return null;
    const lines = await linesOf(visit, place, found.mergeRequest);
    const scripts = isPart({ site: visit.site, ...found, threads: found.mergeRequest.discussions.nodes });
    return toAnswer(
      <MergeRequestPage site={visit.site} place={place} {...found} lines={lines} scripts={scripts} typed={typed} />,
      typed === undefined ? 200 : 422,
      { scripts },
    );
  };
}
