import querystring from 'node:querystring';
import qs from 'qs';
import { isStorable } from '../values/text/storable.ts';
import { bodyOf } from './body.ts';
import { header, type Exchange } from './exchange.ts';
import { Unreadable } from './unreadable.ts';

/** Parameters as received: strings from forms, any JSON value from JSON. */
export type Parameters = Record<string, unknown>;

/** A file of a multipart form. Only the parser makes these: an object in JSON is never one. */
export class SentFile {
  /** As sent: it may hold anything. */
  readonly filename: string;
  readonly content: Buffer;

  constructor(filename: string, content: Buffer) {
    this.filename = filename;
    this.content = content;
  }
}

/** Maximum number of parameters in a form. */
const maxParameters = 1_000;
/** Limits of a JSON body: its depth, and its number of values. */
const jsonDepth = 32;
const jsonValues = 100_000;

/** How to treat a repeated parameter: the last one counts, or the request is refused. */
export type Repeats = 'last' | 'refuse';

/**
 * Parses a query string or a urlencoded form. `a[]=1&a[]=2` is a list, `a[b]=1` an object.
 * @throws Unreadable for escapes that aren't UTF-8, text that can't be stored, too large input, and refused repeats
 */
export function parseForm(text: string, repeats: Repeats = 'last'): Parameters {
  if (text === '') return {};
  let decoded: string;
  try {
    decoded = decodeURIComponent(text);
  } catch {
    throw new Unreadable(400, 'Bad Request');
  }
  if (!isStorable(decoded)) throw new Unreadable(400, 'Bad Request');
  if (isFlat(text)) return parseFlat(text, repeats);
  // A list repeats its name.
  if (repeats === 'refuse')
    refuseRepeated([...new URLSearchParams(text).keys()].filter((name) => !name.endsWith('[]')));
  try {
    return qs.parse(withIndexes(text), {
      duplicates: 'last',
      plainObjects: true,
      depth: jsonDepth,
      strictDepth: true,
      parameterLimit: maxParameters,
      throwOnLimitExceeded: true,
      arrayLimit: 1_000,
    });
  } catch (error) {
    if (error instanceof RangeError) throw new Unreadable(400, 'Too many or too deep parameters.');
    throw error;
  }
}

/**
 * Numbers the objects of lists, as Rails does: `a[][x]=1&a[][y]=2` is a list of one object, `a[0]`, and a member that
 * repeats begins the next one.
 */
function withIndexes(text: string): string {
  if (!/(?:\[|%5b)(?:\]|%5d)(?:\[|%5b)/i.test(text)) return text;
  /** The members of the last object of each list, and its number. */
  const last = new Map<string, { index: number; members: Set<string> }>();
  const pairs = text.split('&').map((pair) => {
    const end = pair.indexOf('=') < 0 ? pair.length : pair.indexOf('=');
    const name = pair.slice(0, end).replaceAll(/%5b/gi, '[').replaceAll(/%5d/gi, ']');
    const [, list, member] = /^([^[\]]+)\[\](\[.+\])$/.exec(name) ?? [];
    if (list === undefined || member === undefined) return pair;
    const object = last.get(list) ?? { index: 0, members: new Set() };
    last.set(list, object);
    if (object.members.has(member) && !member.endsWith('[]')) {
      object.index += 1;
      object.members.clear();
    }
    object.members.add(member);
    return `${list}[${object.index}]${member}${pair.slice(end)}`;
  });
  return pairs.join('&');
}

/** Whether a form has no brackets, raw or escaped, and not too many parameters. Then it is only names and strings. */
const isFlat = (text: string) =>
  !/[[\]]|%5[bd]/i.test(text) && text.split('&', maxParameters + 1).length <= maxParameters;

/**
 * Parses a flat form, as nearly every form is, with Node's own parser: it takes a third of the time. It returns an
 * array for a repeated parameter.
 */
function parseFlat(text: string, repeats: Repeats): Parameters {
  const parsed: Parameters = querystring.parse(text, '&', '=', { maxKeys: 0 });
  for (const name in parsed) {
    const value = parsed[name];
    if (!Array.isArray(value)) continue;
    if (repeats === 'refuse') throw repeated(name);
    parsed[name] = value.at(-1);
  }
  // The other parser ignores parameters without a name, too.
  delete parsed[''];
  delete parsed.__proto__;
  return parsed;
}

function refuseRepeated(names: Iterable<string>): void {
  const seen = new Set<string>();
  for (const name of names) {
    if (seen.has(name)) throw repeated(name);
    seen.add(name);
  }
}

const repeated = (name: string) => new Unreadable(400, `The parameter ${name.slice(0, 100)} is repeated.`);

/**
 * Reads the parameters of a body of any supported content type.
 * @throws Unreadable
 */
export async function readBodyParameters(exchange: Exchange, repeats: Repeats = 'last'): Promise<Parameters> {
  const body = bodyOf(exchange);
  if (body.length === 0) return {};
  const contentType = header(exchange, 'content-type') ?? 'application/x-www-form-urlencoded';
  const mediaType = contentType.split(';', 1)[0]!.trim().toLowerCase();
  switch (mediaType) {
    case 'application/json':
      return parseJson(decodeUtf8(body), repeats);
    case 'application/x-www-form-urlencoded':
      return parseForm(decodeUtf8(body), repeats);
    case 'multipart/form-data':
      return await parseMultipart(body, contentType, repeats);
    default:
      throw new Unreadable(415, `The provided content-type '${mediaType}' is not supported.`);
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function decodeUtf8(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new Unreadable(400, 'Bad Request');
  }
}

function parseJson(text: string, repeats: Repeats): Parameters {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Unreadable(400, 'The message body does not match declared format.');
  }
  checkJson(value);
  if (!isObject(value)) return {};
  if (repeats === 'refuse') refuseRepeated(keysOf(text));
  return value;
}

/**
 * The names of the top-level object in a well-formed JSON text, to find repeated ones: `JSON.parse` silently keeps the
 * last.
 */
function* keysOf(text: string): Iterable<string> {
  let depth = 0;
  let before = '';
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!;
    if (char === '"') {
      const begin = at;
      while (text[++at] !== '"') if (text[at] === '\\') at++;
      if (depth === 1 && before !== ':') yield JSON.parse(text.slice(begin, at + 1)) as string;
    } else if ('{[]},:'.includes(char)) {
      depth += Number(char === '{' || char === '[') - Number(char === '}' || char === ']');
      before = char;
    }
  }
}

function checkJson(root: unknown): void {
  let values = 0;
  let level: unknown[] = [root];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > jsonDepth) throw new Unreadable(400, 'The JSON body is nested too deeply.');
    const next: unknown[] = [];
    for (const value of level) {
      values++;
      if (typeof value === 'string') requireStorable(value);
      if (typeof value !== 'object' || value === null) continue;
      // Not a spread: with a huge array it would overflow the stack.
      for (const child of Object.values(value)) next.push(child);
      if (!Array.isArray(value)) Object.keys(value).forEach(requireStorable);
    }
    if (values + next.length > jsonValues) throw new Unreadable(400, 'The JSON body has too many values.');
    level = next;
  }
}

function requireStorable(text: string): void {
  if (!isStorable(text)) throw new Unreadable(400, 'Bad Request');
}

async function parseMultipart(body: Buffer, contentType: string, repeats: Repeats): Promise<Parameters> {
  let form: FormData;
  try {
    form = await new Response(new Uint8Array(body), { headers: { 'content-type': contentType } }).formData();
  } catch {
    throw new Unreadable(400, 'The message body does not match declared format.');
  }
  const text: string[] = [];
  const files: Parameters = {};
  for (const [name, value] of form) {
    if (typeof value === 'string') text.push(`${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
    // A browser sends a file field that was left empty as a file without name and content.
    else if (value.name !== '' || value.size > 0)
      files[name] = new SentFile(value.name, Buffer.from(await value.arrayBuffer()));
  }
  // Brackets in names have the same meaning as in urlencoded forms.
  return { ...files, ...parseForm(text.join('&'), repeats) };
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
