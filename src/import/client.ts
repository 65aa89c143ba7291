import { setTimeout as pause } from 'node:timers/promises';
import { OperatorError } from '../errors.ts';
import { isLoopback } from '../values/address.ts';

/** The client of the instance that records are imported from: reads version 4 of its API, and nothing else. */

/** A record as the other side sends it. Nothing of it is trusted. */
export type Given = Readonly<Record<string, unknown>>;
export type Query = Readonly<Record<string, string | number | boolean>>;

export interface ClientOptions {
  readonly url: string;
  readonly token: string;
  /** Ends waiting and reading. */
  readonly signal: AbortSignal;
  /** Milliseconds that an answer may take. */
  readonly timeout?: number;
  /** Milliseconds before the first repetition; each further one waits twice as long. */
  readonly firstPause?: number;
}

/** Why something isn't given: the status of the answer, or what is wrong with it. */
export type Reason = number | 'endless' | 'too large' | 'too slow' | 'unreadable';

const words = {
  endless: 'endless',
  'too large': 'larger than 64 MB',
  'too slow': 'too slow',
  unreadable: 'no JSON of a GitLab',
};

/** What the other side doesn't give, though it was asked. */
export class NotGiven extends Error {
  readonly status: Reason;
  constructor(status: Reason, path: string) {
    super(typeof status === 'number' ? `${path} is answered ${status}.` : `The answer to ${path} is ${words[status]}.`);
    this.status = status;
  }
}

/** Why an import can't go on, with a remedy. */
export class ImportError extends OperatorError {}

/** Bytes of an answer. */
const largestBody = 64 * 2 ** 20;
const mostAttempts = 7;
/** Attempts at something that fails by itself, while the rest of the instance answers. */
const mostAttemptsAtOne = 4;
/** When so many requests failed one after the other, the instance is broken, not what they asked for. */
const mostFailures = 20;
/** Pages of a list, and how many of them in a row may have no record that is new. */
const mostPages = 100_000;
const mostStalePages = 20;
/** Records of a list that is read as a whole. */
const mostOfAll = 200_000;
/** How often a list is read whose length changes meanwhile. */
const mostReadings = 3;
const mostRedirects = 3;
/** Milliseconds that the other side may ask to wait. */
const longestPause = 10 * 60_000;
const perPage = 100;

interface TryAgainOptions {
  /** Milliseconds to wait, if the other side says so. */
  readonly after?: number | undefined;
  /** What it is if it stays so, and concerns only what was asked for. */
  readonly lasting?: Reason | undefined;
}

/** An answer that may be better the next time. */
class TryAgain extends Error {
  readonly options: TryAgainOptions;
  constructor(message: string, options: TryAgainOptions = {}) {
    super(message);
    this.options = options;
  }
}

/** The address of an instance, without the path of its API. @throws ImportError unless it is safe to send a token to */
export function instanceAddress(given: string): URL {
  if (!URL.canParse(given)) throw new ImportError(`${given} is not an address.`, 'Write https://gitlab.example.com.');
  const url = new URL(given);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname)))
    throw new ImportError('The token would be sent in plain text.', 'Use an address that begins with https://.');
  if (url.username !== '' || url.password !== '')
    throw new ImportError('The address contains a password.', 'Leave it out; the token is enough.');
  url.pathname = url.pathname.replace(/\/+$/, '').replace(/\/api\/v4$/, '');
  url.search = '';
  url.hash = '';
  return url;
}

export class OriginClient {
  readonly url: string;
  readonly #options: ClientOptions;
  /** No request is sent before this time: the other side asked for a pause. */
  #notBefore = 0;
  #requests = 0;
  /** How many requests failed one after the other. */
  #failures = 0;

  constructor(options: ClientOptions) {
    this.url = instanceAddress(options.url).href.replace(/\/+$/, '');
    this.#options = options;
  }

  /** How many requests were sent. */
  get requests(): number {
    return this.#requests;
  }

  /** Reads one record. @throws NotGiven, ImportError */
  async get(path: string, query: Query = {}): Promise<Given> {
    const { body } = await this.#read(path, query);
    if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new NotGiven('unreadable', path);
    return body as Given;
  }

  /** Reads a text, such as a file. @throws NotGiven, ImportError */
  async text(path: string): Promise<string> {
    return (await this.#read(path, {}, (text) => text)).body as string;
  }

  /** How many records a list has, if the other side says so. @throws NotGiven, ImportError */
  async count(path: string, query: Query = {}): Promise<number | undefined> {
    const { headers } = await this.#read(path, { ...query, per_page: 1 });
    const total = Number(headers.get('x-total') ?? NaN);
    return Number.isInteger(total) ? total : undefined;
  }

  /**
   * Reads a list page by page, as its `Link` headers lead, each record once. What isn't a record is left out. A list whose
   * length changes meanwhile is read again, because records move to pages that were read before.
   * @throws NotGiven, OperatorError
   */
  async *list(path: string, query: Query = {}): AsyncGenerator<readonly Given[]> {
    const seen = new Set<unknown>();
    for (let reading = 1; reading <= mostReadings; reading++) {
      const lengths: Lengths = { first: undefined, last: undefined };
      yield* this.#pages(path, query, seen, lengths);
      if (lengths.first === lengths.last) return;
    }
  }

  async *#pages(
    path: string,
    query: Query,
    seen: Set<unknown>,
    lengths: Lengths,
  ): AsyncGenerator<readonly Given[], void> {
    let next: Query | undefined = { per_page: perPage, ...query };
    let stale = 0;
    for (let page = 1; next; page++) {
      if (page > mostPages || stale === mostStalePages) throw new NotGiven('endless', path);
      const asked: Query = next;
      const { body, headers }: Answer = await this.#read(path, asked);
      if (!Array.isArray(body)) throw new NotGiven('unreadable', path);
      lengths.last = headers.get('x-total') ?? undefined;
      if (page === 1) lengths.first = lengths.last;
      const records = (body as readonly unknown[]).filter(
        (one): one is Given => typeof one === 'object' && one !== null && !Array.isArray(one),
      );
      // Records move to other pages while the list changes.
      const fresh = records.filter(({ id }) => id === undefined || (!seen.has(id) && seen.add(id)));
      yield fresh;
      stale = fresh.length === 0 ? stale + 1 : 0;
      next = body.length === 0 ? undefined : nextPage(headers, asked);
    }
  }

  /** The records of a list, for those that are short. @throws as `list` */
  async all(path: string, query: Query = {}): Promise<readonly Given[]> {
    const records: Given[] = [];
    for await (const page of this.list(path, query)) {
      records.push(...page);
      if (records.length > mostOfAll) throw new NotGiven('endless', path);
    }
    return records;
  }

  /** Sends a request until it is answered. */
  async #read(path: string, query: Query, parse: Parse = JSON.parse): Promise<Answer> {
    for (let attempt = 1; ; attempt++) {
      try {
        await this.#wait(this.#notBefore - Date.now());
        const answer = await this.#send(path, query, parse);
        this.#failures = 0;
        return answer;
      } catch (error) {
        if (!(error instanceof TryAgain)) throw error;
        const { after, lasting } = error.options;
        if (attempt === mostAttemptsAtOne && lasting !== undefined && ++this.#failures < mostFailures)
          throw new NotGiven(lasting, path);
        if (attempt === mostAttempts || this.#failures >= mostFailures)
          throw new ImportError(
            `${this.url} doesn’t answer ${path}: ${error.message}`,
            'Run the command again later: it goes on where it stopped.',
          );
        // The others wait, too, if the other side asked for it.
        if (after !== undefined) this.#notBefore = Date.now() + after;
        else await this.#wait((this.#options.firstPause ?? 500) * 2 ** (attempt - 1));
      }
    }
  }

  async #wait(milliseconds: number): Promise<void> {
    if (milliseconds > 0) await pause(milliseconds, undefined, { signal: this.#options.signal });
    this.#options.signal.throwIfAborted();
  }

  async #send(path: string, query: Query, parse: Parse): Promise<Answer> {
    let url = new URL(`${this.url}/api/v4${path}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.append(name, String(value));
    for (let redirects = 0; ; redirects++) {
      const answer = await this.#bounded((signal) => this.#ask(url, path, parse, signal));
      if (typeof answer !== 'string') return answer;
      const to = URL.canParse(answer, url) ? new URL(answer, url) : undefined;
      if (to?.origin !== url.origin || redirects === mostRedirects)
        throw new ImportError(
          `${this.url} redirects to another address.`,
          'Name the address that it redirects to, if you trust it with the token.',
        );
      url = to;
    }
  }

  /** Sends it once. @returns the answer, or the address that it is redirected to */
  async #ask(url: URL, path: string, parse: Parse, signal: AbortSignal): Promise<Answer | string> {
    const response = await this.#fetch(url, signal);
    const target = response.status >= 300 && response.status < 400 ? response.headers.get('location') : null;
    if (target === null) return await this.#answer(response, path, parse);
    await response.body?.cancel();
    return target;
  }

  /**
   * Runs a request until it is answered, takes too long, or the import ends. Its timer and its listener end with it:
   * `AbortSignal.timeout` and `AbortSignal.any` would keep all of the request for as long as it may take.
   */
  async #bounded<T>(request: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { signal, timeout = 60_000 } = this.#options;
    const controller = new AbortController();
    const end = () => controller.abort(signal.reason);
    const late = () => controller.abort(new DOMException('It takes too long.', 'TimeoutError'));
    const timer = setTimeout(late, timeout);
    signal.addEventListener('abort', end);
    try {
      return await request(controller.signal);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
    }
  }

  async #fetch(url: URL, bounded: AbortSignal): Promise<Response> {
    const { token, signal } = this.#options;
    this.#requests++;
    try {
      return await fetch(url, {
        headers: { 'private-token': token, accept: 'application/json' },
        redirect: 'manual',
        signal: bounded,
      });
    } catch (error) {
      signal.throwIfAborted();
      throw lost(error);
    }
  }

  async #answer(response: Response, path: string, parse: Parse): Promise<Answer> {
    const { status, headers } = response;
    const text = await this.#text(response, path);
    if (status === 429 || status >= 500)
      throw new TryAgain(`It answers ${status}.`, {
        after: pauseOf(headers, status),
        // The others are the answers of an instance that is overloaded or down.
        lasting: status === 500 ? status : undefined,
      });
    if (status === 401)
      throw new ImportError(
        `${this.url} refuses the token.`,
        'Make a personal access token of an administrator there, with the scopes api, sudo and read_repository.',
      );
    if (status >= 400) throw new NotGiven(status, path);
    this.#slowDown(headers);
    try {
      return { body: parse(text), headers };
    } catch {
      throw new TryAgain('Its answer isn’t JSON.', { lasting: 'unreadable' });
    }
  }

  /** Reads a body up to the bound. */
  async #text(response: Response, path: string): Promise<string> {
    const chunks: Uint8Array[] = [];
    let size = 0;
    try {
      for await (const chunk of response.body ?? []) {
        size += (chunk as Uint8Array).length;
        if (size > largestBody) break;
        chunks.push(chunk as Uint8Array);
      }
    } catch (error) {
      this.#options.signal.throwIfAborted();
      throw lost(error, 'unreadable');
    }
    if (size > largestBody) throw new NotGiven('too large', path);
    return Buffer.concat(chunks).toString('utf8');
  }

  /** Waits before the next request if the other side allows no more of them just now. */
  #slowDown(headers: Headers): void {
    if (headers.get('ratelimit-remaining') !== '0') return;
    const after = untilReset(headers);
    if (after !== undefined) this.#notBefore = Date.now() + after;
  }
}

type Parse = (text: string) => unknown;

interface Answer {
  readonly body: unknown;
  readonly headers: Headers;
}

/** What the other side says of the length of a list, at its first and at its last page. */
interface Lengths {
  first: string | undefined;
  last: string | undefined;
}

/** Why a connection failed, without anything of the request. */
function lost(error: unknown, lasting?: Reason): TryAgain {
  const { cause, name } = error as { cause?: { code?: string }; name?: string };
  if (name === 'TimeoutError') return new TryAgain('It takes too long.', { lasting: 'too slow' });
  return new TryAgain(cause?.code ?? 'The connection was lost.', { lasting });
}

/** How long the other side asks to wait after a refusal, in milliseconds. */
function pauseOf(headers: Headers, status: number): number | undefined {
  const given = headers.get('retry-after');
  if (given === null) return status === 429 ? untilReset(headers) : undefined;
  const seconds = /^\d+$/.test(given) ? Number(given) : (Date.parse(given) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.min(longestPause, Math.max(0, seconds * 1000)) : undefined;
}

/** Milliseconds until the rate limit is reset. */
function untilReset(headers: Headers): number | undefined {
  const reset = Number(headers.get('ratelimit-reset') ?? NaN);
  if (!Number.isFinite(reset)) return undefined;
  // GitLab sends a time; proxies send seconds from now, as the draft of the header has them.
  const milliseconds = reset < 1_000_000_000 ? reset * 1000 : reset * 1000 - Date.now();
  return Math.min(longestPause, Math.max(0, milliseconds));
}

/**
 * The query of the next page. Only the query of a link is followed: behind a proxy, its host may be another name of the
 * instance, and no link leads elsewhere.
 */
function nextPage(headers: Headers, asked: Query): Query | undefined {
  const link = /<([^<>]*)>;\s*rel="?next"?/.exec(headers.get('link') ?? '')?.[1];
  if (link !== undefined && URL.canParse(link)) return Object.fromEntries(new URL(link).searchParams);
  const page = headers.get('x-next-page') ?? '';
  return /^\d+$/.test(page) ? { ...asked, page } : undefined;
}
