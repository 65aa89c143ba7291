import { tooLong } from './lengths.ts';
/**
 * Rules for names that people see: of applications, users, groups, projects, tokens.
 * They prevent spoofing: a name that looks like another one, hides a part, or is invisible.
 */

/** Control characters, line ends, and marks that change the text direction. */
const control = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;

/**
 * Invisible characters: default-ignorable code points (with the Hangul fillers and
 * joiners), other formatting, and code points without a glyph.
 */
const invisible = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cs}\p{Co}\p{Cn}]/u;

/** Emoji may contain joiners and selectors (UTS #51). */
const emoji = new RegExp('\\p{RGI_Emoji}', 'gv');

/** Spaces of every width, and the braille pattern without dots. */
const blank = /^[\s\p{Z}\u2800]*$/u;

/**
 * Why a name is refused: it is blank, invisible, too long or has several lines. Empty if it is fine.
 * @param most maximum length, in characters
 */
export function nameProblems(name: string, most = 255): string[] {
  if (blank.test(name)) return ["can't be blank"];
  if (control.test(name)) return ["can't contain control characters"];
  if (invisible.test(name.replace(emoji, ''))) return ["can't contain invisible characters"];
  return name.length > most ? [tooLong(most)] : [];
}
