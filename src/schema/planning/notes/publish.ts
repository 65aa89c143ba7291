import type { Context } from '../../../context.ts';
import { publishIssue, publishMergeRequest, publishTodos } from '../live/publish.ts';
import type { Noteable } from './noteable.ts';

/** Publishes a comment to those who watch what it is on, and to people whose to-dos it changed. Call it after the commit. */
export function publishNote(context: Context, { kind, id }: Noteable, people: readonly number[] = []): void {
  if (kind === 'Issue') publishIssue(context, id);
  if (kind === 'MergeRequest') publishMergeRequest(context, id);
  if (kind !== 'Snippet') publishTodos(context, people, kind === 'Issue' ? id : null);
}
