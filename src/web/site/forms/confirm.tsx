import type { ComponentChildren } from 'preact';
import { domainError } from '../../../context.ts';
import { Conflict, Forbidden, NotFound } from '../../../errors.ts';
import type { Answer } from '../../../http/index.ts';
import type { CsrfTokens } from '../csrf.ts';
import type { Fields } from './fields.ts';
import { Form, Obstacle } from './forms.tsx';
import { toAnswer } from '../layout/page.ts';
import { AccountLayout, AdminLayout } from '../layout/sections.tsx';
import type { PageRoute, Visit } from '../visit.ts';

/** A question before an action that can't be undone. */
export interface Question {
  readonly title: string;
  /** The consequences of the action, in words. */
  readonly says: ComponentChildren;
  /** The label of the button. */
  readonly does: string;
  /** Where Cancel leads. */
  readonly back: string;
  /** What its form carries: where the list was that led here. */
  readonly carries?: Readonly<Record<string, string | undefined>>;
  /** Whether the action takes nothing away. */
  readonly mild?: boolean;
}

interface ConfirmPageOptions extends Pick<PageRoute, 'path' | 'name' | 'once'> {
  /** The path of the section that the page belongs to. */
  readonly section: string;
  /** The question; null where the record doesn't exist. */
  readonly ask: (visit: Visit) => Promise<Question | null>;
  readonly act: (visit: Visit, form: Fields) => Promise<Answer>;
}

/**
 * A confirmation page, which acts when its button is pressed. If the action is impossible, for example because someone
 * else was faster, the page is shown again with the reason.
 */
export function confirmPage({ path, name, once, section, ask, act }: ConfirmPageOptions): PageRoute {
  const show = async (visit: Visit, obstacle?: string) => {
    const question = await questionOf(visit);
    if (!question) return toAnswer(<Gone visit={visit} section={section} />, 404);
    return toAnswer(
      <Confirmation
        visit={visit}
        section={section}
        once={once !== undefined}
        question={question}
        obstacle={obstacle}
      />,
      obstacle === undefined ? 200 : 409,
    );
  };
  /** Null too if its record was removed: who comes back to the page sees where to go on. */
  async function questionOf(visit: Visit): Promise<Question | null> {
    try {
      return await ask(visit);
    } catch (thrown) {
      if (domainError(thrown) instanceof NotFound) return null;
      throw thrown;
    }
  }
  return {
    path,
    name,
    ...(once !== undefined && { once }),
    get: (visit) => show(visit),
    async post(visit, form) {
      try {
        return await act(visit, form);
      } catch (thrown) {
        const reason = obstacleIn(domainError(thrown));
        if (reason === undefined) throw thrown;
        return await show(visit, reason);
      }
    },
  };
}

/** Why an action is impossible, in a sentence; undefined for errors that have pages of their own. */
function obstacleIn(problem: unknown): string | undefined {
  const reason =
    problem instanceof Conflict ? problem.message : problem instanceof Forbidden ? problem.reason : undefined;
  return reason?.replace(/\.?$/, '.');
}

/** What someone sees who comes back to a question that was answered. */
function Gone({ visit: { site }, section }: Pick<ConfirmationProps, 'visit' | 'section'>) {
  const Frame = section.startsWith('/admin') ? AdminLayout : AccountLayout;
  const title = 'This is done already';
  return (
    <Frame site={site} title={title} current={section}>
      <h1>{title}</h1>
      <p class="lead">There is nothing left to do here: it was done before, or what it was about is gone.</p>
      <p class="decision">
        <a class="button primary" href={section}>
          Go back
        </a>
      </p>
    </Frame>
  );
}

interface ConfirmationProps {
  readonly visit: Visit;
  readonly section: string;
  readonly once: boolean;
  readonly question: Question;
  readonly obstacle: string | undefined;
}

function Confirmation({ visit: { site, exchange }, section, once, question, obstacle }: ConfirmationProps) {
  const Frame = section.startsWith('/admin') ? AdminLayout : AccountLayout;
  return (
    <Frame site={site} title={obstacle === undefined ? question.title : `Error: ${question.title}`} current={section}>
      <QuestionForm csrf={site.visitor!.csrf} action={exchange.path} once={once} obstacle={obstacle} {...question} />
    </Frame>
  );
}

interface QuestionFormProps extends Question {
  readonly csrf: CsrfTokens;
  /** The path that the form is sent to. */
  readonly action: string;
  /** Whether the form works only once. */
  readonly once?: boolean;
  /** Why it was impossible. */
  readonly obstacle?: string | undefined;
}

/** The question with its button, inside the layout of a page. */
export function QuestionForm(props: QuestionFormProps) {
  const { csrf, action, once = false, title, says, does, back, carries, mild, obstacle } = props;
  return (
    <>
      <h1>
        <bdi>{title}</bdi>
      </h1>
      <p class="lead">{says}</p>
      {obstacle !== undefined && <Obstacle tone="warning">{obstacle}</Obstacle>}
      <Form csrf={csrf} action={action} once={once} carries={carries}>
        <div class="decision">
          <button class={mild ? 'button primary' : 'button danger'}>{does}</button>
          <a href={back}>Cancel</a>
        </div>
      </Form>
    </>
  );
}
