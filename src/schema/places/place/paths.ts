import { hasNameForm, isNumber, isReserved, longestName } from '../../../values/place-names.ts';

/** Why a path can't be taken, in the words of the wire; nothing where it can. */
export function pathProblems(path: string, atRoot: boolean): string[] {
  if (path === '') return ["can't be blank"];
  if (path.length > longestName) return [`is too long (maximum is ${longestName} characters)`];
  if (!hasNameForm(path)) {
    return ["can contain only letters, digits, '_', '-' and '.'. Cannot start with '-' or end in '.', '.git' or '.atom'"];
  }
  if (isNumber(path)) return ['can’t consist of digits only'];
  return atRoot && isReserved(path) ? ['is a reserved name'] : [];
}
