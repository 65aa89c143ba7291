import type { VNode } from 'preact';
import { keepForOnce, takeOnce } from '../../../context.ts';
import type { Answer } from '../../../http/index.ts';
import type { Fields } from './fields.ts';
import type { Site } from '../layout/layout.tsx';
import { toAnswer } from '../layout/page.ts';
import { newFormId } from '../csrf.ts';
import { AccountLayout, AdminLayout } from '../layout/sections.tsx';
import { seeOther, sessionOf, type PageRoute, type Visit } from '../visit.ts';

interface ShownOnceOptions<Data> {
  /** The path of the pages; the id of the form follows it. */
  readonly path: string;
  /** The name in the access log. */
  readonly name: string;
  /** The path of the section that the page belongs to. */
  readonly section: string;
  /** What the page shows: `The token`. */
  readonly what: string;
  /** The link to the page that makes another secret. */
  readonly onward: { readonly path: string; readonly label: string };
  readonly show: (site: Site, data: Data) => VNode;
}

/** A page that shows a new secret once. */
export interface ShownOnce<Data> {
  readonly page: PageRoute;
  /** The path of the pages. */
  readonly path: string;
  /** Stores the data (JSON) sealed, and redirects to the page that shows it. */
  keep(visit: Visit, form: Fields, data: Data): Promise<Answer>;
}

/**
 * The page that shows a new secret once, within ten minutes, in the same session. The form that makes the secret
 * redirects to it: if the form answered with the secret, a reload would send the form again.
 */
export function shownOnce<Data extends object>({
  path,
  name,
  section,
  what,
  onward,
  show,
}: ShownOnceOptions<Data>): ShownOnce<Data> {
  const Frame = section.startsWith('/admin') ? AdminLayout : AccountLayout;
  return {
    path,
    page: {
      path: `${path}/:form`,
      name,
      async get({ site, context, named, exchange }) {
        const sessionId = sessionOf(context);
        // HEAD has no body, so it doesn't use up the secret.
        const text =
          exchange.request.method === 'HEAD'
            ? null
            : await takeOnce(context.database, context.keys, { formId: named.form!, sessionId });
        if (text !== null) return toAnswer(show(site, JSON.parse(text) as Data), 200, { scripts: true });
        const title = `${what} isn’t shown again`;
        return toAnswer(
          <Frame site={site} title={title} current={section}>
            <h1>{title}</h1>
            <p class="lead">
              It was already shown, is older than ten minutes, or was made in another session. Reloading this page
              doesn’t make a new one.
            </p>
            <p class="decision">
              <a class="button primary" href={onward.path}>
                {onward.label}
              </a>
            </p>
          </Frame>,
          410,
        );
      },
    },
    async keep({ context }, form, data) {
      const formId = form.form_id ?? newFormId();
      await keepForOnce(
        context.database,
        context.keys,
        { formId, sessionId: sessionOf(context) },
        JSON.stringify(data),
      );
      return seeOther(`${path}/${formId}`);
    },
  };
}
