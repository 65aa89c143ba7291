import { NotTaken, type Batch, type Reference } from './importing.ts';

/** What is in a place names the place by one of two keys. */
export interface Placed {
  readonly projectKey?: string | null | undefined;
  readonly groupKey?: string | null | undefined;
}

/** The place of something, of which one id isn't null. */
export interface Place {
  readonly projectId: number | null;
  readonly groupId: number | null;
}

export const placeReferences = ({ projectKey, groupKey }: Placed): readonly Reference[] => [
  ['projects', projectKey],
  ['groups', groupKey],
];

/** @throws NotTaken if it isn't here */
export function placeOf({ localOf }: Batch, { projectKey, groupKey }: Placed): Place {
  const projectId = localOf('projects', projectKey) ?? null;
  const groupId = projectId === null ? (localOf('groups', groupKey) ?? null) : null;
  if (projectId === null && groupId === null) throw new NotTaken('The place that has it wasn’t imported.');
  return { projectId, groupId };
}

/** The milestone of something, or null. */
export function milestoneOf({ localOf, remark }: Batch, key: string | null | undefined): number | null {
  const id = localOf('milestones', key) ?? null;
  if (id === null && key != null) remark('Its milestone isn’t here.');
  return id;
}

/** The project of something. @throws NotTaken if it isn't here */
export function projectOf({ localOf }: Batch, projectKey: string): number {
  const projectId = localOf('projects', projectKey);
  if (projectId === undefined) throw new NotTaken('Its project wasn’t imported.');
  return projectId;
}
