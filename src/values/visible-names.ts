/**
 * What anything may be named that people see: applications, users, groups, projects, tokens.
 * One rule, so that no name reads as another, hides a part of itself, or isn't there to the eye.
 */

/** Control characters, line ends, and marks that turn the direction of what follows. */
const control = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;

/**
 * What takes no room or shows nothing: default-ignorable code points (the Hangul fillers and
 * joiners among them), other formatting, and code points that no font has to draw.
 */
const invisible = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cs}\p{Co}\p{Cn}]/u;

/** Emoji are drawn as one sign together with the joiners and selectors in them (UTS #51). */
const emoji = new RegExp('\\p{RGI_Emoji}', 'gv');

/** Spaces of every width, and the braille pattern without dots. */
const blank = /^[\s\p{Z}\u2800]*$/u;

/** Messages for a name of one line that must be there, be seen and not be too long. @param most characters */
export function nameProblems(name: string, most = 255): string[] {
  if (blank.test(name)) return ["can't be blank"];
  if (control.test(name)) return ["can't contain control characters"];
  if (invisible.test(name.replace(emoji, ''))) return ["can't contain invisible characters"];
  return name.length > most ? [`is too long (maximum is ${most} characters)`] : [];
}
