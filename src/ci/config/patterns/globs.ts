import { RE2JS } from 're2js';

/** What a character of a glob means in a pattern. */
const special = /[.+^$|()\\]/;

/** Most alternatives that braces make. */
const mostBraces = 20;

/**
 * A glob as a pattern of RE2: `*` and `?` stay within a folder, `**` and a slash cross folders, `[a-z]` and `{a,b}` are
 * choices.
 */
export function patternOfGlob(glob: string): string {
  let pattern = '';
  let open = 0;
  let braces = 0;
  for (let at = 0; at < glob.length; at += 1) {
    const char = glob[at]!;
    if (char === '*' && glob[at + 1] === '*') {
      const crosses = glob[at + 2] === '/' && (at === 0 || glob[at - 1] === '/');
      pattern += crosses ? '(?:[^/]+/)*' : '.*';
      at += crosses ? 2 : 1;
    } else if (char === '*') pattern += '[^/]*';
    else if (char === '?') pattern += '[^/]';
    else if (char === '{' && braces < mostBraces) {
      pattern += '(?:';
      open += 1;
      braces += 1;
    } else if (char === ',' && open > 0) pattern += '|';
    else if (char === '}' && open > 0) {
      pattern += ')';
      open -= 1;
    } else if (char === '[') {
      const end = glob.indexOf(']', at + 2);
      if (end < 0) pattern += String.raw`\[`;
      else {
        const inner = glob
          .slice(at + 1, end)
          .replaceAll('\\', '\\\\')
          .replaceAll('[', String.raw`\[`);
        pattern += `[${inner.startsWith('!') ? `^${inner.slice(1)}` : inner}]`;
        at = end;
      }
    } else if (char === '\\' && at + 1 < glob.length) {
      at += 1;
      pattern += RE2JS.quote(glob[at]!);
    } else pattern += special.test(char) || char === '{' || char === '}' ? `\\${char}` : char;
  }
  return pattern + ')'.repeat(open);
}

/** Whether a path with these characters names more than itself. */
export const isGlob = (text: string): boolean => /[*?[{\\]/.test(text);
