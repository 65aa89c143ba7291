import type { ComponentChildren } from 'preact';
import type { Answer } from '../../http/index.ts';
import type { Fields } from './fields.ts';
import { Form } from './forms.tsx';
import { toAnswer } from './page.ts';
import { AccountLayout, AdminLayout } from './sections.tsx';
import type { PageRoute, Visit } from './visit.ts';

/** What a person is asked once more before what can't be undone. */
export interface Question {
  readonly title: string;
  /** What follows from it. */
  readonly says: ComponentChildren;
  /** On the button: what happens. */
  readonly does: string;
  /** Where a person goes who thinks better of it. */
  readonly back: string;
}

interface ConfirmPageOptions extends Pick<PageRoute, 'path' | 'name' | 'once'> {
  /** The path of the section that the page belongs to. */
  readonly section: string;
  /** The question; null where there is nothing to ask about. */
  readonly ask: (visit: Visit) => Promise<Question | null>;
  readonly act: (visit: Visit, form: Fields) => Promise<Answer>;
}

/** A page that asks once more, and does it when its button is pressed. */
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
