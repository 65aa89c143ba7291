import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

/**
 * Licences from the package `choosealicense-list`: their texts, and the descriptions of choosealicense.com (CC BY
 * 3.0).
 */

export interface License {
  /** In lower case: `gpl-3.0`. */
  readonly key: string;
  readonly name: string;
  readonly nickname: string | null;
  readonly htmlUrl: string;
  readonly sourceUrl: string;
  readonly popular: boolean;
  readonly description: string;
  readonly conditions: readonly string[];
  readonly permissions: readonly string[];
  readonly limitations: readonly string[];
  /** With its placeholders: `[year]`, `[fullname]`, `[project]`. */
  readonly content: string;
}

/** The properties of a licence in the package that are used here. */
interface PackagedLicense {
  readonly id: string;
  readonly title: string;
  readonly nickname: string | null;
  readonly featured: boolean;
  readonly description: string;
  readonly conditions: readonly string[];
  readonly permissions: readonly string[];
  readonly limitations: readonly string[];
  readonly body: string;
}

/** Read on first use; most gateways never use it. */
let reading: Promise<readonly License[]> | undefined;

/** All licences, by name. */
export function allLicenses(): Promise<readonly License[]> {
  reading ??= readLicenses();
  return reading;
}

async function readLicenses(): Promise<readonly License[]> {
  const file = createRequire(import.meta.url).resolve('choosealicense-list/licenses.json');
  const packaged = JSON.parse(await readFile(file, 'utf8')) as Record<string, PackagedLicense>;
  return Object.values(packaged)
    .map(({ id, title, featured, body, ...same }) => {
      const { nickname, description, conditions, permissions, limitations } = same;
      const key = id.toLowerCase();
      const htmlUrl = `https://choosealicense.com/licenses/${key}/`;
      const sourceUrl = `https://spdx.org/licenses/${id}.html`;
      return {
        key,
        name: title,
        nickname,
        htmlUrl,
        sourceUrl,
        popular: featured,
        description,
        conditions,
        permissions,
        limitations,
        content: body,
      };
    })
    .sort((one, other) => one.name.localeCompare(other.name, 'en'));
}

/** Placeholders in licence texts, in different kinds of brackets. */
const placeholders = {
  year: /[<{[](?:year|yyyy)[>}\]]/gi,
  project: /[<{[](?:project|description|one line to give the [^>\]}]* what it does\.)[>}\]]/gi,
  fullName: /[<{[](?:fullname|name of (?:author|copyright owner))[>}\]]/gi,
} as const;

/** The text with known values filled in; other placeholders stay. */
export function fillIn(
  content: string,
  known: { readonly [name in keyof typeof placeholders]?: string | undefined },
): string {
  return Object.entries(placeholders).reduce((text, [name, pattern]) => {
    const value = known[name as keyof typeof placeholders];
    // A function, since `$` has a meaning in a replacement string.
    return value ? text.replace(pattern, () => value) : text;
  }, content);
}
