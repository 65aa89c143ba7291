import { longestRuleName, tooLong } from '../../../values/text/lengths.ts';
import { Problems } from '../../engine/input.ts';
import { importing, NotTaken, type Batch } from '../origins/importing.ts';
import { refuse } from '../people/people.ts';
import { changeRule, storeRule } from './statements.ts';

/** The levels that there are: no one, developers, maintainers, administrators. */
const levels: ReadonlySet<number> = new Set([0, 30, 40, 60]);

/**
 * Of several levels, one stays: the least role, unless no one has one.
 * @param others is called if the rule also names people or groups
 */
export function leastOf(given: readonly number[], others: () => void): number {
  const known = given.filter((level) => levels.has(level));
  if (known.length < given.length) others();
  const roles = known.filter((level) => level > 0);
  return roles.length > 0 ? Math.min(...roles) : 0;
}

/**
 * The project of a rule, if its name may be one.
 * @throws NotTaken, InvalidFields
 */
export function projectOfRule(
  batch: Batch,
  { projectKey, name }: { readonly projectKey: string; readonly name: string },
): number {
  const projectId = batch.localOf('projects', projectKey);
  if (projectId === undefined && !batch.dryRun) throw new NotTaken('Its project wasn’t imported.');
  const problems = new Problems();
  if (name.trim() === '') problems.add('name', ["can't be blank"]);
  if (name.length > longestRuleName) problems.add('name', [tooLong(longestRuleName)]);
  refuse(problems);
  return projectId ?? 0;
}

/** Notes that a rule also names people or groups. */
export const othersThat = (batch: Batch, what: string) => (): void =>
  batch.remark(`It names people or groups that ${what}: only roles are known here.`);

importing('protectedBranches', {
  description: 'Imports rules that protect branches: key `project/7/main`.',
  record: (t) => ({
    projectKey: t.string({ required: true }),
    id: t.string({ description: 'Its id there, if it has one.' }),
    name: t.string({ required: true, description: 'A branch, or a pattern.' }),
    push: t.intList({ required: true, description: 'The roles that push; 0 for no one, -1 for others than roles.' }),
    merge: t.intList({ required: true }),
    allowForcePush: t.boolean({ required: true }),
  }),
  refersTo: ({ projectKey }) => [['projects', projectKey]],
  examine: (batch, { push, merge, ...rule }) =>
    Promise.resolve({
      projectId: projectOfRule(batch, rule),
      push: leastOf(push, othersThat(batch, 'push')),
      merge: leastOf(merge, othersThat(batch, 'merge')),
    }),
  store: async (batch, { id, name, allowForcePush }, { projectId, push, merge }, known) => {
    const { sql } = batch;
    const [rule] =
      known === undefined
        ? await sql.rows(storeRule, [
            projectId,
            name,
            push,
            merge,
            allowForcePush,
            await batch.keep('protected_branches', id),
          ])
        : await sql.rows(changeRule, [known, push, merge, allowForcePush]);
    if (!rule) throw new NotTaken('It was removed here.');
    return rule.id;
  },
});
