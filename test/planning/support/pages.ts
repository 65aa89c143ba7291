import { browserSession, signIn, type BrowserSession, type WebPage } from '../../support/pages/browser-session.ts';
import { testGateway } from '../../support/gateway.ts';
import { fillWithPlanning } from './storefront.ts';

/** The pages of issues of `demo/storefront`. */
export const issues = '/demo/storefront/-/issues';

/** A gateway with planning in the project `demo/storefront`: Mary is its maintainer, Gus a guest. */
export async function planningPages() {
  const gateway = await testGateway();
  const mary = await signIn(gateway, 'maintainer');
  const gus = await signIn(gateway, 'guest');
  await fillWithPlanning(gateway);
  const token = gateway.tokens.maintainer;
  return {
    gateway,
    mary,
    gus,
    anyone: () => browserSession(gateway),
    /** Changes something over REST, as Mary. @returns the record */
    write: async (method: 'POST' | 'PUT', path: string, json: object): Promise<Record<string, unknown>> => {
      const { status, text, body } = await gateway.rest(method, `/api/v4${path}`, { token, json });
      if (status !== (method === 'POST' ? 201 : 200)) throw new Error(`${method} ${path}: ${status} ${text}`);
      return body as Record<string, unknown>;
    },
    read: async (path: string): Promise<unknown> => (await gateway.rest('GET', `/api/v4${path}`, { token })).body,
    idOf: async (username: string) => {
      const [user] = await gateway.sql<{ id: number }>('select id from users where username = $1', [username]);
      return user!.id;
    },
  };
}

/** The titles of a list, in its order. */
export const titlesOf = ({ html }: WebPage) =>
  [...html.matchAll(/<li class="line"><div><a href="[^"]*"><bdi>([^<]*)</g)].map(([, title]) => title);

/** Presses a button, and follows the redirect to the page with the result. */
export async function done(browser: BrowserSession, answer: Promise<WebPage>): Promise<WebPage> {
  const { status, location, text } = await answer;
  if (status !== 303) throw new Error(`${status} instead of a redirect: ${text}`);
  return await browser.get(location!);
}
