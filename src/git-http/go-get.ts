import type { GraphQLSchema } from 'graphql';
import { domainError, gitContext, type Application, type Context } from '../context.ts';
import { Forbidden, InsufficientScope, NotFound } from '../errors.ts';
import { callOf, reportDefect, toResponse, type Door, type Exchange } from '../http/index.ts';
import type { Limits } from '../limits/index.ts';
import type { Log } from '../observability/index.ts';
import { compileOperation, type Operation } from '../operation.ts';
import { encodedPath } from '../values/text/file-path.ts';
import { escapedHtml } from '../values/text/html.ts';
import { gitHeaders, refuseThrown } from './answers.ts';
import { counted } from './counted.ts';
import { readCredential } from './request.ts';

/** The command `go`, which asks where the repository of a module is: any address of a project, with `?go-get=1`. */

const asked = /(?:^|&)go-get=1(?:&|$)/;
/** An import path: names of which none begins or ends in a way that no project's does. Nothing in it means something in HTML. */
const importPath = /^(?:\/\w(?:[\w.-]*\w)?){2,40}\/?$/;

/** Whether a request comes from `go`. */
export const asksForModule = ({ path, query, request: { method } }: Exchange): boolean =>
  method === 'GET' && asked.test(query) && importPath.test(path);

/** Names of a path that are looked at: those of as many groups as there may be, and of a project. */
const longestPath = 21;

interface Found {
  readonly fullPath: string;
  readonly defaultBranch: string | null;
}

const source = 'query ($project: String!) { opened: gitUploadPack(project: $project) { fullPath defaultBranch } }';

/**
 * Answers with the project that an import path names, or that its beginning does. Where the viewer sees none, the first two
 * names are taken for one: so the answer doesn't say whether a project is hidden.
 */
export function goGetDoor(application: Application, schema: GraphQLSchema, limits: Limits, log: Log): Door {
  let operation: Operation<{ opened: Found }> | undefined;

  async function contextOf(exchange: Exchange): Promise<Context> {
    const sent = readCredential(exchange) ?? null;
    const reading = gitContext(application, sent, callOf(exchange), undefined);
    return (
      await counted(
        limits,
        exchange,
        sent,
        reading.then((context) => ({ context })),
      )
    ).context;
  }

  /** The project at a path, if the viewer sees it. A guest, who may not clone it, sees it, too. */
  async function find(context: Context, path: string): Promise<Found | undefined> {
    operation ??= compileOperation<{ opened: Found }>(schema, source);
    try {
      operation.admit(context);
      return (await operation.execute(context, { project: path })).opened;
    } catch (error) {
      const known = domainError(error);
      if (known instanceof NotFound || known instanceof InsufficientScope) return undefined;
      if (known instanceof Forbidden) return { fullPath: path, defaultBranch: null };
      throw error;
    }
  }

  return async (exchange) => {
    exchange.notes.route = 'go-get';
    const names = exchange.path.split('/').filter((name) => name !== '');
    const paths = names.slice(1, longestPath).map((_name, index) => names.slice(0, index + 2).join('/'));
    try {
      const context = await contextOf(exchange);
      exchange.notes.viewer = context.viewer.person?.id;
      for (const path of paths.toReversed()) {
        const found = await find(context, path);
        if (found) return pageOf(exchange, path, found);
      }
      return pageOf(exchange, paths[0]!, { fullPath: paths[0]!, defaultBranch: null });
    } catch (error) {
      return refuseThrown(exchange, error, 'git-upload-pack', () => reportDefect(log, exchange, error));
    }
  };

  /** What `go` reads: where the repository is, and where its files are shown. It may have moved from where it was asked for. */
  function pageOf(exchange: Exchange, path: string, { fullPath, defaultBranch }: Found): Response {
    const { baseUrl } = application;
    const url = `${baseUrl}/${fullPath}`;
    const module = `${baseUrl}/${path}`.replace(/^https?:\/\//, '');
    const ref = encodedPath(defaultBranch ?? 'HEAD');
    const shown = `${url}/-/tree/${ref}{/dir} ${url}/-/blob/${ref}{/dir}/{file}#L{line}`;
    const meta = (name: string, content: string) => `<meta name="${name}" content="${escapedHtml(content)}">`;
    const head = `${meta('go-import', `${module} git ${url}.git`)}${meta('go-source', `${module} ${url} ${shown}`)}`;
    return toResponse(exchange, {
      status: 200,
      headers: { ...gitHeaders, 'content-type': 'text/html; charset=utf-8' },
      body: `<!doctype html><html><head>${head}</head><body>go get ${escapedHtml(module)}</body></html>\n`,
    });
  }
}
