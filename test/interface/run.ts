import { expect } from 'vitest';
import type { BrowserSession } from '../support/pages/browser-session.ts';
import { restClient, type RestAnswer } from '../support/requests/rest-client.ts';
import type { Answer, Call, Fields, Person, Row } from './row.ts';

/** What rows share: gateways, tokens, a browser and named values. */
export interface World {
  readonly url: string;
  readonly productionUrl: string;
  readonly tokens: Readonly<Record<Person, string>>;
  /** A browser, signed in as the maintainer. */
  readonly browser: BrowserSession;
  /** Values by the names that rows write in braces. */
  readonly values: Fields;
}

let rows = 0;

/**
 * Sends a row's requests, and compares the last answer with the expected one.
 * @throws AssertionError if they differ, or if a step before fails
 */
export async function run({ given = [], request, response }: Row, world: World): Promise<void> {
  const values: Record<string, string> = { ...world.values, row: String(++rows) };
  for (const step of given) {
    const answer = await send(step, world, values);
    expect([answer.status < 400, answer.text], `step before: ${step.call}`).toEqual([true, expect.any(String)]);
    const found: object = { ...(answer.body as object), ...destination(answer) };
    for (const [name, path] of Object.entries(step.keeps ?? {})) {
      const value = path.split('.').reduce<unknown>((inner, key) => (inner as Fields | undefined)?.[key], found);
      expect(value, `${path} in the answer to ${step.call}: ${answer.text}`).toBeDefined();
      values[name] = String(value);
    }
  }
  check(await send(request, world, values), filled(response, values));
}

function fill(text: string, values: Fields): string {
  return text.replace(/\{(\w+)\}/g, (_all, name: string) => {
    if (values[name] === undefined) throw new Error(`Unknown name {${name}}.`);
    return values[name];
  });
}

/** The expected answer with names replaced by values. A name alone that has a numeric value becomes a number. */
function filled<Expected>(expected: Expected, values: Fields): Expected {
  const inner = (value: unknown): unknown => {
    if (typeof value === 'string') {
      const text = fill(value, values);
      return /^\{\w+\}$/.test(value) && /^\d+$/.test(text) ? Number(text) : text;
    }
    if (Array.isArray(value)) return value.map(inner);
    // Keep patterns and matchers, which are class instances.
    if (value?.constructor !== Object) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, inner(one)]));
  };
  return inner(expected) as Expected;
}

async function send(call: Call, world: World, values: Fields): Promise<RestAnswer> {
  const [method = '', written = ''] = fill(call.call, values).split(' ');
  const path = /^\/(api|oauth|profile|-)\//.test(written) ? written : `/api/v4${written}`;
  const fields = (given: Fields = {}) =>
    Object.fromEntries(Object.entries(given).map(([name, value]) => [name, fill(value, values)]));
  if (call.presses !== undefined)
    return await press(call, `${path}?${new URLSearchParams(fields(call.query)).toString()}`, world, fields);
  const { as = 'maintainer', query, form, json, headers = {}, inProduction } = call;
  const names = Object.keys(headers);
  // No default credential for OAuth endpoints, or if the row has its own.
  const bare =
    as === 'anonymous' ||
    path.startsWith('/oauth/') ||
    names.includes('authorization') ||
    names.includes('private-token') ||
    query?.access_token !== undefined;
  return await restClient(inProduction ? world.productionUrl : world.url)(method, path, {
    token: bare ? undefined : world.tokens[as],
    headers: {
      ...fields(headers),
      ...(names.includes('basic') && {
        authorization: `Basic ${Buffer.from(fill(headers.basic!, values)).toString('base64')}`,
      }),
    },
    query: fields(query),
    ...(form && { form: fields(form) }),
    ...(json && { json: filled(json, values) }),
  });
}

/** Opens a page in the browser and presses a button. Follows a redirect within the gateway. */
async function press(
  { presses, fills }: Call,
  address: string,
  { browser }: World,
  fields: (given?: Fields) => Fields,
): Promise<RestAnswer> {
  const opened = await browser.get(address);
  if (presses === '' || opened.status !== 200) return { ...opened, body: {}, text: opened.text };
  let page = await browser.press(opened.form(presses!), fields(fills));
  if (page.location?.startsWith('/')) page = await browser.get(page.location);
  return { ...page, body: {}, text: page.text };
}

/** The target of a redirect, with its query and fragment. */
function destination({ headers }: Pick<RestAnswer, 'headers'>) {
  const location = headers.get('location');
  if (location === null || !URL.canParse(location)) return undefined;
  const { origin, pathname, searchParams, hash } = new URL(location);
  return {
    address: `${origin}${pathname}`,
    query: Object.fromEntries(searchParams),
    fragment: Object.fromEntries(new URLSearchParams(hash.slice(1))),
  };
}

function check(
  answer: RestAnswer,
  { status, body, has, members, lacks, list, headers = {}, hint, leadsTo, query, fragment, page = [] }: Answer,
): void {
  expect([answer.status, answer.text]).toEqual([status, expect.any(String)]);
  if (body !== undefined) expect(answer.body).toEqual(body);
  if (has) expect(answer.body).toMatchObject(has);
  const records = (Array.isArray(answer.body) ? answer.body : [answer.body]) as Record<string, unknown>[];
  if (members || lacks) {
    expect(records.length, 'number of records').toBeGreaterThan(0);
    for (const record of records) {
      if (members) expect(Object.keys(record)).toEqual(members);
      for (const name of lacks ?? []) expect(record).not.toHaveProperty(name);
    }
  }
  for (const [name, values] of Object.entries(list ?? {}))
    expect(records.map((record) => record[name])).toEqual(values);
  for (const [name, expected] of Object.entries(headers)) {
    const value = answer.headers.get(name);
    if (expected instanceof RegExp) expect([name, value]).toEqual([name, expect.stringMatching(expected)]);
    else expect([name, value]).toEqual([name, expected]);
  }
  if (hint !== undefined) expect((answer.body as { hint?: string }).hint).toContain(hint);
  const target = destination(answer);
  if (leadsTo !== undefined) expect(target?.address).toBe(leadsTo);
  if (query) expect(target?.query).toMatchObject(query);
  if (fragment) expect(target?.fragment).toMatchObject(fragment);
  for (const text of page) expect(answer.text).toContain(text);
}
