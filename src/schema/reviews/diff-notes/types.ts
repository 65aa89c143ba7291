import { InvalidFields } from '../../../errors.ts';
import { builder } from '../../engine/builder.ts';
import { DiffRefs } from '../merge-requests/types.ts';
import type { AskedPosition } from './place.ts';
import type { NotePosition } from './position.ts';

/** Where comments stand in a diff, as GraphQL has it. */

const DiffPositionType = builder.enumType('DiffPositionType', {
  values: {
    text: { description: 'On a line.' },
    file: { description: 'On a file.' },
    image: { description: 'Not offered.' },
  } as const,
});

export const DiffPosition = builder.objectRef<NotePosition>('DiffPosition').implement({
  description: 'Where a comment stands in a diff.',
  fields: (t) => ({
    diffRefs: t.field({
      type: DiffRefs,
      description: 'The diff.',
      direct: true,
      resolve: ({ base_sha: base, start_sha: start, head_sha: head }) => ({ base, start, head }),
    }),
    filePath: t.exposeString('new_path', { description: 'The path of the file.' }),
    oldPath: t.exposeString('old_path', { nullable: true, description: 'Its path at the base.' }),
    newPath: t.exposeString('new_path', { nullable: true, description: 'Its path at the head.' }),
    oldLine: t.exposeInt('old_line', { nullable: true, description: 'Null for an added line.' }),
    newLine: t.exposeInt('new_line', { nullable: true, description: 'Null for a removed line.' }),
    positionType: t.field({ type: DiffPositionType, direct: true, resolve: (one) => one.position_type }),
    lineRange: t.field({
      type: 'JSON',
      nullable: true,
      description: 'The first and the last line of a comment on several, as they were given.',
      direct: true,
      resolve: (one) => one.line_range,
    }),
    height: t.int({ nullable: true, description: 'Of an image: always null.', direct: true, resolve: () => null }),
    width: t.int({ nullable: true, description: 'Of an image: always null.', direct: true, resolve: () => null }),
    x: t.int({ nullable: true, description: 'Of an image: always null.', direct: true, resolve: () => null }),
    y: t.int({ nullable: true, description: 'Of an image: always null.', direct: true, resolve: () => null }),
  }),
});

const DiffPathsInput = builder.inputType('DiffPathsInput', {
  description: 'The paths of a file; one is enough if both are the same.',
  fields: (t) => ({ oldPath: t.string(), newPath: t.string() }),
});

const LineRangeEnd = builder.inputType('DiffLineRangeEndInput', {
  description: 'One end of a comment on several lines.',
  fields: (t) => ({ lineCode: t.string(), type: t.string(), oldLine: t.int(), newLine: t.int() }),
});

const LineRange = builder.inputType('DiffLineRangeInput', {
  description: 'The lines of a comment on several.',
  fields: (t) => ({ start: t.field({ type: LineRangeEnd }), end: t.field({ type: LineRangeEnd }) }),
});

export const DiffPositionInput = builder.inputType('DiffPositionInput', {
  description: 'Where a comment stands in a diff.',
  fields: (t) => ({
    baseSha: t.string({ description: 'Where both branches parted; by default the start.' }),
    startSha: t.string({ required: true, description: 'The head of the target branch when the diff was made.' }),
    headSha: t.string({ required: true, description: 'The head of the source branch.' }),
    paths: t.field({ type: DiffPathsInput, required: true }),
    oldLine: t.int({ description: 'A removed line has only this one; a line that both sides have has both.' }),
    newLine: t.int({ description: 'An added line has only this one.' }),
    positionType: t.field({ type: DiffPositionType, defaultValue: 'text' }),
    lineRange: t.field({ type: LineRange }),
  }),
});

type Given = typeof DiffPositionInput.$inferInput;
type GivenEnd = NonNullable<NonNullable<Given['lineRange']>['start']>;

/** Longest name of a file, and longest line code. */
const mostCharacters = 4_096;

const end = (given: GivenEnd | null | undefined) => ({
  line_code: given?.lineCode ?? null,
  type: given?.type ?? null,
  old_line: given?.oldLine ?? null,
  new_line: given?.newLine ?? null,
});

/** A position that a client gave. @throws InvalidFields for an image, and for texts that are too long */
export function positionOf({ baseSha, startSha, headSha, paths, oldLine, newLine, ...more }: Given): AskedPosition {
  const { positionType, lineRange } = more;
  if (positionType === 'image') throw new InvalidFields({ position: ['of an image is not offered'] });
  const range = lineRange ? { start: end(lineRange.start), end: end(lineRange.end) } : null;
  const texts = [
    paths.oldPath,
    paths.newPath,
    ...[range?.start, range?.end].flatMap((one) => [one?.line_code, one?.type]),
  ];
  if (texts.some((text) => (text?.length ?? 0) > mostCharacters || text?.includes('\0') === true))
    throw new InvalidFields({ position: ['is invalid'] });
  const isFile = positionType === 'file';
  return {
    base_sha: (baseSha ?? startSha).toLowerCase(),
    start_sha: startSha.toLowerCase(),
    head_sha: headSha.toLowerCase(),
    old_path: paths.oldPath ?? null,
    new_path: paths.newPath ?? null,
    position_type: isFile ? 'file' : 'text',
    old_line: isFile ? null : (oldLine ?? null),
    new_line: isFile ? null : (newLine ?? null),
    line_range: isFile ? null : range,
  };
}
