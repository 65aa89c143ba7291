import type { Context } from '../../../context.ts';
import { InvalidFields, NotFound } from '../../../errors.ts';
import { asGitError, Interrupted, Mismatch } from '../../../git/errors.ts';
import { originDigest } from '../../../git/transport/index.ts';
import { isLoopback } from '../../../values/address.ts';
import { builder } from '../../engine/builder.ts';
import { mutation } from '../../engine/mutation.ts';
import { mirrorRepository } from '../../repository/writing/mirror.ts';
import { resultsOf, type Result } from '../origins/importing.ts';
import { importedBefore, noteImported, originUrl } from '../origins/records.ts';

/** Importing repositories: git fetches them. That takes long, so no transaction is open meanwhile. */

const ImportedRepository = builder.inputType('ImportRepositoriesRecord', {
  fields: (t) => ({
    key: t.string({ required: true, description: 'The id of the project.' }),
    path: t.string({ required: true, description: 'The full path of the project there.' }),
    defaultBranch: t.string({ description: 'The branch that becomes the default one, if there is none yet.' }),
  }),
});

interface Given {
  readonly key: string;
  readonly path: string;
  readonly defaultBranch?: string | null | undefined;
}

interface Asked {
  readonly originId: number;
  readonly url: string;
  readonly token: string;
  readonly dryRun: boolean;
}

mutation('importRepositories', {
  description: 'Imports the branches and tags of projects, by git. What was changed here since the last import stays.',
  admission: { class: 'operator' },
  input: (t) => ({
    originId: t.int({ required: true, description: 'From `importBegin`.' }),
    token: t.string({ required: true, description: 'Of a person who reads all repositories there. It isn’t stored.' }),
    records: t.field({ type: [ImportedRepository], required: true }),
    dryRun: t.boolean({ defaultValue: false, description: 'Whether nothing is written.' }),
  }),
  payload: resultsOf,
  resolve: async (context, { originId, token, records, dryRun }) => {
    const url = await originUrl(context, originId);
    if (url === undefined) throw new NotFound('Origin');
    const { protocol, hostname } = new URL(url);
    if (protocol !== 'https:' && !isLoopback(hostname))
      throw new InvalidFields({ token: ['would be sent in plain text'] });
    const asked = { originId, url, token, dryRun: dryRun === true };
    const results: Result[] = [];
    for (const record of records) results.push(await importRepository(context, asked, record));
    return { results };
  },
});

async function importRepository(
  context: Context,
  { originId, url, token, dryRun }: Asked,
  { key, path, defaultBranch }: Given,
): Promise<Result> {
  const imported = await importedBefore(context, originId, ['projects', 'repositories'], key);
  const projectId = imported.get('projects')?.localId ?? null;
  const before = imported.get('repositories');
  const result = { key, localId: projectId, remarks: [] };
  const refused = (text: string): Result => ({ ...result, outcome: 'REFUSED', remarks: [text] });
  if (projectId === null) return refused('Its project wasn’t imported.');
  const git = context.git.repository(projectId);
  // Only below the address that the operator named, whatever the other side says.
  const origin = { url: `${url}/${path.split('/').map(encodeURIComponent).join('/')}.git`, token };
  try {
    const digest = await originDigest(git, origin);
    if (before?.digest?.equals(digest)) return { ...result, outcome: 'UNCHANGED' };
    const remarks = dryRun ? [] : await mirrorRepository(context, projectId, origin, defaultBranch ?? undefined);
    if (!dryRun) await noteImported(context, originId, 'repositories', { key, localId: projectId, digest });
    return { ...result, outcome: before ? 'UPDATED' : 'CREATED', remarks };
  } catch (error) {
    if (error instanceof NotFound) return refused('It was removed here.');
    if (error instanceof Mismatch) return refused('Someone pushed to it meanwhile. The next import takes it.');
    const known = error instanceof Interrupted ? undefined : asGitError(error);
    if (!known) throw error;
    return refused(known.message);
  }
}
