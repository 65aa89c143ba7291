import type { Context } from '../../../context.ts';
import { PlainBadRequest } from '../../../errors.ts';
import { asGitError } from '../../../git/errors.ts';
import { isName } from '../../../git/names/index.ts';
import { readRef } from '../../../git/objects/index.ts';
import { writeCode, writes } from '../../../policy/index.ts';
import { mutation, type FieldsOf } from '../../engine/mutation.ts';
import { repositoryIn, type RepositoryRecord } from '../repositories/look-up.ts';
import { revisionIn } from '../repositories/revision.ts';
import { commitOn, requireWritable } from '../writing/commit.ts';
import { writingPlace } from '../writing/place.ts';
import { openForWriting, writeRefs } from '../writing/write.ts';
import { branchIn, heads, type BranchRecord } from './read.ts';
import { Branch } from './types.ts';

/** Making a branch. */

mutation('createBranch', {
  description: 'Makes a branch. In an empty repository, the default branch is made first, with an empty README.',
  admission: { class: 'token', scopes: writes },
  input: (t) => ({
    projectPath: t.id({ required: true, description: 'Full path, global id or number.' }),
    name: t.string({ required: true }),
    ref: t.string({ required: true, description: 'Where it begins: a branch, a tag or a commit.' }),
  }),
  payload: (t: FieldsOf<{ branch: BranchRecord }>) => ({ branch: t.expose('branch', { type: Branch }) }),
  resolve: async (context, input) => ({ branch: await makeBranch(context, input) }),
});

/** Makes a branch as the viewer. @throws NotFound, Forbidden, PlainBadRequest */
export async function makeBranch(
  context: Context,
  { projectPath, name, ref }: Wanted & { readonly projectPath: string },
): Promise<BranchRecord> {
  const repository = await repositoryIn(context, projectPath, writeCode);
  requireWritable(context, repository);
  if (!isName(nameToCheck(name))) throw new PlainBadRequest('Branch name is invalid');
  const begun = repository.defaultBranch === null ? await begin(context, repository, { name, ref }) : repository;
  return await create(context, begun, { name, ref });
}

/** A name that begins like an object's is refused by the rules of writing, in words of its own. */
const nameToCheck = (name: string) => name.replace(/^[0-9a-f]{40}(?=-?\/|$)/i, 'object');

interface Wanted {
  readonly name: string;
  readonly ref: string;
}

const unknownRef = ({ name, ref }: Wanted) =>
  new PlainBadRequest(`Failed to create branch '${name}': invalid reference name '${ref}'`);

/** Makes the default branch of an empty repository. @throws PlainBadRequest, also for a reference that it won't have */
async function begin(context: Context, repository: RepositoryRecord, wanted: Wanted): Promise<RepositoryRecord> {
  const { first } = await writingPlace(context.database, context, repository, 'web');
  if (!['HEAD', first.name, `${heads}${first.name}`].includes(wanted.ref)) throw unknownRef(wanted);
  const { repository: begun } = await commitOn(context, repository, {
    branch: first.name,
    message: 'Add README.md',
    author: (committer) => committer,
    actions: [{ action: 'create', path: 'README.md', content: Buffer.alloc(0) }],
  });
  return begun;
}

/** @throws PlainBadRequest */
async function create(context: Context, repository: RepositoryRecord, wanted: Wanted): Promise<BranchRecord> {
  const { name, ref } = wanted;
  const git = await openForWriting(context, repository);
  const written = { ...repository, git };
  const branch = `${heads}${name}`;
  if ((await readRef(git, branch)) !== undefined) throw new PlainBadRequest('Branch already exists');
  const start = ref === '' ? undefined : await revisionIn(written, ref);
  if (!start) throw unknownRef(wanted);
  try {
    await writeRefs(context, repository, git, [{ ref: branch, old: undefined, new: start.commit.id }]);
  } catch (error) {
    throw inWords(error, name);
  }
  return await branchIn(written, name);
}

/** An error of the engine in the contract's words. */
function inWords(error: unknown, name: string): unknown {
  const known = asGitError(error);
  if (known?.code === 'MISMATCH') return new PlainBadRequest('Branch already exists');
  if (known?.code === 'CONFLICT')
    return new PlainBadRequest(
      `Failed to create branch '${name}': Branch name conflicts with existing branch hierarchy.`,
    );
  return error;
}
