import { header, isReadablePath, parseForm, Unreadable, type Exchange } from '../http/index.ts';
import type { PresentedToGit } from '../context.ts';

/** What a client of git asks for, read from path, query and headers. */

/**
 * The paths of this door: everything below `.git`, and the same without it, which is led there. An address that ends so is the
 * one that people clone from, and leads to the page of the project. Pages have `/-/`.
 */
export const gitPaths =
  /^\/(?!(?:.*\/)?-\/)(?:.+\.git\/(?:info\/|git-|HEAD$|objects\/)|.+\/info\/refs$|.+\/.+\.git\/?$)/;

const services = ['git-upload-pack', 'git-receive-pack'] as const;
export type ServiceName = (typeof services)[number];

/** A request, by what is to be done with it. */
export type GitRequest =
  | { readonly asks: 'advertisement' | 'exchange'; readonly project: string; readonly service: ServiceName }
  /** Files of a repository, as clients before version 1.6.6 read them: never served. */
  | { readonly asks: 'files' }
  /** The address without `.git` of git, or with it in a browser. */
  | { readonly asks: 'redirect'; readonly to: string }
  | { readonly asks: 'nothing' }
  /** A query that can't be read. */
  | { readonly asks: 'unreadable' }
  | { readonly asks: 'method'; readonly allow: string };

const served = /^\/(?<project>[^/].*?)\.git\/(?<rest>(?:info\/|git-|HEAD$|objects\/).*)$/;
/** Only a single slash at the begin: two of them, of either kind, would lead to another host. */
const withoutSuffix = /^\/(?<project>[^/\\].*)\/info\/refs$/;
const cloned = /^\/(?<project>[^/\\]+\/.+)\.git\/?$/;
/** Repositories beside that of a project, which aren't offered: wikis and snippets. */
const beside = /\.wiki$|(?:^|\/)snippets\/\d+$/;

/** Reads a request whose path is one of `gitPaths`. */
export function readRequest({ path, query, request: { method } }: Exchange): GitRequest {
  if (!isReadablePath(path)) return { asks: 'nothing' };
  const page = cloned.exec(path)?.groups!.project;
  if (page !== undefined)
    return method === 'GET' || method === 'HEAD' ? { asks: 'redirect', to: `/${page}` } : { asks: 'nothing' };
  const { project: escaped, rest } = served.exec(path)?.groups ?? {};
  const reads = rest === undefined || rest === 'info/refs';
  const service = reads ? serviceIn(query) : rest;
  if (service === unreadable) return { asks: 'unreadable' };
  if (escaped === undefined) {
    const bare = withoutSuffix.exec(path)?.groups!.project;
    if (bare === undefined || !isService(service)) return { asks: 'nothing' };
    return { asks: 'redirect', to: `/${bare}.git/info/refs?${query}` };
  }
  const project = decodeURIComponent(escaped);
  if (beside.test(project) || rest!.startsWith('info/lfs')) return { asks: 'nothing' };
  if (reads && method === 'HEAD') return { asks: 'files' };
  if (!isService(service)) return { asks: 'files' };
  if (method !== (reads ? 'GET' : 'POST')) return { asks: 'method', allow: reads ? 'GET' : 'POST' };
  return { asks: reads ? 'advertisement' : 'exchange', project, service };
}

const unreadable = Symbol('unreadable');

/** The service that a query names. */
function serviceIn(query: string): unknown {
  try {
    return parseForm(query).service;
  } catch (problem) {
    if (problem instanceof Unreadable) return unreadable;
    throw problem;
  }
}

const isService = (name: unknown): name is ServiceName => services.includes(name as ServiceName);

/**
 * The credential of a request: Basic, as git sends it, or a bearer token. No cookie, no parameter (contract S31).
 * @returns null without one; undefined for one that can't be read
 */
export function readCredential(exchange: Exchange): PresentedToGit | null | undefined {
  const given = header(exchange, 'authorization');
  if (given === undefined) return null;
  const bearer = /^Bearer +(\S+) *$/i.exec(given)?.[1];
  if (bearer !== undefined) return { presented: { as: 'bearer', token: bearer }, login: undefined };
  const encoded = /^Basic +([A-Za-z0-9+/_=-]+) *$/i.exec(given)?.[1];
  if (encoded === undefined) return undefined;
  const pair = Buffer.from(encoded, 'base64').toString();
  const colon = pair.indexOf(':');
  if (colon < 0 || pair.includes('\0') || pair.length > longestPair) return undefined;
  const [login, token] = [pair.slice(0, colon), pair.slice(colon + 1)];
  if (token === '') return undefined;
  if (login === 'gitlab-ci-token') return { presented: { as: 'job', token }, login: undefined };
  // By this name, OAuth tokens; by any other, personal ones.
  if (login === 'oauth2') return { presented: { as: 'bearer', token }, login: undefined };
  return { presented: { as: 'private', token }, login };
}

/** A name and a password, both as long as they may be. */
const longestPair = 2_048;
