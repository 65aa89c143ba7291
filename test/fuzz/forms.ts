import fc from 'fast-check';
import { formsOf, linksOf, type Control, type PageForm } from '../support/page.ts';
import type { RawAnswer, RawRequest } from '../support/raw-client.ts';
import { problemWith } from './judge.ts';
import { consent, type People } from './people.ts';
import { callers, type Caller, type FuzzRequest } from './request.ts';
import { anyText, escaped, inHeader, likelyDay, likelyText, usually, word } from './values.ts';

/** Visits of pages: each opens one, fills in a form that it finds there, and sends it. */

type Text = fc.Arbitrary<string>;
const text = (value: fc.Arbitrary<unknown>): Text => value.map(String);

/** What one field is filled with, whichever it turns out to be. */
const filling = fc.record({
  /** Whether what stands there stays, where something does. */
  stays: fc.boolean(),
  way: fc.nat({ max: 11 }),
  option: fc.nat(),
  likely: text(likelyText),
  day: text(likelyDay),
  any: anyText,
});
type Filling = typeof filling extends fc.Arbitrary<infer Value> ? Value : never;

/** How a form proves that it comes from the page of this session (docs/decisions/0011). */
const proofs = ['its own', 'none', 'made up', 'of another form', 'in another session', 'from elsewhere'] as const;

export interface Visit {
  readonly caller: Caller | 'nobody';
  /** Of the addresses that are known by then. */
  readonly page: number;
  /** What its address says besides. */
  readonly query: string;
  /** Of those on the page. */
  readonly form: number;
  readonly fillings: readonly Filling[];
  readonly strays: readonly (readonly [name: string, value: string])[];
  readonly proof: (typeof proofs)[number];
  readonly madeUp: string;
  readonly origin: Readonly<Record<string, string>>;
  readonly type: string;
}

/** What pages read from their addresses. */
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
  caller: fc.constantFrom(...callers, 'nobody' as const),
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

/** Where visits begin; links lead on. */
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
  consent,
];
/** Addresses of one kind that are kept at a time, and kinds. */
const ofAKind = 4;
const kinds = 300;

const kindOf = (path: string) => path.replace(/=[^&]*/g, '=').replace(/\d+/g, '0');

/** Pages that were linked to: the last few of each kind, so that every kind is visited alike. */
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

  /** A page has forms of its own. */
  worthwhile(path: string): void {
    this.#withForms.add(kindOf(path));
  }

  /** Mostly one that has forms. */
  at(index: number): string {
    const among = index % 4 === 0 || this.#withForms.size === 0 ? this.#byKind.keys() : this.#withForms;
    const all = [...among];
    const kind = this.#byKind.get(all[index % all.length]!)!;
    return kind[Math.floor(index / all.length) % kind.length]!;
  }
}

/** What came of a visit. */
export interface Visited {
  readonly requests: readonly FuzzRequest[];
  readonly problem: string | undefined;
  /** Whether a form was sent that proved itself, and was taken. */
  readonly taken: boolean;
}

type Ask = (request: RawRequest) => Promise<RawAnswer>;

/** On every page, and so left alone on most. */
const signOut = '/users/sign_out';
/** A browser's name (see src/web/site/session.ts), by which forms prove themselves before anyone is signed in. */
const browsers = ['a-browser', 'another-browser'] as const;
const cookie = (session: string, browser: string) => ({
  cookie: [`causeway_browser=${browser}`, ...(session && [`causeway_session=${session}`])].join('; '),
});

/** Opens a page and sends a form of it, as its recipe says. */
export async function visit(ask: Ask, people: People, addresses: Addresses, one: Visit): Promise<Visited> {
  const { caller } = one;
  const session = caller === 'nobody' ? '' : people.sessions[caller];
  const requests: FuzzRequest[] = [];
  async function tell(
    request: RawRequest,
    isCsrfToken: boolean,
  ): Promise<{ answer: RawAnswer; problem: string | undefined }> {
    const told: FuzzRequest = { request, as: { headers: {} } };
    requests.push(told);
    const answer = await ask(request);
    return { answer, problem: problemWith(told, answer) ?? misled(request, answer, isCsrfToken) };
  }

  const path = addresses.at(one.page);
  const asked = one.query === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${one.query}`;
  const opened = await tell({ path: asked, headers: { accept: 'text/html', ...cookie(session, browsers[0]) } }, true);
  if (opened.problem !== undefined) return { requests, problem: opened.problem, taken: false };
  for (const link of linksOf(opened.answer.text)) addresses.add(link);
  if (caller !== 'nobody' && endedWith(opened.answer)) await people.renew(caller);

  const forms = formsOf(opened.answer.text);
  const own = forms.filter(({ action }) => action !== signOut);
  if (own.length > 0) addresses.worthwhile(path);
  const among = one.form % 16 === 0 ? forms : own;
  const form = among[one.form % among.length];
  if (!form) return { requests, problem: undefined, taken: false };
  const { answer, problem } = await tell(sent(one, form, forms, session, people), one.proof === 'its own');
  return { requests, problem, taken: one.proof === 'its own' && [200, 303].includes(answer.status) };
}

/** Whether somebody is to sign in, or to confirm who they are. */
const endedWith = ({ headers: { location = '' } }: RawAnswer) => /^\/users\/(sign_in|confirm)/.test(location);

function sent(
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
  const somebodyElse = Object.values(people.sessions).find((one) => one !== session)!;
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
        ? cookie(caller === 'nobody' ? '' : somebodyElse, browsers[1])
        : cookie(session, browsers[0])),
      ...(proof === 'from elsewhere' && origin),
    },
  };
}

/** Undefined: it is left out, as a box that isn't ticked. */
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

/** Whether a form was taken that didn't prove itself, or an answer leads away from the gateway. */
function misled(
  request: RawRequest,
  { status, headers: { location } }: RawAnswer,
  isCsrfToken: boolean,
): string | undefined {
  // Consent leads to the application.
  if (location !== undefined && !/^\/(?![/\\])/.test(location) && !request.path.startsWith('/oauth/authorize'))
    return `It leads to ${location}`;
  if (isCsrfToken || status >= 400 || (status === 303 && location!.startsWith('/users/sign_in'))) return undefined;
  return `It took a form that proved nothing, and answered ${status} ${location ?? ''}`;
}
