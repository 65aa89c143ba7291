import { largestInteger } from '../../../values/integers.ts';
import { text } from '../../engine/declared.ts';
import type { Parameter, Values } from '../../engine/parameters.ts';
import { objectSchema, type JsonSchema } from '../../engine/record.ts';

/** Where comments stand in the diff of a merge request. */

const line = (name: string, description: string): Parameter => ({
  name,
  type: 'integer',
  largest: largestInteger,
  description,
});

const end: readonly Parameter[] = [
  text('line_code', 'What identifies the line.'),
  text('type', '`new` or `old`.'),
  line('old_line', 'Its number at the base.'),
  line('new_line', 'Its number at the head.'),
];

export const position: Parameter = {
  name: 'position',
  type: 'object',
  description: 'Where it stands in the diff.',
  of: [
    { ...text('base_sha', 'Where both branches parted.'), required: true },
    { ...text('start_sha', 'The head of the target branch when the diff was made.'), required: true },
    { ...text('head_sha', 'The head of the source branch.'), required: true },
    {
      ...text('position_type', 'Whether on a line or on a file. Images are not offered.'),
      required: true,
      allowed: ['text', 'file', 'image'],
    },
    text('new_path', 'The path of the file at the head.'),
    text('old_path', 'Its path at the base.'),
    line('new_line', 'The line at the head. An added line has only this one, an unchanged line has both.'),
    line('old_line', 'The line at the base. A removed line has only this one.'),
    {
      name: 'line_range',
      type: 'object',
      description: 'The lines of a comment on several.',
      of: [
        { name: 'start', type: 'object', of: end, description: 'The first one.' },
        { name: 'end', type: 'object', of: end, description: 'The last one.' },
      ],
    },
  ],
};

const endOf = (given: Values[string]) => {
  if (given == null) return null;
  const { line_code: lineCode, type, old_line: oldLine, new_line: newLine } = given as Values;
  return { lineCode, type, oldLine, newLine };
};

/** The position as the schema takes it. */
export function positionOf(given: Values[string]): object | undefined {
  if (given == null) return undefined;
  const { base_sha, start_sha, head_sha, new_path, old_path, new_line, old_line, ...more } = given as Values;
  const range = more.line_range as Values | null | undefined;
  return {
    baseSha: base_sha,
    startSha: start_sha ?? '',
    headSha: head_sha ?? '',
    paths: { oldPath: old_path, newPath: new_path },
    oldLine: old_line,
    newLine: new_line,
    positionType: more.position_type,
    lineRange: range && { start: endOf(range.start), end: endOf(range.end) },
  };
}

export interface PositionData {
  readonly diffRefs: { readonly baseSha: string; readonly startSha: string; readonly headSha: string };
  readonly oldPath: string;
  readonly newPath: string;
  readonly positionType: string;
  readonly oldLine: number | null;
  readonly newLine: number | null;
  readonly lineRange: object | null;
}

export const positionFields =
  'position { diffRefs { baseSha startSha headSha } oldPath newPath positionType oldLine newLine lineRange }';

const sha: JsonSchema = { type: 'string' };
const number: JsonSchema = { type: ['integer', 'null'] };

export const positionSchema: JsonSchema = objectSchema({
  base_sha: sha,
  start_sha: sha,
  head_sha: sha,
  old_path: { type: 'string' },
  new_path: { type: 'string' },
  position_type: { enum: ['text', 'file'] },
  old_line: number,
  new_line: number,
  line_range: { type: ['object', 'null'] },
});

export const presentPosition = ({ diffRefs, ...one }: PositionData) => ({
  base_sha: diffRefs.baseSha,
  start_sha: diffRefs.startSha,
  head_sha: diffRefs.headSha,
  old_path: one.oldPath,
  new_path: one.newPath,
  position_type: one.positionType,
  old_line: one.oldLine,
  new_line: one.newLine,
  line_range: one.lineRange,
});
