import { InvalidFields } from '../../../errors.ts';
import { titleProblems } from '../../../values/text/lengths.ts';
import { Problems } from '../../engine/input.ts';
import type { FieldsOf, InputsOf } from '../../engine/mutation.ts';
import { readColor } from './color.ts';
import type { LabelRow } from './statements/list.ts';
import { Label } from './types.ts';

/** What writers give of a label. */
interface GivenLabel {
  readonly title?: string | null | undefined;
  readonly color?: string | null | undefined;
  readonly description?: string | null | undefined;
  readonly priority?: number | null | undefined;
}

const longestDescription = 65_535;

/** A title without markup and without spaces around it. */
const titleOf = (given: string) => given.replaceAll(/<[^<>]*>/g, '').trim();

/**
 * The values as they are stored; undefined for what wasn't given.
 * @throws InvalidFields
 */
export function checkedLabel({ title: given, color: written, description, priority }: GivenLabel) {
  const problems = new Problems();
  const title = given === undefined ? undefined : titleOf(given ?? '');
  if (title === '' || title?.includes(',')) problems.add('title', ['is invalid']);
  problems.add('title', titleProblems(title ?? ''));
  const color = written === undefined ? undefined : readColor(written ?? '');
  if (written !== undefined && color === undefined) problems.add('color', ['must be a valid color code']);
  problems.bound('description', description, longestDescription);
  if (priority != null && priority < 0) problems.add('priority', ['must be greater than or equal to 0']);
  problems.refuse();
  return { title, color, description: description === '' ? null : description, priority };
}

export const titleTaken = () => new InvalidFields({ title: ['has already been taken'] });

/** How inputs name a label. */
export const labelName = (t: InputsOf) => ({
  id: t.field({ type: 'LabelID', description: 'Its id. Give either this, or a place and `name`.' }),
  ...labelPlace(t),
  name: t.string({ description: 'Its number or its title in the project or group.' }),
});

/** How inputs name the place of a label. */
export const labelPlace = (t: InputsOf) => ({
  projectPath: t.id({ description: 'Full path, global id or number of a project.' }),
  groupPath: t.id({ description: 'Full path, global id or number of a group.' }),
});

export const labelPayload = (t: FieldsOf<{ label: LabelRow }>) => ({
  label: t.expose('label', { type: Label }),
});
