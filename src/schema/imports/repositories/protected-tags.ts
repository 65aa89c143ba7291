import { importing, NotTaken } from '../origins/importing.ts';
import { leastOf, othersThat, projectOfRule } from './protected-branches.ts';
import { changeTagRule, storeTagRule } from './statements.ts';

importing('protectedTags', {
  description: 'Imports rules that protect tags: key `project/7/v*`.',
  record: (t) => ({
    projectKey: t.string({ required: true }),
    name: t.string({ required: true, description: 'A tag, or a pattern.' }),
    create: t.intList({
      required: true,
      description: 'The roles that make them; 0 for no one, -1 for others than roles.',
    }),
  }),
  refersTo: ({ projectKey }) => [['projects', projectKey]],
  examine: (batch, { create, ...rule }) =>
    Promise.resolve({
      projectId: projectOfRule(batch, rule),
      create: leastOf(create, othersThat(batch, 'make them')),
    }),
  store: async ({ sql }, { name }, { projectId, create }, known) => {
    const [rule] =
      known === undefined
        ? await sql.rows(storeTagRule, [projectId, name, create])
        : await sql.rows(changeTagRule, [known, create]);
    if (!rule) throw new NotTaken('It was removed here.');
    return rule.id;
  },
});
