import { Markdown } from '../../planning/markdown.tsx';
import type { Thread } from '../../planning/notes/thread.ts';
import { Form } from '../../site/forms/forms.tsx';
import type { Site } from '../../site/layout/layout.tsx';
import { Badge } from '../../site/records/records.tsx';
import { anchorOf, type Draft } from './draft.ts';

interface DraftsProps {
  readonly drafts: readonly Draft[];
  /** The path of the merge request. */
  readonly path: string;
  /** Whether to say where each is to stand: not where the page shows it there. */
  readonly placed?: boolean;
}

/** Comments of the viewer's review. */
export const Drafts = ({ drafts, path, placed = false }: DraftsProps) => (
  <>
    {drafts.map(({ id, bodyHtml, discussionKey, position }) => (
      <article class="comment draft" id={anchorOf(id)} aria-label="Your draft">
        <header>
          <Badge tone="caution">Draft, only you see it</Badge>
          {placed && position && (
            <a href={`${path}/diffs#${anchorOf(id)}`}>
              On <bdi>{position.newPath}</bdi>, line {position.newLine ?? position.oldLine}
            </a>
          )}
          {placed && discussionKey !== null && <a href={`${path}/discussions/${discussionKey}`}>A reply</a>}
          <span class="ways">
            {['Edit', 'Delete'].map((way) => (
              <a href={`${path}/draft_notes/${id}/${way.toLowerCase()}`}>
                {way}
                <span class="hidden"> your draft</span>
              </a>
            ))}
          </span>
        </header>
        <Markdown html={bodyHtml} />
      </article>
    ))}
  </>
);

/** The drafts that reply to a thread. */
export const repliesTo = (drafts: readonly Draft[], { key }: Pick<Thread, 'key'>): readonly Draft[] =>
  drafts.filter(({ discussionKey }) => discussionKey === key);

interface ReviewProps extends Pick<DraftsProps, 'path'> {
  readonly site: Site;
  /** All of them. */
  readonly drafts: readonly Draft[];
  /** Those that the page doesn't show anywhere else. */
  readonly others?: readonly Draft[];
  /** Why it wasn't published, in sentences. */
  readonly problems?: readonly string[] | undefined;
}

/** The viewer's review, and the form that publishes it. */
export function Review({ site, path, drafts, others = [], problems = [] }: ReviewProps) {
  if (drafts.length === 0 || !site.visitor) return null;
  return (
    <section id="review" class="review" aria-label="Your review">
      <Drafts drafts={others} path={path} placed />
      {problems.length > 0 && (
        <p class="warning" role="alert">
          {problems.join(' ')}
        </p>
      )}
      <Form csrf={site.visitor.csrf} action={`${path}/draft_notes/publish`}>
        <button class="button">Publish review ({drafts.length})</button>
      </Form>
    </section>
  );
}
