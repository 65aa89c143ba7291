import { dirname, join } from 'node:path';
import createRouter from 'find-my-way';
import type { GraphQLSchema } from 'graphql';
import { domainError, pageContext, type Application } from '../../context.ts';
import { RateLimited, Unavailable } from '../../errors.ts';
import {
  header,
  beginTransfer,
  callOf,
  reportDefect,
  requireReadablePath,
  commonHeaders,
  eventStream,
  streamed,
  toResponse,
  Unreadable,
  type Answer,
  type Door,
  type Exchange,
} from '../../http/index.ts';
import type { Limits } from '../../limits/index.ts';
import type { Log } from '../../observability/index.ts';
import { answerVisit, reads, wayBack } from './dispatch.ts';
import { assetsPrefix, readAssets } from './layout/assets.ts';
import { answerDocument, sdlPath, toDocument } from './documents.ts';
import { restoring } from './forms/interrupted.ts';
import type { Site } from './layout/layout.tsx';
import { noticeOf } from './layout/notices.ts';
import { defect, pageNotFound, rateLimited, unavailable, unreadable, wrongMethod } from './layout/problems.tsx';
import { once } from '../../values/once.ts';
import { zoneOfBrowser } from '../../values/time/time-zone.ts';
import { csrfTokens } from './csrf.ts';
import { withDash } from './paths.ts';
import { pageRoutes, placeRoutes, type Documentation } from '../routes.tsx';
import { clearCookie, readCookie, type CookieName } from './session.ts';
import { inboxPath } from '../notifications/inbox/view.tsx';
import { profileView } from '../accounts/users/controller.tsx';
import { avatarServer, uploadsPrefix } from '../places/avatars/serve.ts';
import { placePages } from '../places/place/controller.tsx';
import { placeRouter } from '../places/place/route.ts';
import { highlighter } from '../repository/files/highlighter.ts';
import { seeOther, withCookies, type PageRoute, type Visit } from './visit.ts';

/** What the pages need to be built. */
export interface SiteOptions {
  /** The whole schema. */
  readonly schema: GraphQLSchema;
  /** What describes the APIs; made when it is first read. */
  readonly documentation: () => Promise<Documentation>;
  /** The folder of the built assets. */
  readonly assetsDir: string;
}

export interface WebDoorOptions extends SiteOptions {
  readonly application: Application;
  readonly limits: Limits;
  readonly log: Log;
  /** Whether clients may read the schema of `/graphql`. */
  readonly introspection: boolean;
}

/** A file or a document, the same for every visitor. */
type File = readonly [name: string, view: (exchange: Exchange) => Answer | null | Promise<Answer | null>];

/** A page and its path parameters. */
interface Routed {
  readonly page: PageRoute;
  readonly named: Visit['named'];
}

/**
 * Compiles every page with its operations, and reads the assets. The build runs this too: it needs no running gateway.
 * @throws Error when the assets weren't built, GraphQLError when an operation doesn't fit the schema
 */
export function compileSite({ schema, assetsDir, documentation }: SiteOptions) {
  const places = placePages(schema);
  // The build puts it beside the folder of the assets.
  const highlight = highlighter(join(dirname(assetsDir), 'highlight.js'));
  return {
    assets: readAssets(assetsDir),
    routes: pageRoutes(schema, documentation, highlight),
    place: places.place,
    below: placeRouter(schema, placeRoutes(schema, places, highlight)),
    profile: profileView(schema),
  };
}

/**
 * The door for everything that isn't an API: pages, their assets, and the
 * documents that describe the APIs.
 * @throws Error when the assets weren't built, GraphQLError when an operation doesn't fit the schema
 */
export function webDoor({ application, limits, log, introspection, ...options }: WebDoorOptions): Door {
  const { assets, routes, place, below, profile } = compileSite(options);
  const documents = once(async () => {
    const { openApi, sdl } = await options.documentation();
    return {
      openApi: toDocument('application/json', JSON.stringify(openApi, null, 2)),
      sdl: toDocument('text/plain; charset=utf-8', sdl),
    };
  });

  const files = new Map<string, File>([
    ['/docs/openapi.json', ['openapi', async (exchange) => answerDocument((await documents()).openApi, exchange)]],
    [sdlPath, ['sdl', async (exchange) => (introspection ? answerDocument((await documents()).sdl, exchange) : null)]],
    ['/robots.txt', ['robots', () => robots]],
    ['/favicon.svg', ['favicon', (exchange) => assets.answerNamed('favicon.svg', exchange)]],
    ['/favicon.ico', ['favicon', (exchange) => assets.answerNamed('favicon.svg', exchange)]],
  ]);

  const asset: File = ['asset', (exchange) => assets.answer(exchange.path, exchange)];

  const avatar: File = ['avatar', avatarServer(options.schema, application, limits)];

  const router = createRouter();
  const pages = new Set(routes.filter(({ get }) => get).map(({ path }) => path));
  if (introspection) pages.add(sdlPath);
  if (!application.mail.keeps) pages.delete(inboxPath);
  for (const page of routes) router.on('GET', page.path, () => undefined, page);

  /** The page of a project. If no project has this path, it may be that of something below one, without the `/-/`. */
  function leadingOn(page: PageRoute, path: string): PageRoute {
    const address = withDash(path);
    if (address === undefined || !below.find(address)) return page;
    return {
      ...page,
      get: async (visit) =>
        (await page.get!(visit)) ?? seeOther(address + (visit.exchange.query && `?${visit.exchange.query}`)),
    };
  }

  function route(path: string): Routed {
    const known = router.find('GET', path);
    if (known) return { page: known.store as PageRoute, named: known.params };
    const inPlace = below.find(path);
    if (inPlace) return inPlace;
    const [, first = '', ...rest] = path.split('/');
    if (first === 'groups') return { page: place('group', rest.join('/')), named: {} };
    if (rest.length > 0) return { page: leadingOn(place('project', path.slice(1)), path), named: {} };
    return { page: { path, name: 'person', get: (visit) => profile(visit, first) }, named: {} };
  }

  /** Answers with the page, for the visitor whom the session cookie names. */
  async function visit({ page, named }: Routed, exchange: Exchange, anonymousSite: Site): Promise<Answer> {
    const cookie = (name: CookieName | 'zone') => readCookie(name, header(exchange, 'cookie'), anonymousSite.baseUrl);
    const secret = cookie('session');
    const context = await pageContext(application, secret, callOf(exchange));
    const { person } = context.viewer;
    exchange.notes.viewer = person?.id;
    const browser = cookie('browser');
    const visitor = person && secret ? { ...person, csrf: csrfTokens(secret, { id: person.id, browser }) } : null;
    const restored = reads(exchange) ? restoring(context, cookie('draft'), browser) : undefined;
    const { credential } = context.viewer;
    const site: Site = {
      ...anonymousSite,
      timeZone:
        (credential?.kind === 'session' && credential.timeZone) ||
        zoneOfBrowser(cookie('zone') ?? '') ||
        context.timeZone,
      visitor,
      path: wayBack(page, exchange),
      notice: noticeOf(cookie('notice')),
      restoring: restored,
    };
    const answer = await answerVisit(page, { exchange, site, context, named, browser }, visitor && secret);
    // Notices are shown once, and drafts are restored once.
    return withCookies(
      answer,
      ...(site.notice && answer.body !== null ? [clearCookie('notice', site.baseUrl)] : []),
      ...(restored?.taken ? [clearCookie('draft', site.baseUrl)] : []),
    );
  }

  return async (exchange) => {
    const path = exchange.path.replace(/(?<=.)\/$/, '');
    const { baseUrl, revision } = application;
    const anonymousSite: Site = {
      assets,
      baseUrl,
      revision,
      pages,
      timeZone: application.timeZone,
      visitor: null,
      path: '/',
      notice: null,
    };
    try {
      requireReadablePath(exchange);
      const file =
        files.get(path) ??
        (path.startsWith(assetsPrefix) ? asset : path.startsWith(uploadsPrefix) ? avatar : undefined);
      if (file) {
        const [name, view] = file;
        exchange.notes.route = `page ${name}`;
        return toResponse(
          exchange,
          reads(exchange)
            ? ((await view(exchange)) ?? pageNotFound(anonymousSite))
            : wrongMethod(anonymousSite, 'GET, HEAD'),
        );
      }
      const routed = route(path);
      exchange.notes.route = `page ${routed.page.name}`;
      if (routed.page.countsAsGuess && exchange.request.method === 'POST') await limits.guess(exchange);
      const answer = await visit(routed, exchange, anonymousSite);
      if (answer.events) {
        const headers = { ...commonHeaders(exchange), ...answer.headers };
        return eventStream(exchange, headers, answer.events, () => undefined);
      }
      if (!answer.stream) return toResponse(exchange, answer);
      beginTransfer(exchange);
      return streamed(exchange, { ...answer, body: answer.stream }, (error) => reportDefect(log, exchange, error));
    } catch (thrown) {
      if (thrown instanceof Unreadable)
        return toResponse(exchange, unreadable(anonymousSite, thrown.status, thrown.message));
      if (thrown instanceof RateLimited) return toResponse(exchange, rateLimited(anonymousSite, thrown.retryAfter));
      if (domainError(thrown) instanceof Unavailable) return toResponse(exchange, unavailable(anonymousSite));
      reportDefect(log, exchange, thrown);
      return toResponse(exchange, defect(anonymousSite, exchange.id));
    }
  };
}

/** Keeps search engines out: public pages are for people who have their address. */
const robots: Answer = {
  status: 200,
  headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'public, max-age=3600' },
  body: 'User-agent: *\nDisallow: /\n',
};
