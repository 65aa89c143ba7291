import { importing, NotTaken } from '../origins/importing.ts';
import { insertLink } from './statements.ts';

importing('issueLinks', {
  description: 'Imports links between issues, from each end: nothing is written while the other one isn’t here.',
  record: (t) => ({
    id: t.string({ description: 'Its id there, if it has one.' }),
    sourceKey: t.string({ required: true }),
    targetKey: t.string({ required: true }),
    createdAt: t.field({ type: 'Time', required: true }),
  }),
  refersTo: ({ sourceKey, targetKey }) => [
    ['issues', sourceKey],
    ['issues', targetKey],
  ],
  examine: async ({ localOf }, { sourceKey, targetKey }) => {
    const [source, target] = [localOf('issues', sourceKey), localOf('issues', targetKey)];
    if (source === undefined) throw new NotTaken('Its issue isn’t here.');
    return { source, target };
  },
  store: async ({ sql, keep }, { id, createdAt }, { source, target }) => {
    if (target === undefined) return null;
    const [made] = await sql.rows(insertLink, [source, target, createdAt, await keep('issue_links', id)]);
    return made?.id ?? null;
  },
});
