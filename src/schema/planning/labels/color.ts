import names from 'color-name';

/** Colors of labels: `#rgb`, `#rrggbb`, or a name that CSS has. */

const hexadecimal = /^#(?:[\da-f]{3}|[\da-f]{6})$/i;

/** The color as `#rrggbb`; undefined if it isn't one. */
export function readColor(given: string): string | undefined {
  const text = given.trim();
  if (hexadecimal.test(text)) return text.length === 7 ? text : text.replaceAll(/[^#]/g, '$&$&');
  const name = text.toLowerCase();
  if (!Object.hasOwn(names, name)) return undefined;
  const parts = names[name as keyof typeof names];
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

/** The color of a text on a label: dark on light ones, as GitLab decides. @param color `#rrggbb` */
export function textColor(color: string): string {
  const parts = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
  return parts.reduce((sum, part) => sum + part, 0) > 500 ? '#1F1E24' : '#FFFFFF';
}
