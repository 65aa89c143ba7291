import type { GraphQLSchema } from 'graphql';
import type { NoteHost } from '../../planning/notes/host.ts';
import { mergeRequestFinder } from './merge-request.ts';
import { mergeRequestShower } from './show.tsx';

/** Merge requests, as what people discuss. */
export function mergeRequestHost(schema: GraphQLSchema): NoteHost {
  const find = mergeRequestFinder(schema);
  return {
    noun: 'merge request',
    field: 'mergeRequest',
    iid: 'mergeRequestIid',
    root: '/merge_requests',
    section: 'merge-requests',
    sign: '!',
    show: mergeRequestShower(schema),
    find: async (visit, place) => (await find(visit, place))?.mergeRequest.userPermissions ?? null,
  };
}
