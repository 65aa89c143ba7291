import { contentOf, findFile, readTree } from '../../../git/objects/index.ts';
import { builder } from '../../engine/builder.ts';
import type { RepositoryRecord } from '../repositories/look-up.ts';
import { revisionIn } from '../repositories/revision.ts';
import { Repository } from '../repositories/types.ts';
import type { License } from '../templates/licenses.ts';
import { recognize } from './recognize.ts';

/** The licence of a repository: what the file with that name at its root is. */

type LicenseRecord = Pick<License, 'key' | 'name' | 'nickname'> & {
  readonly path: string;
  readonly htmlUrl: string | null;
  readonly sourceUrl: string | null;
};

const RepositoryLicense = builder.objectRef<LicenseRecord>('RepositoryLicense').implement({
  description: 'The licence of a repository.',
  fields: (t) => ({
    path: t.exposeString('path', { description: 'The file that it is in.' }),
    key: t.exposeString('key', {
      description: 'In lower case, for example `gpl-3.0`; `other` if it isn’t a known one.',
    }),
    name: t.exposeString('name'),
    nickname: t.exposeString('nickname', { nullable: true }),
    htmlUrl: t.exposeString('htmlUrl', { nullable: true, description: 'A page with more information.' }),
    sourceUrl: t.exposeString('sourceUrl', { nullable: true, description: 'The source of the text.' }),
  }),
});

/** Names of files with a licence, the most telling first. */
const names = [
  /^(?:un)?licen[cs]e$/i,
  /^(?:un)?licen[cs]e\.(?:md|markdown|txt|rst|adoc)$/i,
  /^copying(?:\.(?:md|markdown|txt|rst))?$/i,
  /^licen[cs]e[-.][\w.-]+$/i,
];

/** A longer text is no licence: the longest known one has half as many bytes. */
const longest = 65_536;

const other = { key: 'other', name: 'Other', nickname: null, htmlUrl: null, sourceUrl: null } as const;

async function licenseOf(repository: RepositoryRecord): Promise<LicenseRecord | null> {
  const revision = await revisionIn(repository);
  if (!revision) return null;
  const { git, commit } = revision;
  const files = ((await readTree(git, commit.id)) ?? []).filter(({ mode }) => mode.startsWith('100'));
  const path = names.flatMap((form) => files.filter(({ name }) => form.test(name)))[0]?.name;
  const file = path === undefined ? undefined : await findFile(git, commit.id, path);
  if (path === undefined || !file) return null;
  const found = file.size > longest ? undefined : await recognize((await contentOf(git, file)).toString());
  return { ...(found ?? other), path };
}

builder.objectField(Repository, 'license', (t) =>
  t.field({
    type: RepositoryLicense,
    nullable: true,
    description: 'The licence in the default branch; null if there is no file with one.',
    resolve: licenseOf,
  }),
);
