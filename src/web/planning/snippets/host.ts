import type { GraphQLSchema } from 'graphql';
import type { Highlighter } from '../../repository/files/highlighter.ts';
import { hostFinder, type NoteableHost } from '../notes/host.ts';
import { snippetShower } from './show.tsx';

/** Snippets of projects, as what people discuss. */
export function snippetHost(schema: GraphQLSchema, highlight: Highlighter): NoteableHost {
  return {
    noun: 'snippet',
    field: 'snippet',
    iid: 'snippetId',
    root: '/snippets',
    section: 'snippets',
    called: (iid) => `$${iid}`,
    isSimple: true,
    show: snippetShower(schema, highlight),
    find: hostFinder(schema, 'snippet', ({ snippetsEnabled }) => snippetsEnabled === true),
  };
}
