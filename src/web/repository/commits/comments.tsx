import { Avatar, picturedFields, type Pictured } from '../../places/avatars/avatar.tsx';
import type { PlaceHead } from '../../places/place/route.ts';
import { Markdown } from '../../planning/markdown.tsx';
import { WhyNot } from '../../planning/notes/conversation.tsx';
import { Ago } from '../../site/records/day.tsx';
import { Form, TextField } from '../../site/forms/forms.tsx';
import type { Site } from '../../site/layout/layout.tsx';
import type { PageInfo, PagesAround } from '../../site/records/paging.ts';
import { Pager, PersonName } from '../../site/records/records.tsx';
import { commitPath } from '../code/addresses.ts';

/** A comment on a commit. */
interface Comment {
  readonly id: number;
  readonly noteHtml: string;
  readonly path: string | null;
  readonly line: number | null;
  readonly author: (Pictured & { readonly username: string }) | null;
  readonly createdAt: string;
}

/** A part of the comments. */
export interface CommentPage {
  readonly nodes: readonly Comment[];
  readonly pageInfo: PageInfo;
}

export const commentFields = `id: databaseId noteHtml path line createdAt author { ${picturedFields} username }`;

/** A comment that was refused. */
export interface CommentDraft {
  readonly note: string;
  readonly errors: readonly string[];
}

interface CommentsProps {
  readonly site: Site;
  readonly place: PlaceHead;
  readonly sha: string;
  readonly comments: CommentPage;
  readonly pages: PagesAround;
  readonly draft?: CommentDraft | undefined;
}

/** What people said about a commit, and the form for more. */
export function CommitComments({ site, place, sha, comments, pages, draft }: CommentsProps) {
  return (
    <section aria-labelledby="comments">
      <h2 id="comments">Comments</h2>
      {comments.nodes.length === 0 && <p class="empty">No comments yet.</p>}
      <Pager of="earlier comments" before={pages.before} after={null} labels={['Earlier comments', '']} />
      {comments.nodes.map((comment) => (
        <CommentView comment={comment} />
      ))}
      <Pager of="later comments" before={null} after={pages.after} labels={['', 'Later comments']} />
      {site.visitor && !place.archived ? (
        <Form csrf={site.visitor.csrf} action={commitPath(place, sha)}>
          <TextField
            name="note"
            label="Comment"
            hint="As Markdown. The line /tag v1.0 tags the commit."
            lines={4}
            value={draft?.note ?? ''}
            errors={draft?.errors}
            required
          />
          <button class="button primary">Comment</button>
        </Form>
      ) : (
        <WhyNot site={site} place={place} />
      )}
    </section>
  );
}

function CommentView({ comment: { id, noteHtml, path, line, author, createdAt } }: { readonly comment: Comment }) {
  return (
    <article class="comment" id={`note_${id}`} aria-label={author ? `Comment of ${author.name}` : 'Comment'}>
      <header>
        {author && (
          <>
            <Avatar of={author} />
            <PersonName person={author} />
          </>
        )}
        <Ago at={createdAt} />
        {path !== null && (
          <span>
            on <code>{line === null ? path : `${path}:${line}`}</code>
          </span>
        )}
      </header>
      <Markdown html={noteHtml} />
    </article>
  );
}
