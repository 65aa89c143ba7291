import type { ComponentChildren } from 'preact';
import { Avatar } from '../../places/avatars/avatar.tsx';
import type { PlaceHead } from '../../places/place/route.ts';
import { Ago } from '../../site/records/day.tsx';
import { Choices, Form, TextField } from '../../site/forms/forms.tsx';
import type { Site } from '../../site/layout/layout.tsx';
import { Badge, Pager, PersonName } from '../../site/records/records.tsx';
import { comingBackTo, signInPath } from '../../site/return-to.ts';
import { Awards } from '../awards/awards.tsx';
import { Markdown } from '../markdown.tsx';
import type { NoteRights } from './host.ts';
import { leftOutOf, type CommentDraft, type Note, type Thread } from './thread.ts';

/** What people discuss: an issue, a merge request, a snippet or a commit. */
export interface Discussed {
  /** The path of its page. */
  readonly path: string;
  readonly threads: readonly Thread[];
  readonly userPermissions: NoteRights;
  /** Of a snippet or a commit: its single comments take no replies, and its threads aren’t resolved. */
  readonly isSimple?: boolean;
  /** Said of the field of a comment, if it takes other commands. */
  readonly hint?: string;
  /** The head of a merge request, as the page shows it: a comment doesn’t merge another one. */
  readonly head?: string | null;
  /** What a thread stands on. */
  readonly above?: (thread: Thread) => ComponentChildren;
  /** What stands for a thread that the page shows elsewhere; undefined for others. */
  readonly elsewhere?: (thread: Thread) => ComponentChildren;
  /** Of a merge request: what the viewer's review has for a thread, and what it has besides. They add comments to it. */
  readonly review?: {
    readonly below: (thread: Thread) => ComponentChildren;
    readonly rest: ComponentChildren;
  };
}

interface ConversationProps {
  readonly site: Site;
  readonly place: PlaceHead;
  readonly of: Discussed;
  /** The addresses of earlier and later comments. */
  readonly earlier: string | null;
  readonly later: string | null;
  readonly draft?: CommentDraft | undefined;
}

/** Whether the viewer comments and gives emoji. */
export const mayComment = (site: Site, place: PlaceHead, of: Pick<Discussed, 'userPermissions'>): boolean =>
  site.visitor !== null && !place.archived && of.userPermissions.createNote;

/** What people said about it, and what happened to it. */
export function Conversation({ site, place, of, earlier, later, draft }: ConversationProps) {
  const { threads } = of;
  const takesPart = mayComment(site, place, of);
  return (
    <section aria-labelledby="activity" data-comments={`${of.path}/notes`}>
      <h2 id="activity">Activity</h2>
      {threads.length === 0 && <p class="empty">No comments yet.</p>}
      <Pager of="earlier comments" before={earlier} after={null} labels={['Earlier comments', '']} />
      {threads.map(
        (thread) => of.elsewhere?.(thread) ?? <ThreadView site={site} of={of} thread={thread} takesPart={takesPart} />,
      )}
      <Pager of="later comments" before={null} after={later} labels={['', 'Later comments']} />
      {of.review?.rest}
      {takesPart ? <CommentForm site={site} of={of} draft={draft} /> : <WhyNot site={site} place={place} />}
    </section>
  );
}

/** Why the viewer can't comment. */
export function WhyNot({ site, place }: Pick<ConversationProps, 'site' | 'place'>) {
  if (place.archived) return <p class="hint">This project is archived, so it takes no comments.</p>;
  if (!site.visitor)
    return (
      <p class="hint">
        <a href={comingBackTo(signInPath, site.path)}>Sign in</a> to comment.
      </p>
    );
  return <p class="hint">The discussion is locked: only members of the project can comment.</p>;
}

export interface ThreadProps extends Pick<ConversationProps, 'site' | 'of' | 'draft'> {
  readonly thread: Thread;
  readonly takesPart: boolean;
  /** What leads to the other notes; by default to the page of the thread. */
  readonly earlier?: ComponentChildren;
  readonly later?: ComponentChildren;
}

/** The page of a thread. */
export const threadPath = ({ path }: Pick<Discussed, 'path'>, { key }: Pick<Thread, 'key'>): string =>
  `${path}/discussions/${key}`;

/** A comment with its replies, or what happened. */
export function ThreadView({ site, of, thread, takesPart, draft, earlier, later }: ThreadProps) {
  const { allNotes, resolvable, resolved, resolvedBy } = thread;
  const [first, ...replies] = allNotes;
  if (first!.system) return <SystemNote note={first!} />;
  const path = threadPath(of, thread);
  const shown = (note: Note) =>
    note.system ? <SystemNote note={note} /> : <Comment site={site} of={of} note={note} takesPart={takesPart} />;
  return (
    <div class="thread">
      {of.above?.(thread)}
      {resolved && (
        <p class="standing">
          <Badge tone="good">Resolved</Badge>
          {resolvedBy && (
            <>
              {' '}
              by <PersonName person={resolvedBy} />
            </>
          )}
        </p>
      )}
      {shown(first!)}
      {earlier ?? <LeftOut path={path} count={leftOutOf(thread)} />}
      {replies.map((note) => shown(note))}
      {later}
      {of.review?.below(thread)}
      {takesPart && !(of.isSimple && thread.individualNote) && (
        <div class="ways">
          <details open={draft !== undefined}>
            <summary>Reply</summary>
            <Form csrf={site.visitor!.csrf} action={`${path}/reply`} carries={{ head: of.head ?? undefined }}>
              <TextField
                name="reply"
                label="Your reply"
                lines={4}
                value={draft?.body ?? ''}
                errors={draft?.errors}
                required
              />
              <div class="decision">
                <button class="button">Send the reply</button>
                {of.review && <AddToReview />}
              </div>
            </Form>
          </details>
          {resolvable && of.userPermissions.resolveNote && (
            <Form csrf={site.visitor!.csrf} action={`${path}/${resolved ? 'unresolve' : 'resolve'}`}>
              <button class="button quiet">{resolved ? 'Open the thread again' : 'Resolve the thread'}</button>
            </Form>
          )}
        </div>
      )}
    </div>
  );
}

/** The link to replies that a page leaves out. */
function LeftOut({ path, count }: { readonly path: string; readonly count: number }) {
  if (count <= 0) return null;
  return (
    <p class="left-out">
      <a href={path}>{count === 1 ? '1 earlier reply' : `${count.toLocaleString('en')} earlier replies`}</a>
    </p>
  );
}

/** What happened, in one line. */
function SystemNote({ note: { id, author, bodyHtml, createdAt } }: { readonly note: Note }) {
  return (
    <div class="happening" id={`note_${id}`}>
      <PersonName person={author} /> <Markdown html={bodyHtml} /> · <Ago at={createdAt} />
    </div>
  );
}

interface CommentProps extends Pick<ThreadProps, 'site' | 'of' | 'takesPart'> {
  readonly note: Note;
}

function Comment({ site, of, note, takesPart }: CommentProps) {
  const { id, author, bodyHtml, createdAt, lastEditedAt, internal, awardEmoji } = note;
  const isOwn = site.visitor?.username === author.username;
  return (
    <article class="comment" id={`note_${id}`} aria-label={`Comment of ${author.name}`}>
      <header>
        <Avatar of={author} />
        <PersonName person={author} />
        <Ago at={createdAt} />
        {lastEditedAt && <span>Edited</span>}
        {internal && <Badge tone="caution">Internal</Badge>}
        {takesPart && (isOwn || of.userPermissions.adminNote) && (
          <span class="ways">
            {['Edit', 'Delete'].map((way) => (
              <a href={`${of.path}/notes/${id}/${way.toLowerCase()}`}>
                {way}
                <span class="hidden"> the comment of {author.name}</span>
              </a>
            ))}
          </span>
        )}
      </header>
      <Markdown html={bodyHtml} />
      {awardEmoji && (
        <Awards
          site={site}
          awards={awardEmoji.nodes}
          of={`the comment of ${author.name}`}
          action={`${of.path}/notes/${id}/award`}
          mayAward={takesPart}
          isLinked
        />
      )}
    </article>
  );
}

function CommentForm({ site, of, draft }: Pick<ThreadProps, 'site' | 'of' | 'draft'>) {
  const { readInternalNote } = of.userPermissions;
  return (
    <Form csrf={site.visitor!.csrf} action={`${of.path}/notes`} carries={{ head: of.head ?? undefined }}>
      <TextField
        name="body"
        label="Comment"
        hint={of.hint ?? 'As Markdown. A line such as /close or /label ~bug is a command.'}
        lines={6}
        value={draft?.body ?? ''}
        errors={draft?.errors}
        required
      />
      <Choices
        name="kind"
        label="Kind of comment"
        choices={[
          {
            name: 'thread',
            label: 'Start a thread',
            says: of.isSimple ? 'It takes replies.' : 'It can be resolved.',
            chosen: draft?.startsThread ?? false,
          },
          ...(readInternalNote
            ? [
                {
                  name: 'internal',
                  label: 'Internal',
                  says: 'Only people with at least the Planner role see it.',
                  chosen: draft?.internal ?? false,
                },
              ]
            : []),
        ]}
      />
      <div class="decision">
        <button class="button primary">Comment</button>
        {of.review && <AddToReview />}
      </div>
    </Form>
  );
}

/** The button of a form of a comment that keeps it for a review. */
export const AddToReview = () => (
  <button class="button" name="review" value="on">
    Add to review
  </button>
);
