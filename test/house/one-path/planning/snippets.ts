import type { Input, Inputs } from '../inputs.ts';

/**
 * The inputs for the routes of snippets. `demo/storefront` has snippet 101, `hidden/project` snippet 102, and 103 is a
 * private one of the maintainer.
 */

const file = { file_name: 'a.txt', content: 'A' };
const changes: readonly Input['values'][] = [
  { title: 'Other' },
  { content: 'B' },
  { files: [{ action: 'delete', file_path: 'x' }] },
];

function ofScope(isOfProject: boolean): Inputs {
  const path = isOfProject ? '/api/v4/projects/:id/snippets' : '/api/v4/snippets';
  const places = isOfProject ? ['demo/storefront', 'hidden/project'] : [undefined];
  const ids = isOfProject ? ['101', '102'] : ['101', '102', '103'];
  const single = isOfProject ? `${path}/:snippet_id` : `${path}/:id`;
  const one = (all: readonly Input['values'][] = [{}], more = {}): Input[] =>
    places.flatMap((id) =>
      ids.flatMap((snippet) =>
        all.map((values) =>
          id === undefined
            ? { path: { id: snippet, ...more }, values }
            : { id, path: { snippet_id: snippet, ...more }, values },
        ),
      ),
    );
  const all = (...values: readonly Input['values'][]): Input[] =>
    places.flatMap((id) => values.map((each) => ({ ...(id !== undefined && { id }), values: each })));
  return {
    [`GET ${path}`]: { readable: all({}) },
    [`POST ${path}`]: {
      readable: all(
        { title: 'New', visibility: 'internal', ...file },
        { title: 'New', visibility: 'public', files: [{ file_path: 'a', content: 'A' }] },
        { title: 'New', visibility: 'public', files: [] },
      ),
    },
    [`GET ${single}`]: { readable: one() },
    [`PUT ${single}`]: { readable: one(changes) },
    [`DELETE ${single}`]: { readable: one() },
    [`GET ${single}/raw`]: { readable: one() },
    [`GET ${single}/files/:ref/:file_path/raw`]: { readable: one([{}], { ref: 'main', file_path: 'a.txt' }) },
    [`GET ${single}/user_agent_detail`]: { readable: one() },
  };
}

export const inputsOfSnippets = () => ({
  ...ofScope(true),
  ...ofScope(false),
  'GET /api/v4/snippets/public': { readable: [{ values: {} }] },
  'GET /api/v4/snippets/all': { readable: [{ values: {} }] },
});

/** Tables of snippets whose rows are restored between two requests, those that others refer to first. */
export const tablesOfSnippets = ['snippets', 'snippet_files'] as const;

/** Makes the snippets. */
export const snippetsToBegin = `do $$ begin
  insert into snippets (id, project_id, author_id, title, visibility)
    select case when p.full_path = 'demo/storefront' then 101 else 102 end, p.id, u.id, 'One', 'PUBLIC'
      from projects p, users u where p.full_path in ('demo/storefront', 'hidden/project') and u.username = 'root';
  insert into snippets (id, author_id, title, visibility) select 103, u.id, 'Mine', 'PRIVATE' from users u where u.username = 'maintainer';
  insert into snippet_files (snippet_id, path, position, content) select id, 'a.txt', 1, 'A' from snippets;
end $$`;
