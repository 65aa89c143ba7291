import type { VNode } from 'preact';
import { keepForOnce, takeOnce } from '../../context.ts';
import type { Answer } from '../../http/index.ts';
import type { Fields } from './fields.ts';
import type { Site } from './layout.tsx';
import { toAnswer } from './page.ts';
import { newFormId } from './csrf.ts';
import { AccountLayout, AdminLayout } from './sections.tsx';
import { seeOther, sessionOf, type PageRoute, type Visit } from './visit.ts';

interface ShownOnceOptions<Data> {
  /** The path of the pages, each of which has the id of a form behind it. */
  readonly path: string;
  /** In the access log. */
  readonly name: string;
  /** The path of the section that it belongs to. */
  readonly section: string;
  /** What it shows: `The token`. */
  readonly what: string;
  /** Where a person goes on who wants another. */
  readonly onward: { readonly path: string; readonly label: string };
  readonly show: (site: Site, data: Data) => VNode;
}

/** A page that shows a secret once, after the form that made it. */
export interface ShownOnce<Data> {
  readonly page: PageRoute;
  /** Where the page of a form is. */
  readonly path: string;
  /** Keeps the data sealed, and sends the browser on to the page that shows it. Data is JSON. */
  keep(visit: Visit, form: Fields, data: Data): Promise<Answer>;
}

/**
 * A secret isn't the answer to the form that made it: reloading that would send the form again. The answer is a redirect
 * to this page, which shows the secret once, within ten minutes, in the same session.
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
        // HEAD shows nothing, so it takes nothing.
        const text =
          exchange.request.method === 'HEAD'
            ? null
            : await takeOnce(context.database, context.keys, { formId: named.form!, sessionId });
        if (text !== null) return toAnswer(show(site, JSON.parse(text) as Data));
        const title = `${what} isn’t shown again`;
        return toAnswer(
          <Frame site={site} title={title} current={section}>
            <h1>{title}</h1>
            <p class="lead">
              It was shown already, waited longer than ten minutes, or was made in another session. Reloading the page
              makes no new one.
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
