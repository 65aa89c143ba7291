import type { GraphQLSchema } from 'graphql';
import type { NoteHost } from '../notes/host.ts';
import { issueFinder } from './issue.ts';
import { issueShower } from './show.tsx';

/** Issues, as what people discuss. */
export function issueHost(schema: GraphQLSchema): NoteHost {
  const find = issueFinder(schema);
  return {
    noun: 'issue',
    field: 'issue',
    iid: 'iid',
    root: '/issues',
    section: 'issues',
    sign: '#',
    show: issueShower(schema),
    find: async (visit, place) => (await find(visit, place))?.issue.userPermissions ?? null,
  };
}
