import { inject } from 'vitest';
import type { TestGateway } from '../gateway.ts';
import { formsOf, textOf, type PageForm } from './page.ts';

export { type PageForm } from './page.ts';

export interface WebPage {
  readonly status: number;
  readonly headers: Headers;
  readonly html: string;
  /** The visible text. */
  readonly text: string;
  /** The target of a redirect; null if there is none. */
  readonly location: string | null;
  readonly forms: readonly PageForm[];
  /** The form whose button begins with this text. @throws Error when there is none */
  form(button: string): PageForm;
}

export type Headerset = Readonly<Record<string, string>>;

/** A browser without JavaScript: it keeps cookies and sends forms. It doesn't follow redirects. */
export interface BrowserSession {
  readonly cookies: Map<string, string>;
  get(path: string, headers?: Headerset): Promise<WebPage>;
  post(
    path: string,
    fields: Readonly<Record<string, string>> | URLSearchParams | FormData,
    headers?: Headerset,
  ): Promise<WebPage>;
  /** Presses the button of a form. @param fields what the person fills in */
  press(form: PageForm, fields?: Readonly<Record<string, string>>, headers?: Headerset): Promise<WebPage>;
}

/** @param from cookies to start with */
export function browserSession(
  { url }: Pick<TestGateway, 'url'>,
  from: ReadonlyMap<string, string> = new Map(),
): BrowserSession {
  const cookies = new Map(from);

  async function send(path: string, init: RequestInit, headers: Headerset): Promise<WebPage> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(new URL(path, url), {
      ...init,
      redirect: 'manual',
      headers: { accept: 'text/html', ...(cookie && { cookie }), ...headers },
    });
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set)!;
      if (/; Max-Age=0(;|$)/.test(set)) cookies.delete(name);
      else cookies.set(name, value);
    }
    return pageOf(response.status, response.headers, await response.text());
  }

  const post: BrowserSession['post'] = (path, fields, headers = {}) =>
    send(
      path,
      {
        method: 'POST',
        body: fields instanceof FormData ? fields : new URLSearchParams(fields as Record<string, string>),
      },
      headers,
    );
  return {
    cookies,
    get: (path, headers = {}) => send(path, {}, headers),
    post,
    press: (form, fields = {}, headers) => post(form.action, { ...form.fields, ...fields }, headers),
  };
}

/** The page to which an answer redirects; the answer itself if it is no redirect. */
export const followed = async (browser: BrowserSession, answer: WebPage): Promise<WebPage> =>
  answer.status === 303 ? await browser.get(answer.location!) : answer;

/** The elements of a page that ask for the focus; the first gets it. */
export const focusedOn = ({ html }: WebPage): readonly string[] => html.match(/<[^>]*\sautofocus\b[^>]*>/g) ?? [];

/** The gateway's scripts on a page that its content security policy lets run. */
export const scriptsOf = ({ html, headers }: WebPage): readonly string[] =>
  /script-src 'self'/.test(headers.get('content-security-policy') ?? '')
    ? [...html.matchAll(/<script defer src="\/assets\/([a-z]+)[^"]*"/g)].map(([, name]) => name!)
    : [];

/** Signs in over the page. The default password is that of the users of the demo workspace. */
export async function signIn(
  gateway: Pick<TestGateway, 'url'>,
  login: string,
  password: string = inject('passwords').demo,
  from?: ReadonlyMap<string, string>,
): Promise<BrowserSession> {
  const browser = browserSession(gateway, from);
  const page = await browser.get('/users/sign_in');
  const answer = await browser.press(page.form('Sign in'), { login, password });
  if (answer.status !== 303) throw new Error(`Signing in as ${login} answered ${answer.status}: ${answer.text}`);
  return browser;
}

function pageOf(status: number, headers: Headers, html: string): WebPage {
  const forms = formsOf(html);
  return {
    status,
    headers,
    html,
    text: textOf(/<body.*/s.exec(html)?.[0] ?? html),
    location: headers.get('location'),
    forms,
    form(button) {
      const found = forms.find((form) => form.button.startsWith(button));
      if (!found)
        throw new Error(`No form with the button “${button}”, but: ${forms.map((form) => form.button).join(', ')}`);
      return found;
    },
  };
}
