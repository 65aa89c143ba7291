import fc from 'fast-check';
import { formsOf, linksOf, type Control, type PageForm } from '../support/pages/page.ts';
import type { RawAnswer, RawRequest } from '../support/requests/raw-client.ts';
import { problemWith } from './judge.ts';
import { consent, type People } from './people.ts';
import { callers, type Caller, type FuzzRequest } from './request.ts';
import { anyText, escaped, inHeader, likelyDay, likelyText, usually, word } from './values.ts';

/** Generated visits: each opens a page, fills in a form on it, and sends it. */

type Text = fc.Arbitrary<string>;
const text = (value: fc.Arbitrary<unknown>): Text => value.map(String);

/** The values to choose from for one field, of whatever type it is. */
const filling = fc.record({
  /** Whether the field keeps its value, if it has one. */
  stays: fc.boolean(),
  way: fc.nat({ max: 11 }),
  option: fc.nat(),
  likely: text(likelyText),
  day: text(likelyDay),
  any: anyText,
});
type Filling = typeof filling extends fc.Arbitrary<infer Value> ? Value : never;

/** The CSRF token that a form is sent with: the right one, or another (docs/decisions/0011). */
const proofs = ['its own', 'none', 'made up', 'of another form', 'in another session', 'from elsewhere'] as const;

export interface Visit {
  readonly caller: Caller | 'anonymous';
  /** The index among the addresses known so far. */
  readonly page: number;
  /** A query added to the address. */
  readonly query: string;
  /** The index among the forms on the page. */
  readonly form: number;
  readonly fillings: readonly Filling[];
  readonly strays: readonly (readonly [name: string, value: string])[];
  readonly proof: (typeof proofs)[number];
  readonly madeUp: string;
  readonly origin: Readonly<Record<string, string>>;
  readonly type: string;
}

/** Queries that pages read. */
const inAddresses = fc.constantFrom(
  'search',
  'show',
  'user',
  'state',
  'kind',
  'since',
  'until',
  'return_to',
  'name',
  'scopes',
  'description',
  'page',
  'after',
  'reset_password_token',
);

export const visits: fc.Arbitrary<Visit> = fc.record({
  caller: fc.constantFrom(...callers, 'anonymous' as const),
  page: fc.nat(),
  query: usually(
    '',
    fc
      .array(fc.tuple(inAddresses, text(likelyText)), { minLength: 1, maxLength: 3 })
      .map((pairs) => pairs.map((pair) => pair.map(escaped).join('=')).join('&')),
  ),
  form: fc.nat(),
  fillings: fc.array(filling, { minLength: 1, maxLength: 6 }),
  strays: usually(
    [],
    fc.array(
      fc.tuple(fc.oneof(word, fc.constantFrom('form_token', 'return_to', 'id', 'username', 'scopes')), anyText),
      { maxLength: 3 },
    ),
  ),
  proof: fc.oneof(
    { weight: 7, arbitrary: fc.constant(proofs[0]) },
    { weight: 3, arbitrary: fc.constantFrom(...proofs) },
  ),
  madeUp: anyText,
  origin: fc.constantFrom<Record<string, string>>(
    { origin: 'null' },
    { origin: 'https://elsewhere.example' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ),
  type: usually(
    'application/x-www-form-urlencoded',
    fc.oneof(
      fc.constantFrom('multipart/form-data; boundary=x', 'application/json', 'text/plain'),
      anyText.map(inHeader),
    ),
  ),
});

/** The first pages to visit; links on them lead to others. */
const entrances = [
  '/',
  '/users/sign_in',
  '/users/sign_up',
  '/users/password/new',
  '/oauth/device',
  '/profile',
  '/admin',
  '/admin/users',
  '/admin/settings',
  '/admin/applications',
  '/groups/demo',
  '/demo/storefront',
  '/demo/storefront/-/settings/error_tracking',
  '/demo/platform/api/-/settings/error_tracking',
  ...['/groups/demo/platform', '/demo/storefront'].flatMap((place) =>
    ['edit', 'sharing', 'transfer'].map((part) => `${place}/-/${part}`),
  ),
  consent,
];
/** Limits: addresses of one kind, and kinds. */
const ofAKind = 4;
const kinds = 300;

const kindOf = (path: string) => path.replace(/=[^&]*/g, '=').replace(/\d+/g, '0');

/** The addresses of known pages: the last few of each kind, so that every kind is visited equally often. */
export class Addresses {
  readonly #byKind = new Map<string, string[]>(entrances.map((path) => [kindOf(path), [path]]));
  readonly #withForms = new Set<string>();

  add(path: string): void {
    if (path.length > 300 || /^\/(assets|docs|-\/)/.test(path)) return;
    const kind = kindOf(path);
    const known = this.#byKind.get(kind);
    if (!known && this.#byKind.size < kinds) this.#byKind.set(kind, [path]);
    if (!known || known.includes(path)) return;
    known.push(path);
    if (known.length > ofAKind) known.shift();
  }

  /** Records that a page has forms of its own. */
  hasForms(path: string): void {
    this.#withForms.add(kindOf(path));
  }

  /** An address by index; mostly of a page with forms. */
  at(index: number): string {
    const among = index % 4 === 0 || this.#withForms.size === 0 ? this.#byKind.keys() : this.#withForms;
    const all = [...among];
    const kind = this.#byKind.get(all[index % all.length]!)!;
    return kind[Math.floor(index / all.length) % kind.length]!;
  }
}

/** The result of a visit. */
export interface Visited {
  readonly requests: readonly FuzzRequest[];
  readonly problem: string | undefined;
  /** Whether a form with the right CSRF token was sent and accepted. */
  readonly taken: boolean;
}

type Ask = (request: RawRequest) => Promise<RawAnswer>;

/** The form on every page, which visits mostly ignore. */
const signOut = '/users/sign_out';
/** Values of the browser cookie, to which CSRF tokens are bound before anyone is signed in (src/web/site/session.ts). */
const browsers = ['a-browser', 'another-browser'] as const;
const cookie = (session: string, browser: string) => ({
  cookie: [`causeway_browser=${browser}`, ...(session && [`causeway_session=${session}`])].join('; '),
});

/** Opens a page and sends a form of it. */
export async function visit(ask: Ask, people: People, addresses: Addresses, one: Visit): Promise<Visited> {
  const { caller } = one;
  const session = caller === 'anonymous' ? '' : people.sessions[caller];
  const requests: FuzzRequest[] = [];
  async function send(
    request: RawRequest,
    isCsrfToken: boolean,
  ): Promise<{ answer: RawAnswer; problem: string | undefined }> {
    const sent: FuzzRequest = { request, as: { headers: {} } };
    requests.push(sent);
    const answer = await ask(request);
    return { answer, problem: problemWith(sent, answer) ?? formProblem(request, answer, isCsrfToken) };
  }

  const path = addresses.at(one.page);
  const asked = one.query === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${one.query}`;
  const opened = await send({ path: asked, headers: { accept: 'text/html', ...cookie(session, browsers[0]) } }, true);
  if (opened.problem !== undefined) return { requests, problem: opened.problem, taken: false };
  for (const link of linksOf(opened.answer.text)) addresses.add(link);
  if (caller !== 'anonymous' && hasLostSession(opened.answer)) await people.renew(caller);

  const forms = formsOf(opened.answer.text);
  const own = forms.filter(({ action }) => action !== signOut);
  if (own.length > 0) addresses.hasForms(path);
  const among = one.form % 16 === 0 ? forms : own;
  const form = among[one.form % among.length];
  if (!form) return { requests, problem: undefined, taken: false };
  const { answer, problem } = await send(filledIn(one, form, forms, session, people), one.proof === 'its own');
  return { requests, problem, taken: one.proof === 'its own' && [200, 303].includes(answer.status) };
}

/** Whether the answer redirects to the page for signing in or confirming the password. */
const hasLostSession = ({ headers: { location = '' } }: RawAnswer) => /^\/users\/(sign_in|confirm)/.test(location);

/** The request that sends a form, filled in as the visit says. */
function filledIn(
  { fillings, strays, proof, madeUp, origin, type, caller }: Visit,
  form: PageForm,
  others: readonly PageForm[],
  session: string,
  people: People,
): RawRequest {
  const fields: [string, string][] = form.controls.flatMap((control, index) => {
    const value = filled(control, form.fields[control.name], fillings[index % fillings.length]!);
    return value === undefined ? [] : [[control.name, value] as [string, string]];
  });
  const other = others.find(({ action }) => action !== form.action)?.fields.form_token;
  const instead: Partial<Record<Visit['proof'], string | undefined>> = {
    none: undefined,
    'made up': madeUp,
    'of another form': other ?? madeUp,
  };
  const token = proof in instead ? instead[proof] : form.fields.form_token;
  const otherSession = Object.values(people.sessions).find((one) => one !== session)!;
  const all = [
    ...(token === undefined ? [] : [['form_token', token] as const]),
    ...fields.filter(([name]) => name !== 'form_token'),
    ...strays,
  ];
  return {
    method: 'POST',
    path: form.action,
    body: all.map((pair) => pair.map(escaped).join('=')).join('&'),
    headers: {
      accept: 'text/html',
      'content-type': type,
      ...(proof === 'in another session'
        ? cookie(caller === 'anonymous' ? '' : otherSession, browsers[1])
        : cookie(session, browsers[0])),
      ...(proof === 'from elsewhere' && origin),
    },
  };
}

/** The value of a field; undefined leaves it out, as an unticked checkbox. */
function filled(
  { type, options }: Control,
  stands: string | undefined,
  { stays, way, option, likely, day, any }: Filling,
): string | undefined {
  if (type === 'hidden' || (stays && stands)) return way === 11 ? any : stands;
  if (way === 11) return any;
  if (way === 10) return undefined;
  if (options.length > 0) return way < 6 ? options[option % options.length] : stands;
  if (type === 'date') return day;
  return way < 8 ? likely : any;
}

/** The problem of a form that was accepted without its CSRF token (CSRF), or of an answer that redirects to another site (open redirect). */
function formProblem(
  request: RawRequest,
  { status, headers: { location } }: RawAnswer,
  isCsrfToken: boolean,
): string | undefined {
  // The consent page redirects to the application.
  if (location !== undefined && !/^\/(?![/\\])/.test(location) && !request.path.startsWith('/oauth/authorize'))
    return `It redirects to ${location}`;
  if (isCsrfToken || status >= 400 || (status === 303 && location!.startsWith('/users/sign_in'))) return undefined;
  return `It accepted a form without its CSRF token, and answered ${status} ${location ?? ''}`;
}
