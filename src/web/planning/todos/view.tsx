import { Avatar, type Pictured } from '../../places/avatars/avatar.tsx';
import { Ago } from '../../site/records/day.tsx';
import { Form } from '../../site/forms/forms.tsx';
import { Layout, type Site } from '../../site/layout/layout.tsx';
import { Badge, Pager } from '../../site/records/records.tsx';

export const todosPath = '/dashboard/todos';

/** A to-do as the list shows it. */
export interface ShownTodo {
  readonly id: number;
  readonly action: string;
  readonly body: string;
  readonly state: 'pending' | 'done';
  readonly createdAt: string;
  readonly targetUrl: string | null;
  readonly author: Pictured & { readonly username: string };
  readonly target: {
    readonly title?: string;
    readonly reference?: string;
    readonly state?: 'opened' | 'closed';
    /** Of a project or a group. */
    readonly name?: string;
    /** Of a merge request. */
    readonly standing?: 'opened' | 'closed' | 'locked' | 'merged';
  };
}

/** Why a to-do arose, after the name of who caused it. */
const reasons: Readonly<Record<string, string>> = {
  assigned: 'assigned you to',
  mentioned: 'mentioned you in',
  directly_addressed: 'addressed you in',
  marked: 'added a to-do for',
  review_requested: 'asked you to review',
  member_access_requested: 'asks for access to',
};

/** What happened to a to-do's subject, and who caused it. */
function Reason({ todo: { action, author }, isOwn }: { readonly todo: ShownTodo; readonly isOwn: boolean }) {
  // Someone pushed to its target; the to-do is by its author.
  if (action === 'unmergeable') return <>It can’t be merged any more:</>;
  const own: Readonly<Record<string, string>> = {
    assigned: 'assigned yourself to',
    review_requested: 'asked yourself to review',
  };
  return (
    <>
      {isOwn ? 'You' : <bdi>{author.name}</bdi>}{' '}
      {(isOwn && own[action]) || (reasons[action] ?? 'wants something from you in')}
    </>
  );
}

interface TodoListProps {
  readonly site: Site;
  readonly todos: readonly ShownTodo[];
  /** Whether the page lists those that are done. */
  readonly done: boolean;
  /** How many are pending. */
  readonly pending: number;
  readonly pages: { readonly before: string | null; readonly after: string | null };
}

/** A person's to-dos. */
export function TodoList({ site, todos, done, pending, pages }: TodoListProps) {
  return (
    <Layout site={site} title="To-Do List" current={todosPath}>
      <h1>To-Do List</h1>
      <p class="lead">
        What others want from you: issues and merge requests assigned to you, reviews, texts that mention you, and
        requests for access.
      </p>
      <nav class="tabs" aria-label="States">
        <a href={todosPath} aria-current={done ? undefined : 'page'}>
          To do <span class="count">{pending}</span>
        </a>
        <a href={`${todosPath}?state=done`} aria-current={done ? 'page' : undefined}>
          Done
        </a>
      </nav>
      {!done && pending > 0 && (
        <Form csrf={site.visitor!.csrf} action={`${todosPath}/mark_all_done`}>
          <button class="button">Mark all as done</button>
        </Form>
      )}
      {todos.length === 0 ? (
        <p class="empty">{done ? 'You have no finished to-dos.' : 'You have nothing to do.'}</p>
      ) : (
        <ul class="records">
          {todos.map((todo) => (
            <Row site={site} todo={todo} />
          ))}
        </ul>
      )}
      <Pager of="to-dos" {...pages} />
    </Layout>
  );
}

function Row({ site, todo }: { readonly site: Site; readonly todo: ShownTodo }) {
  const { id, author, body, createdAt, state, target } = todo;
  // The text of those about a project or a group is its full path.
  const { title = target.name ?? '', reference = body } = target;
  const isOwn = author.username === site.visitor!.username;
  return (
    <li class="line todo">
      <Avatar of={author} />
      <div>
        <a href={hrefOf(todo)}>
          <bdi>{title}</bdi>
        </a>
        {(target.state === 'closed' || target.standing === 'closed' || target.standing === 'merged') && (
          <>
            {' '}
            <Badge>{target.standing === 'merged' ? 'Merged' : 'Closed'}</Badge>
          </>
        )}
        <p>
          <Reason todo={todo} isOwn={isOwn} /> {reference} · <Ago at={createdAt} />
        </p>
        {target.title !== undefined && body !== title && (
          <p class="quoted">
            <bdi>{body.length > 200 ? `${body.slice(0, 200)}…` : body}</bdi>
          </p>
        )}
      </div>
      <Form csrf={site.visitor!.csrf} action={`${todosPath}/${id}/${state === 'pending' ? 'mark_done' : 'restore'}`}>
        <button class="button">
          {state === 'pending' ? 'Mark as done' : 'Restore'}
          <span class="hidden"> {title}</span>
        </button>
      </Form>
    </li>
  );
}

/** Where it leads, as a path: the page may be open under another host name than the gateway's own. */
export function hrefOf({ targetUrl }: Pick<ShownTodo, 'targetUrl'>): string {
  if (targetUrl === null) return todosPath;
  const { pathname, hash } = new URL(targetUrl);
  return pathname + hash;
}
