import { readFileSync } from 'node:fs';
import type { Difference } from './walk-both.ts';

/** What differs after an import, each with the words of docs/coming-from-gitlab.md that say so. */

interface LeftOut {
  /** Of lists and records, as the OpenAPI document has them. */
  readonly paths: RegExp;
  /** The members that may differ; any if there are none. */
  readonly members?: readonly string[];
  readonly words: string;
}

const leftOut: readonly LeftOut[] = [
  { paths: /\/pipelines\b/, words: 'runners, pipelines, jobs, statuses of commits' },
  { paths: /\/commits\/\{sha\}$/, members: ['last_pipeline', 'status'], words: 'pipelines, jobs, statuses of commits' },
  { paths: /\/triggers\b/, members: ['token', 'updated_at'], words: 'descriptions and owners, with new tokens' },
  { paths: /^\/projects\/\{id\}\/variables\b/, words: 'The report names hidden ones' },
  { paths: /\/versions$/, members: ['id', 'created_at'], words: 'ids of versions of merge requests' },
  { paths: /\/versions\/\{version_id\}$/, words: 'ids of versions of merge requests' },
  { paths: /\/snippets\/\{snippet_id\}\/(notes|discussions|award_emoji)\b/, words: 'comments and emoji on snippets' },
  { paths: /\/commits\/\{sha\}\/(comments|discussions)\b/, words: 'comments on commits' },
  { paths: /\/notes\/\{note_id\}\/award_emoji\b/, words: 'emoji on comments' },
  { paths: /^(|\/users\/\{id\}|\/projects\/\{id\})\/events$/, words: 'pushes in the activity' },
  {
    paths: /^\/(user|users|users\/\{id\})$/,
    members: ['created_at', 'confirmed_at'],
    words: 'A person of `--same` stays as they are here',
  },
  { paths: /^\/personal_access_tokens\b/, words: 'passwords, second factors, tokens, sessions' },
];

const page = readFileSync('docs/coming-from-gitlab.md', 'utf8').replaceAll(/\s+/g, ' ');

/** The entries that no page explains. */
export const unexplained = (): readonly LeftOut[] => leftOut.filter(({ words }) => !page.includes(words));

/** Whether a difference is one of them. */
export const isLeftOut = ({ template, there, here }: Difference): boolean =>
  leftOut.some(
    ({ paths, members }) =>
      paths.test(template) && (!members || differing(there, here).every((name) => members.includes(name))),
  );

/** The entries without any difference: they are no longer true. */
export const unused = (differences: readonly Difference[]): readonly LeftOut[] =>
  leftOut.filter(({ paths }) => !differences.some(({ template }) => paths.test(template)));

/** The names of the members that differ, each of the innermost object; `[]` for a list with more or fewer records. */
function differing(there: unknown, here: unknown, name = ''): readonly string[] {
  if (Array.isArray(there) && Array.isArray(here))
    return there.length === here.length ? there.flatMap((one, index) => differing(one, here[index], name)) : ['[]'];
  if (isRecord(there) && isRecord(here))
    return [...new Set([...Object.keys(there), ...Object.keys(here)])].flatMap((member) =>
      differing(there[member], here[member], member),
    );
  return there === here ? [] : [name];
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
