import type { Context } from '../../../context.ts';
import { roles } from '../../../policy/index.ts';
import { repositoryIn } from '../repositories/look-up.ts';
import { commitOn } from './commit.ts';
import { writingPlace } from './place.ts';

/** Makes the first commit of a new project: a README with its name and description. */
export async function beginRepository(
  context: Context,
  projectId: number,
  {
    name,
    description,
    branch,
  }: { name: string; description?: string | null | undefined; branch?: string | null | undefined },
): Promise<void> {
  const { facts, ...repository } = await repositoryIn(context, String(projectId));
  // Creating a project begins it, also for developers, who may not make its first branch later.
  const own = { ...facts, accessLevel: Math.max(facts.accessLevel, roles.maintainer) };
  const { first } = await writingPlace(context.database, context, { id: projectId, facts: own }, 'web');
  const text = `# ${name}\n${description ? `\n${description}\n` : ''}`;
  await commitOn(
    context,
    { ...repository, facts: own },
    {
      branch: branch || first.name,
      message: 'Initial commit',
      author: (committer) => committer,
      actions: [{ action: 'create', path: 'README.md', content: Buffer.from(text) }],
    },
  );
}
