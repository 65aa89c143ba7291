import type { GraphQLSchema } from 'graphql';
import { hostFinder, type NoteableHost } from '../notes/host.ts';
import { issueShower } from './show.tsx';

/** Issues, as what people discuss. */
export function issueHost(schema: GraphQLSchema): NoteableHost {
  return {
    noun: 'issue',
    field: 'issue',
    iid: 'iid',
    root: '/issues',
    section: 'issues',
    called: (iid) => `#${iid}`,
    show: issueShower(schema),
    find: hostFinder(schema, 'issue', ({ issuesEnabled }) => issuesEnabled),
  };
}
