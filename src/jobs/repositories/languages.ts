import type { Language as LanguageData } from 'linguist-languages';
import { asGitError } from '../../git/errors.ts';
import { kept } from '../../git/history/cache.ts';
import { fileSizes } from '../../git/objects/index.ts';
import type { Repository } from '../../git/repository.ts';

/** The programming languages of a repository, by the names of its files. The names and colours are GitHub Linguist's. */

/** A language with its share of the bytes, in per cent. */
export interface Language {
  readonly name: string;
  readonly share: number;
  readonly color: string | null;
}

/** As GitLab shows. */
const mostLanguages = 5;

/** Folders and files that other people wrote, that programs wrote, or that are documentation. */
const foreign = new RegExp(
  [
    '(?:^|/)(?:node_modules|bower_components|vendors?|third[-_]?party|dist|cache|\\.git(?:hub|lab)|\\.vscode|\\.yarn)/',
    '(?:^|/)(?:documentation|javadoc)/',
    '^(?:docs?|examples?|demos?|samples?|man)/',
    '[.-]min\\.(?:css|js)$',
    '\\.d\\.ts$',
  ].join('|'),
  'i',
);

/** The usual language of endings that several have, none of them or several as their first. */
const usual: Readonly<Record<string, string>> = {
  '.as': 'ActionScript',
  '.asm': 'Assembly',
  '.cl': 'Common Lisp',
  '.cs': 'C#',
  '.d': 'D',
  '.f': 'Fortran',
  '.for': 'Fortran',
  '.fs': 'F#',
  '.h': 'C',
  '.html': 'HTML',
  '.l': 'Lex',
  '.m': 'Objective-C',
  '.md': 'Markdown',
  '.ml': 'OCaml',
  '.nu': 'Nushell',
  '.pl': 'Perl',
  '.pm': 'Perl',
  '.pp': 'Puppet',
  '.r': 'R',
  '.rs': 'Rust',
  '.s': 'Assembly',
  '.scm': 'Scheme',
  '.sql': 'SQL',
  '.st': 'Smalltalk',
  '.t': 'Perl',
  '.tsp': 'TypeSpec',
  '.txt': 'Text',
  '.v': 'Verilog',
  '.yy': 'Yacc',
};

type Known = ReadonlyMap<string, LanguageData>;

/** Languages by whole names of files and by endings; loaded for the first repository. */
let known: Promise<Known> | undefined;

async function load(): Promise<Known> {
  const languages: Readonly<Record<string, LanguageData>> = await import('linguist-languages');
  const found = new Map<string, LanguageData>();
  const candidates = new Map<string, LanguageData[]>();
  for (const language of Object.values(languages))
    for (const ending of language.extensions ?? [])
      candidates.set(ending, [...(candidates.get(ending) ?? []), language]);
  for (const [ending, all] of candidates) {
    const first = all.length === 1 ? all : all.filter(({ extensions }) => extensions?.[0] === ending);
    const chosen = languages[usual[ending] ?? ''] ?? (first.length === 1 ? first[0] : undefined);
    if (chosen) found.set(ending, chosen);
  }
  for (const language of Object.values(languages))
    for (const name of language.filenames ?? []) found.set(name, language);
  return found;
}

/** The language of a file; undefined if its name doesn’t say. */
function languageOf(languages: Known, path: string): LanguageData | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const whole = languages.get(name);
  if (whole) return whole;
  // The longest ending first: `.blade.php` says more than `.php`.
  for (let dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
    const found = languages.get(name.slice(dot).toLowerCase());
    if (found) return found;
  }
  return undefined;
}

/** The languages of a commit's programs and markup, the largest first. Empty for a tree that is too large to be read. */
export const languagesOf = (repository: Repository, commit: string): Promise<readonly Language[]> =>
  kept(repository, ['languages', commit], () => countLanguages(repository, commit));

async function countLanguages(repository: Repository, commit: string): Promise<readonly Language[]> {
  const files = await fileSizes(repository, commit).catch((error: unknown) => {
    if (asGitError(error)?.code === 'TOO_LARGE') return [];
    throw error;
  });
  const languages = await (known ??= load());
  const bytes = new Map<string, { size: number; color: string | null }>();
  let all = 0;
  for (const { path, size } of files) {
    const language = foreign.test(path) ? undefined : languageOf(languages, path);
    if (!language || size === 0 || (language.type !== 'programming' && language.type !== 'markup')) continue;
    const name = language.group ?? language.name;
    const color = language.color ?? null;
    const before = bytes.get(name);
    bytes.set(name, {
      size: (before?.size ?? 0) + size,
      color: name === language.name ? color : (before?.color ?? color),
    });
    all += size;
  }
  return [...bytes]
    .sort(([one, { size }], [other, { size: otherSize }]) => otherSize - size || (one < other ? -1 : 1))
    .slice(0, mostLanguages)
    .map(([name, { size, color }]) => ({ name, share: Math.round((size / all) * 10_000) / 100, color }));
}
