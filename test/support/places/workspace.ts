import type { TestGateway } from '../gateway.ts';
import { addMember, newUser, type TestUser } from './people.ts';
import { newGroup, newProject } from './places.ts';

type Visibility = 'PRIVATE' | 'INTERNAL' | 'PUBLIC';

/** Creates people, and groups and projects by their full paths. */
export interface Workspace {
  /** @returns a personal access token with the scope `api` */
  user(...person: Parameters<typeof newUser> extends [unknown, ...infer Rest] ? Rest : never): Promise<string>;
  /** @returns the id */
  group(fullPath: string, visibility?: Visibility): Promise<string>;
  project(fullPath: string, visibility?: Visibility): Promise<string>;
  /** @param username of a user created here */
  member(
    username: string,
    role: Parameters<typeof addMember>[2],
    place: { group: string } | { project: string },
  ): Promise<void>;
}

export function workspace(gateway: TestGateway): Workspace {
  const users = new Map<string, TestUser>();
  const split = (fullPath: string) => {
    const at = fullPath.lastIndexOf('/');
    return { parent: fullPath.slice(0, Math.max(at, 0)), path: fullPath.slice(at + 1) };
  };
  return {
    async user(username, more) {
      const user = await newUser(gateway, username, more);
      users.set(username, user);
      return user.token;
    },
    async group(fullPath, visibility = 'PRIVATE') {
      const { parent, path } = split(fullPath);
      return await newGroup(gateway, { path, visibility, ...(parent && { parent }) });
    },
    async project(fullPath, visibility = 'PRIVATE') {
      const { parent: group, path } = split(fullPath);
      return await newProject(gateway, { group, path, visibility });
    },
    member: (username, role, place) => addMember(gateway, users.get(username)!, role, place),
  };
}
