import type { GraphQLSchema } from 'graphql';
import { hostFinder, type NoteHost } from '../../planning/notes/host.ts';
import { threadLineReader } from '../diffs/thread-lines.ts';
import { ThreadPlace } from '../diffs/thread-place.tsx';
import { mergeRequestPath } from './addresses.ts';
import { mergeRequestShower } from './show.tsx';

/** Merge requests, as what people discuss. */
export function mergeRequestHost(schema: GraphQLSchema): NoteHost {
  const linesOf = threadLineReader(schema);
  return {
    noun: 'merge request',
    field: 'mergeRequest',
    iid: 'mergeRequestIid',
    root: '/merge_requests',
    section: 'merge-requests',
    sign: '!',
    show: mergeRequestShower(schema),
    find: hostFinder(schema, 'mergeRequest', ({ mergeRequestsEnabled }) => mergeRequestsEnabled),
    async above(visit, place, thread) {
      const path = mergeRequestPath(place, { iid: visit.named.iid! });
      const lines = await linesOf(visit, place, { discussions: { nodes: [thread] } });
      return <ThreadPlace thread={thread} path={path} lines={lines} />;
    },
  };
}
