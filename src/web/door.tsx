import type { GraphQLSchema } from 'graphql';
import { pageContext, domainError, type Application } from '../context.ts';
import { Unavailable } from '../errors.ts';
import { originOf, reportDefect, send, type Answer, type Door, type Exchange } from '../http/index.ts';
import type { Log } from '../observability/index.ts';
import { assetsPrefix, readAssets } from './assets.ts';
import { answerDocument, toDocument } from './documents.ts';
import type { Site } from './layout.tsx';
import { toAnswer } from './page.ts';
import { Home } from './pages/home.tsx';
import { PlacePage } from './pages/place.tsx';
import { Profile } from './pages/profile.tsx';
import { Reference } from './pages/reference.tsx';
import { nameSegments } from './paths.ts';
import { placeFinders } from './places.ts';
import { defect, nothingHere, unavailable, wrongMethod } from './problems.tsx';

export interface WebDoorOptions {
  readonly application: Application;
  /** The whole schema. */
  readonly schema: GraphQLSchema;
  readonly log: Log;
  /** The folder of the built assets. */
  readonly assetsDir: string;
  /** The OpenAPI document of the REST routes. */
  readonly openApi: object;
  /** What `/graphql` serves, in the schema definition language. */
  readonly sdl: string;
}

/** Something with an address. Null: there is nothing there that the viewer may see. */
type View = (site: Site, exchange: Exchange) => Answer | null | Promise<Answer | null>;

/** A view, and its name in the access log. */
type Route = readonly [name: string, view: View];

/**
 * The door of everything that isn't an API: pages, their assets, and the
 * documents that describe the APIs.
 * @throws Error when the assets weren't built, GraphQLError when an operation doesn't fit the schema
 */
export function webDoor({ application, schema, log, assetsDir, openApi, sdl }: WebDoorOptions): Door {
  const assets = readAssets(assetsDir);
  const openApiDocument = toDocument('application/json', JSON.stringify(openApi, null, 2));
  const sdlDocument = toDocument('text/plain; charset=utf-8', sdl);
  const find = placeFinders(schema);

  const fixed = new Map<string, Route>([
    ['/', ['home', (site) => toAnswer(<Home site={site} />)]],
    ['/docs', ['reference', (site) => toAnswer(<Reference site={site} openApi={openApi} />, 200, { scripts: true })]],
    ['/docs/openapi.json', ['openapi', (_site, exchange) => answerDocument(openApiDocument, exchange)]],
    ['/docs/schema.graphql', ['sdl', (_site, exchange) => answerDocument(sdlDocument, exchange)]],
    ['/robots.txt', ['robots', () => robots]],
    ['/favicon.svg', ['favicon', (_site, exchange) => assets.answerNamed('favicon.svg', exchange)]],
    ['/favicon.ico', ['favicon', (_site, exchange) => assets.answerNamed('favicon.svg', exchange)]],
  ]);

  const place = (kind: 'group' | 'project', path: string): View => async (site, exchange) => {
    const segments = nameSegments(path);
    if (!segments) return null;
    const found = await find[kind](await pageContext(application, null, originOf(exchange)), segments);
    return found.place && toAnswer(<PlacePage site={site} kind={kind} place={found.place} parent={found.parent} />);
  };
  const profile = (username: string): View => (site) => (nameSegments(username) ? toAnswer(<Profile site={site} />) : null);

  function route(path: string): Route {
    const known = fixed.get(path);
    if (known) return known;
    if (path.startsWith(assetsPrefix)) return ['asset', (_site, exchange) => assets.answer(path, exchange)];
    const [, first = '', ...rest] = path.split('/');
    if (first === 'groups') return ['group', place('group', rest.join('/'))];
    return rest.length > 0 ? ['project', place('project', path.slice(1))] : ['profile', profile(first)];
  }

  return async (exchange) => {
    const site: Site = { assets, baseUrl: application.baseUrl, revision: application.revision };
    const [name, view] = route(exchange.path.replace(/(?<=.)\/$/, ''));
    exchange.notes.route = `page ${name}`;
    const { method } = exchange.request;
    if (method !== 'GET' && method !== 'HEAD') return send(exchange, wrongMethod(site));
    try {
      send(exchange, (await view(site, exchange)) ?? nothingHere(site));
    } catch (thrown) {
      if (domainError(thrown) instanceof Unavailable) return send(exchange, unavailable(site));
      reportDefect(log, exchange, thrown);
      send(exchange, defect(site, exchange.id));
    }
  };
}

/** Nothing here is for search engines: what is public is so to those who know where it is. */
const robots: Answer = {
  status: 200,
  headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'public, max-age=3600' },
  body: 'User-agent: *\nDisallow: /\n',
};
