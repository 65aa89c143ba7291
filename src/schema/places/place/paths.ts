import { tooLong } from '../../../values/text/lengths.ts';
import { hasNameForm, isNumber, isReserved, maxNameLength } from '../../../values/text/place-names.ts';

/** Why a path is invalid, in the words that clients know; empty if it is fine. */
export function pathProblems(path: string, atRoot: boolean): string[] {
  if (path === '') return ["can't be blank"];
  if (path.length > maxNameLength) return [tooLong(maxNameLength)];
  if (!hasNameForm(path)) {
    return [
      "can contain only letters, digits, '_', '-' and '.'. Cannot start with '-' or end in '.', '.git' or '.atom'",
    ];
  }
  if (isNumber(path)) return ['can’t consist of digits only'];
  return atRoot && isReserved(path) ? ['is a reserved name'] : [];
}
