// Marks that change the direction of the text after them: a name or a title has no use for them, and could hide what
// follows it. Unicode TR 9 §2.
// oxlint-disable-next-line no-misleading-character-class
const directions = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
// oxlint-disable-next-line no-control-regex
const controls = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g;
const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** A text as one line without marks of direction. */
export const oneLine = (text: string): string => text.replace(controls, ' ').replace(directions, '').trim();

/** A name or title among other words: one from right to left is isolated from them. */
export function isolated(text: string): string {
  const line = oneLine(text);
  return rightToLeft.test(line) ? `\u2068${line}\u2069` : line;
}
