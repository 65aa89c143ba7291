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

/** Says that a parameter has another name now. */
const renamed = (old: string, now: string) => `The parameter \`${old}\` is called \`${now}\`.`;
const ofProjects = `${renamed('merge_when_build_succeeds', 'merge_when_pipeline_succeeds')} In place of \`public\` there is \`visibility\`.`;
const branch = renamed('branch_name', 'branch');
const iids = renamed('iid[]', 'iids');
const raw = 'Use GET /api/v4/projects/:id/repository/files/:file_path/raw?ref=:sha.';

/** From the interface's list of changes between versions 3 and 4. More specific rows come first. */
const replacements: readonly Replacement[] = [
  replaced('GET', /^\/projects\/(visible|all)$/, 'Use GET /api/v4/projects.'),
  replaced('GET', /^\/projects\/owned$/, 'Use GET /api/v4/projects?owned=true.'),
  replaced('GET', /^\/projects\/starred$/, 'Use GET /api/v4/projects?starred=true.'),
  // Neither a number nor a path of two parts: no project, so a search.
  replaced('GET', /^\/projects\/(search\/[^/]+|(?!\d+$)[^/%]+)$/, 'Use GET /api/v4/projects?search=x.'),
  replaced('GET', /^\/projects\/([^/]+\/)?merge_request\/.+$/, 'Use GET /api/v4/projects/:id/merge_requests/:merge_request_iid.'),
  replaced('GET', /^\/projects\/[^/]+\/(merge_requests|milestones)$/, iids),
  replaced('POST', /^\/projects\/fork\/[^/]+$/, 'Use POST /api/v4/projects/:id/fork.'),
  replaced('POST', /^\/projects(\/user\/[^/]+)?$/, ofProjects),
  replaced('PUT', /^\/projects\/[^/]+$/, ofProjects),
  replaced('DELETE', /^\/projects\/[^/]+\/star$/, 'Use POST /api/v4/projects/:id/unstar.'),
  replaced('DELETE', /^\/projects\/[^/]+\/deploy_keys\/[^/]+\/disable$/, 'Use DELETE /api/v4/projects/:id/deploy_keys/:key_id.'),
  replaced('*', /^\/projects\/[^/]+\/keys(\/.*)?$/, 'Use /api/v4/projects/:id/deploy_keys.'),
  replaced('*', /^\/projects\/[^/]+\/builds(\/.*)?$/, 'Builds are called jobs: use /api/v4/projects/:id/jobs.'),
  replaced('POST', /^\/projects\/[^/]+\/trigger\/builds$/, 'Use POST /api/v4/projects/:id/trigger/pipeline.'),
  replaced('GET', /^\/projects\/[^/]+\/repository\/(commits\/[^/]+\/blob|blobs\/[^/]+)$/, raw),
  replaced('GET', /^\/projects\/[^/]+\/repository\/files$/, 'Use GET /api/v4/projects/:id/repository/files/:file_path.'),
  replaced('GET', /^\/projects\/[^/]+\/repository\/tree$/, renamed('ref_name', 'ref')),
  replaced('POST', /^\/projects\/[^/]+\/repository\/(branches|commits)$/, branch),
  replaced('*', /^\/projects\/[^/]+\/repository\/files$/, `Use /api/v4/projects/:id/repository/files/:file_path. ${branch}`),
  replaced('GET', /^\/groups\/owned$/, 'Use GET /api/v4/groups?owned=true.'),
  replaced('DELETE', /^\/todos$/, 'Use POST /api/v4/todos/mark_as_done.'),
  replaced('DELETE', /^\/todos\/[^/]+$/, 'Use POST /api/v4/todos/:todo_id/mark_as_done.'),
  replaced('POST', /^\/users$/, renamed('confirm', 'skip_confirmation')),
  replaced('PUT', /^\/users\/[^/]+\/(block|unblock)$/, 'Use POST /api/v4/users/:id/block or /unblock.'),
  replaced('GET', /^\/(licenses|gitignores|gitlab_ci_ymls|dockerfiles)(\/[^/]+)?$/, 'Use GET /api/v4/templates/… with the same name.'),
  replaced('*', /^\/projects\/[^/]+\/\w+\/[^/]+\/subscription$/, 'Use POST /api/v4/projects/:id/:subscribable_type/:subscribable_id/subscribe or /unsubscribe.'),
  replaced('PUT', /^\/projects\/[^/]+\/merge_requests\/[^/]+\/merge$/,
    `Use the same path below /api/v4, with the iid in place of the id. ${renamed('merge_when_build_succeeds', 'merge_when_pipeline_succeeds')}`),
  replaced('POST', /^\/projects\/[^/]+\/merge_requests\/[^/]+\/cancel_merge_when_build_succeeds$/,
    'Use POST /api/v4/projects/:id/merge_requests/:merge_request_iid/cancel_merge_when_pipeline_succeeds.'),
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
