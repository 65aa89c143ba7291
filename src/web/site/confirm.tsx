import type { ComponentChildren } from 'preact';
import type { Answer } from '../../http/index.ts';
import type { Fields } from './fields.ts';
import { Form } from './forms.tsx';
import { toAnswer } from './page.ts';
import { AccountLayout, AdminLayout } from './sections.tsx';
import type { PageRoute, Visit } from './visit.ts';

/** A question before an action that can't be undone. */
export interface Question {
  readonly title: string;
  /** The consequences of the action, in words. */
  readonly says: ComponentChildren;
  /** The label of the button. */
  readonly does: string;
  /** Where Cancel leads. */
  readonly back: string;
}

interface ConfirmPageOptions extends Pick<PageRoute, 'path' | 'name' | 'once'> {
  /** The path of the section that the page belongs to. */
  readonly section: string;
  /** The question; null where the record doesn't exist. */
  readonly ask: (visit: Visit) => Promise<Question | null>;
  readonly act: (visit: Visit, form: Fields) => Promise<Answer>;
}

/** A confirmation page, which acts when its button is pressed. */
export function confirmPage({ path, name, once, section, ask, act }: ConfirmPageOptions): PageRoute {
  const Frame = section.startsWith('/admin') ? AdminLayout : AccountLayout;
  return {
    path,
    name,
    ...(once !== undefined && { once }),
    async get(visit) {
      const { site, exchange } = visit;
      const question = await ask(visit);
      if (!question) return null;
      const { title, says, does, back } = question;
      return toAnswer(
        <Frame site={site} title={title} current={section}>
          <h1>
            <bdi>{title}</bdi>
          </h1>
          <p class="lead">{says}</p>
          <Form csrf={site.visitor!.csrf} action={exchange.path} once={once !== undefined}>
            <div class="decision">
              <button class="button danger">{does}</button>
              <a href={back}>Cancel</a>
            </div>
          </Form>
        </Frame>,
      );
    },
    post: act,
  };
}
