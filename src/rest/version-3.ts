import { send, type Exchange } from '../http/index.ts';
import { apiHeaders } from './headers.ts';

/** A version 3 call whose replacement isn't the same call under version 4. */
interface Replacement {
  readonly method: string;
  /** Matches the path below `/api/v3`. */
  readonly path: RegExp;
  readonly hint: string;
}

const replaced = (method: string, path: RegExp, hint: string): Replacement => ({ method, path, hint });

/** From the interface's list of changes between versions 3 and 4. More specific rows come first. */
const replacements: readonly Replacement[] = [
  replaced('GET', /^\/projects\/(visible|all)$/, 'Use GET /api/v4/projects.'),
  replaced('GET', /^\/projects\/owned$/, 'Use GET /api/v4/projects?owned=true.'),
  replaced('GET', /^\/projects\/starred$/, 'Use GET /api/v4/projects?starred=true.'),
  replaced('GET', /^\/projects\/search\/[^/]+$/, 'Use GET /api/v4/projects?search=x.'),
  replaced('GET', /^\/projects\/[^/]+\/merge_request\/.+$/, 'Use GET /api/v4/projects/:id/merge_requests/:merge_request_iid.'),
  replaced('POST', /^\/projects\/fork\/[^/]+$/, 'Use POST /api/v4/projects/:id/fork.'),
  replaced('DELETE', /^\/projects\/[^/]+\/star$/, 'Use POST /api/v4/projects/:id/unstar.'),
  replaced('DELETE', /^\/projects\/[^/]+\/deploy_keys\/[^/]+\/disable$/, 'Use DELETE /api/v4/projects/:id/deploy_keys/:key_id.'),
  replaced('*', /^\/projects\/[^/]+\/keys(\/.*)?$/, 'Use /api/v4/projects/:id/deploy_keys.'),
  replaced('*', /^\/projects\/[^/]+\/builds(\/.*)?$/, 'Builds are called jobs: use /api/v4/projects/:id/jobs.'),
  replaced('POST', /^\/projects\/[^/]+\/trigger\/builds$/, 'Use POST /api/v4/projects/:id/trigger/pipeline.'),
  replaced('GET', /^\/projects\/[^/]+\/repository\/commits\/[^/]+\/blob$/, 'Use GET /api/v4/projects/:id/repository/files/:file_path/raw?ref=:sha.'),
  replaced('GET', /^\/projects\/[^/]+\/repository\/files$/, 'Use GET /api/v4/projects/:id/repository/files/:file_path.'),
  replaced('GET', /^\/groups\/owned$/, 'Use GET /api/v4/groups?owned=true.'),
  replaced('DELETE', /^\/todos$/, 'Use POST /api/v4/todos/mark_as_done.'),
  replaced('DELETE', /^\/todos\/[^/]+$/, 'Use POST /api/v4/todos/:todo_id/mark_as_done.'),
  replaced('PUT', /^\/users\/[^/]+\/(block|unblock)$/, 'Use POST /api/v4/users/:id/block or /unblock.'),
  replaced('GET', /^\/(licenses|gitignores|gitlab_ci_ymls|dockerfiles)(\/[^/]+)?$/, 'Use GET /api/v4/templates/… with the same name.'),
  replaced('*', /^\/projects\/[^/]+\/(issues|merge_requests)\/[^/]+/, 'Use the same path below /api/v4, with the iid in place of the id.'),
];

/** Version 3 is gone: 410, the way to version 4, and a hint where the call changed. */
export function answerVersion3(exchange: Exchange): void {
  const path = exchange.path.slice('/api/v3'.length);
  const method = exchange.request.method ?? 'GET';
  const replacement = replacements.find((row) => (row.method === '*' || row.method === method) && row.path.test(path));
  const body = {
    error: 'API V3 is no longer supported. Use API V4 instead.',
    ...(replacement && { hint: replacement.hint }),
  };
  send(exchange, {
    status: 410,
    headers: { ...apiHeaders(exchange), link: `</api/v4${path.replace(/[^!-;=?-~]/g, encodeURIComponent)}>; rel="successor-version"` },
    body: JSON.stringify(body),
  });
}
