import type { TestGateway } from '../gateway.ts';

interface NewPlace {
  readonly path: string;
  readonly visibility: 'PRIVATE' | 'INTERNAL' | 'PUBLIC';
}

/**
 * Creates a group, at the root or in another group. It can be more visible than its parent, as old groups may be:
 * access checks must be right for these too.
 * @returns its id
 */
export async function newGroup(
  gateway: TestGateway,
  { visibility, ...place }: NewPlace & { parent?: string },
): Promise<string> {
  const { createGroup } = await gateway.operator<{ createGroup: { group: { id: number } } }>(
    'mutation ($input: CreateGroupInput!) { createGroup(input: $input) { group { id: databaseId } } }',
    { input: { name: place.path, ...place } },
  );
  await gateway.sql('update namespaces set visibility = $2 where id = $1', [createGroup.group.id, visibility]);
  return String(createGroup.group.id);
}

/** Creates a project in a group, likewise. @returns its id */
export async function newProject(gateway: TestGateway, place: NewPlace & { group: string }): Promise<string> {
  const { group: namespace, visibility, ...rest } = place;
  const { createProject } = await gateway.operator<{ createProject: { project: { id: number } } }>(
    'mutation ($input: CreateProjectInput!) { createProject(input: $input) { project { id: databaseId } } }',
    { input: { name: place.path, namespace, visibility: 'private', ...rest } },
  );
  await gateway.sql('update projects set visibility = $2 where id = $1', [createProject.project.id, visibility]);
  return String(createProject.project.id);
}

/** The id of an existing group or project. */
export async function idOf(gateway: TestGateway, kind: 'group' | 'project', path: string): Promise<string> {
  const data = await gateway.operator<Record<string, { id: number }>>(
    `query ($id: ID!) { ${kind}(fullPath: $id) { id: databaseId } }`,
    {
      id: path,
    },
  );
  return String(data[kind]!.id);
}
