import { tooLong } from '../../../values/text/lengths.ts';
import { Problems } from '../../engine/input.ts';

/** What is chosen of a runner. Omitted: the usual. */
export interface GivenAttributes {
  readonly description?: string | null | undefined;
  readonly maintenanceNote?: string | null | undefined;
  readonly paused?: boolean | null | undefined;
  readonly locked?: boolean | null | undefined;
  readonly runUntagged?: boolean | null | undefined;
  readonly accessLevel?: string | null | undefined;
  readonly maximumTimeout?: number | null | undefined;
  readonly tagList?: readonly string[] | null | undefined;
}

/** What a runner is, for the rule on tags. */
interface Known {
  readonly runUntagged: boolean;
  readonly tags: readonly string[];
}

const most = { tags: 50, text: 1_024, tag: 255 } as const;

/** Tags without blanks around them, each once, in their order. */
const tagsIn = (given: readonly string[]): string[] => [
  ...new Set(given.map((tag) => tag.trim()).filter((tag) => tag !== '')),
];

/**
 * Checks what was chosen.
 * @param now the runner that is changed
 * @returns the columns in the order of the statements, null for what wasn’t given: description, note, paused, locked,
 *   untagged, protected, maximum timeout, tags
 * @throws InvalidFields
 */
export function checkedAttributes(given: GivenAttributes, now?: Known): unknown[] {
  const { description, maintenanceNote, paused, locked, runUntagged, accessLevel, maximumTimeout, tagList } = given;
  const problems = new Problems();
  const tags = tagList == null ? null : tagsIn(tagList);
  if ([...(description ?? '')].length > most.text) problems.add('description', [tooLong(most.text)]);
  if ([...(maintenanceNote ?? '')].length > most.text) problems.add('maintenanceNote', [tooLong(most.text)]);
  if (maximumTimeout != null && (maximumTimeout < 600 || maximumTimeout > 2_592_000))
    problems.add('maximumTimeout', ['needs to be at least 10 minutes']);
  if (tags && tags.length > most.tags)
    problems.add('tagsList', [`Too many tags specified. Please limit the number of tags to ${most.tags}`]);
  if (tags?.some((tag) => [...tag].length > most.tag)) problems.add('tagsList', [tooLong(most.tag)]);
  const untagged = runUntagged ?? now?.runUntagged ?? true;
  if (!untagged && (tags ?? now?.tags ?? []).length === 0)
    problems.add('tagsList', ['can not be empty when runner is not allowed to pick untagged jobs']);
  problems.refuse();
  const isProtected = accessLevel == null ? null : accessLevel === 'ref_protected';
  return [
    description ?? null,
    maintenanceNote ?? null,
    paused ?? null,
    locked ?? null,
    runUntagged ?? null,
    isProtected,
    maximumTimeout ?? null,
    tags,
  ];
}

/** The same for a new runner: the usual in place of what wasn’t given. */
export function newAttributes(given: GivenAttributes): unknown[] {
  const usual = ['', null, false, false, true, false, null, []];
  return checkedAttributes(given).map((value, place) => value ?? usual[place]);
}
