import { testGateway, type TestGateway } from '../gateway.ts';
import type { RestAnswer, RestRequest } from '../requests/rest-client.ts';
import { workspace, type Workspace } from './workspace.ts';

const roles = ['owner', 'maintainer', 'developer', 'reporter', 'guest'] as const;

/** A gateway with three private groups: `closed`, `shop/inner`, and `shop` with a member of each role, `the-owner`… */
export interface Shop {
  gateway: TestGateway;
  make: Workspace;
  /** Personal access tokens of the members of `shop`, of `the-stranger` and of root. */
  tokens: Record<(typeof roles)[number] | 'stranger' | 'root', string>;
  /** Sends a request to a path below `/api/v4/`. */
  api(method: string, path: string, token: string | undefined, request?: RestRequest): Promise<RestAnswer>;
  namespaceId(fullPath: string): Promise<number>;
  /** Creates a project for one test. @returns its full path */
  aProject(visibility?: 'PRIVATE' | 'INTERNAL' | 'PUBLIC', group?: string): Promise<string>;
}

/** @param settings and @param from of the gateway */
export async function makeShop(
  settings: Record<string, string> = {},
  from: 'demo' | TestGateway = 'demo',
): Promise<Shop> {
  const gateway = await testGateway(settings, from);
  const make = workspace(gateway);
  await make.group('shop');
  await make.group('shop/inner');
  await make.group('closed');
  const tokens: Partial<Shop['tokens']> = {};
  for (const role of roles) {
    tokens[role] = await make.user(`the-${role}`);
    await make.member(`the-${role}`, role.toUpperCase() as Uppercase<typeof role>, { group: 'shop' });
  }
  tokens.stranger = await make.user('the-stranger');
  tokens.root = gateway.tokens.root;
  let counter = 0;
  return {
    gateway,
    make,
    tokens: tokens as Shop['tokens'],
    api: (method, path, token, request = {}) => gateway.rest(method, `/api/v4/${path}`, { token, ...request }),
    namespaceId: async (fullPath) =>
      (await gateway.sql<{ id: number }>('select id from namespaces where full_path = $1', [fullPath]))[0]!.id,
    async aProject(visibility = 'PRIVATE', group = 'shop') {
      const path = `${group}/p${++counter}`;
      await make.project(path, visibility);
      return path;
    },
  };
}

/** The path of a project, named by its full path. */
export const at = (fullPath: string, more = '') => `projects/${encodeURIComponent(fullPath)}${more}`;

/** The answer for a project that is missing or hidden. */
export const missing = { message: '404 Project Not Found' };
