import type { TestGateway } from './gateway.ts';

interface NewPlace {
  readonly path: string;
  readonly visibility: 'PRIVATE' | 'INTERNAL' | 'PUBLIC';
}

/** Makes a group, at the root or in another. @returns its id */
export async function newGroup(gateway: TestGateway, place: NewPlace & { parent?: string }): Promise<string> {
  const { createGroup } = await gateway.operator<{ createGroup: { group: { id: number } } }>(
    'mutation ($input: CreateGroupInput!) { createGroup(input: $input) { group { id } } }',
    { input: { name: place.path, ...place } },
  );
  return String(createGroup.group.id);
}

/** Makes a project in a group. @returns its id */
export async function newProject(gateway: TestGateway, place: NewPlace & { group: string }): Promise<string> {
  const { group: namespace, ...rest } = place;
  const { createProject } = await gateway.operator<{ createProject: { project: { id: number } } }>(
    'mutation ($input: CreateProjectInput!) { createProject(input: $input) { project { id } } }',
    { input: { name: place.path, namespace, ...rest } },
  );
  return String(createProject.project.id);
}

/** The number of a place that exists. */
export async function idOf(gateway: TestGateway, kind: 'group' | 'project', path: string): Promise<string> {
  const data = await gateway.operator<Record<string, { id: number }>>(`query ($id: ID!) { ${kind}(id: $id) { id } }`, { id: path });
  return String(data[kind]!.id);
}
