/** The issues that a text says it closes: "Closes #1, #2 and group/project#3" (contract §6.8). */

/** An issue by its number, in a project by full path; in the project of the text, without one. */
export interface ClosingReference {
  readonly path: string | undefined;
  readonly iid: number;
}

/** Most issues that one text closes; further ones are left open. */
const most = 100;

const words = '(?:clos(?:e[sd]?|ing)|fix(?:e[sd]|ing)?|resolv(?:e[sd]?|ing)|implement(?:s|ed|ing)?)';
const capital = `(?:${words}|Clos(?:e[sd]?|ing)|Fix(?:e[sd]|ing)?|Resolv(?:e[sd]?|ing)|Implement(?:s|ed|ing)?)`;
/** A number, with a path before it, or the address of an issue. The path has no repeated groups that could overlap. */
const reference =
  '(?:(?:[\\w.-]{1,255}(?:/[\\w.-]{1,255}){0,20})?#\\d{1,9}|https?://[^\\s,]{1,1000}?/-/issues/\\d{1,9})(?![\\w])';
const sentence = new RegExp(
  `(?<![\\w-])${capital}:? +(?:issues? +)?(?<list>${reference}(?:(?:, +and +|, *| +and +)(?:issues? +)?${reference})*)`,
  'g',
);
const one =
  /(?:(?<path>[\w.-]+(?:\/[\w.-]+)*)?#(?<iid>\d{1,9}))|(?<url>https?:\/\/[^\s,]+?\/-\/issues\/(?<of>\d{1,9}))/g;

/**
 * @param baseUrl addresses below it are issues of this instance
 */
export function closingReferences(text: string, baseUrl: string): ClosingReference[] {
  const found: ClosingReference[] = [];
  // What is quoted as code says nothing.
  const plain = text.replaceAll(/```[\s\S]*?(?:```|$)|`[^`\n]*`/g, ' ').slice(0, 1_048_576);
  for (const { groups } of plain.matchAll(sentence))
    for (const { groups: named } of groups!.list!.matchAll(one)) {
      const known = referenceOf(named!, baseUrl);
      if (known) found.push(known);
      if (found.length === most) return found;
    }
  return found;
}

function referenceOf(
  { path, iid, url, of }: { [name: string]: string | undefined },
  baseUrl: string,
): ClosingReference | undefined {
  if (url === undefined) return { path, iid: Number(iid) };
  const base = `${baseUrl}/`;
  if (!url.startsWith(base)) return undefined;
  return { path: url.slice(base.length, url.lastIndexOf('/-/issues/')), iid: Number(of) };
}
