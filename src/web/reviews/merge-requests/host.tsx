import type { GraphQLSchema } from 'graphql';
import { hostFinder, type NoteableHost } from '../../planning/notes/host.ts';
import { threadLineReader } from '../diffs/thread-lines.ts';
import { PlaceInChanges } from '../diffs/thread-place.tsx';
import { anchorOf, draftAdder, draftReader } from '../draft-notes/draft.ts';
import { Drafts, repliesTo } from '../draft-notes/view.tsx';
import { mergeRequestPath } from './addresses.ts';
import { mergeRequestShower } from './show.tsx';

/** Merge requests, as what people discuss. */
export function mergeRequestHost(schema: GraphQLSchema): NoteableHost {
  const linesOf = threadLineReader(schema);
  const addDraft = draftAdder(schema);
  const readDrafts = draftReader(schema);
  return {
    noun: 'merge request',
    field: 'mergeRequest',
    iid: 'mergeRequestIid',
    root: '/merge_requests',
    section: 'merge-requests',
    called: (iid) => `!${iid}`,
    show: mergeRequestShower(schema),
    find: hostFinder(schema, 'mergeRequest', ({ mergeRequestsEnabled }) => mergeRequestsEnabled),
    async addToReview(visit, place, comment) {
      const id = await addDraft(visit, place, comment);
      return mergeRequestPath(place, { iid: visit.named.iid! }, `#${anchorOf(id)}`);
    },
    async draftsOf(visit, place, thread) {
      const path = mergeRequestPath(place, { iid: visit.named.iid! });
      return <Drafts drafts={repliesTo(await readDrafts(visit, place), thread)} path={path} />;
    },
    async above(visit, place, thread) {
      const path = mergeRequestPath(place, { iid: visit.named.iid! });
      const lines = await linesOf(visit, place, { discussions: { nodes: [thread] } });
      return <PlaceInChanges thread={thread} path={path} lines={lines} />;
    },
  };
}
