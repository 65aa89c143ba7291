import createRouter from 'find-my-way';
import { schema } from '../../../src/schema/index.ts';
import { bookmarkPages, placeBookmarks } from '../../../src/web/bookmarks.ts';
import { placePages } from '../../../src/web/places/place/controller.tsx';
import { pageRoutes, placeRoutes } from '../../../src/web/routes.tsx';

/**
 * The routes of pages that the walk leaves out, by the reason. Pages of groups and projects begin with the kind.
 */
const leftOut: Readonly<Record<string, readonly string[]>> = {
  'It only redirects.': [
    '/login',
    '/dashboard/merge_requests',
    '/dashboard/todos/:id/mark_done',
    '/dashboard/todos/:id/restore',
    '/dashboard/todos/mark_all_done',
    '/profile/emails/:id/mail',
    '/profile/emails/:id/primary',
    '/profile/emails/:id/remove',
    '/profile/second_factor/recovery_codes',
    'project /tree',
    'project /commits',
    'project /refs/switch',
    'project /tags/*',
    'project /issues/:iid/notes/:note',
    'project /merge_requests/:iid/notes/:note',
    'project /snippets/:iid/notes/:note',
    'project /commit/:iid/notes/:note',
  ],
  'The steps of a stop lead there.': ['/profile/second_factor/new'],
  'account-pages.browser.test.ts and passkeys.browser.test.ts visit it: it needs a second factor or a domain name.': [
    '/profile/second_factor/passkeys/new',
    '/profile/second_factor/passkeys/:id/remove',
    '/profile/second_factor/turn_off',
    '/users/sign_in/second_factor',
    '/users/confirmation/new',
  ],
  'It is a document of others, which a page shows in a frame.': ['/-/mail/:id/html'],
  'It is read by a script.': ['/-/explore', 'project /jobs/:id/live', 'project /pipelines/:id/live'],
  'It is a file.': [
    '/admin/audit_log/export',
    '/-/snippets/:id/raw',
    '/-/snippets/:id/raw/:ref/*',
    'project /snippets/:id/raw',
    'project /snippets/:id/raw/:ref/*',
    'project /raw/*',
    'project /archive/*',
    'project /badges/*',
    'project /jobs/:id/raw',
    'project /jobs/:id/artifacts/download',
  ],
};

/** The reason why the walk leaves a route out, by the route. */
export const exceptions: ReadonlyMap<string, string> = new Map(
  Object.entries(leftOut).flatMap(([reason, routes]) => routes.map((route) => [route, reason] as const)),
);

/** The pages that the gateway serves, without GitLab's addresses of them, and which of them an address names. */
export function pagesOfGateway(): { readonly all: readonly string[]; find(address: string): string | undefined } {
  const highlight = () => Promise.resolve([]);
  const fixed = pageRoutes(schema, () => Promise.reject(new Error('Not needed.')), highlight)
    .filter((page) => !bookmarkPages.includes(page))
    .flatMap(({ path, get }) => (get ? [path] : []));
  const ofPlaces = placeRoutes(schema, placePages(schema), highlight)
    .filter((page) => !placeBookmarks.includes(page))
    .flatMap(({ path, of, get }) =>
      get ? (of ? [of] : (['group', 'project'] as const)).map((kind) => ({ kind, path })) : [],
    );
  const routers = { fixed: createRouter(), group: createRouter(), project: createRouter() };
  for (const path of fixed) routers.fixed.on('GET', path, () => undefined, path);
  for (const { kind, path } of ofPlaces) routers[kind].on('GET', path, () => undefined, `${kind} ${path}`);
  return {
    all: [...fixed, ...ofPlaces.map(({ kind, path }) => `${kind} ${path}`)],
    find(address) {
      const [path = ''] = address.split(/[?#]/);
      const [, isGroup, below] = /^\/(groups\/)?.+?\/-(\/.+)$/.exec(path) ?? [];
      const known =
        routers.fixed.find('GET', path) ??
        (below === undefined ? null : routers[isGroup === undefined ? 'project' : 'group'].find('GET', below));
      return known?.store as string | undefined;
    },
  };
}
