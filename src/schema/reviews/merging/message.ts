import type { MergeRequestRecord } from '../merge-requests/types.ts';

/** The messages of the commits that merging makes. */

type Described = Pick<
  MergeRequestRecord,
  'sourceBranch' | 'targetBranch' | 'title' | 'description' | 'projectPath' | 'iid' | 'rules'
>;

const usual =
  "Merge branch '%{source_branch}' into '%{target_branch}'\n\n%{title}\n\n%{issues}\n\nSee merge request %{reference}";
const usualOfSquash = '%{title}';

/** @param issues references to the issues that it closes, such as `#3` */
export const mergeMessage = (one: Described, issues: readonly string[]): string =>
  filled(one.rules.mergeCommitTemplate || usual, one, issues);

export const squashMessage = (one: Described, issues: readonly string[]): string =>
  filled(one.rules.squashCommitTemplate || usualOfSquash, one, issues);

/** A template with the values of its variables. A line that only has an empty one is left out. */
function filled(template: string, one: Described, issues: readonly string[]): string {
  const values: { readonly [name: string]: string } = {
    source_branch: one.sourceBranch,
    target_branch: one.targetBranch,
    title: one.title,
    description: one.description ?? '',
    issues: issues.length === 0 ? '' : `Closes ${listOf(issues)}`,
    reference: `${one.projectPath}!${one.iid}`,
    local_reference: `!${one.iid}`,
  };
  const valueOf = (name: string, whole: string) => values[name] ?? whole;
  return template
    .split('\n')
    .flatMap((line) => {
      const text = line.replaceAll(/%\{(\w+)\}/g, (whole, name: string) => valueOf(name, whole));
      return text === '' && line !== '' ? [] : [text];
    })
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trimEnd();
}

/** `#1`, `#1 and #2`, `#1, #2, and #3`. */
const listOf = (issues: readonly string[]) =>
  issues.length < 3 ? issues.join(' and ') : `${issues.slice(0, -1).join(', ')}, and ${issues.at(-1)!}`;
