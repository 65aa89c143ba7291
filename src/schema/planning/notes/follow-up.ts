import type { Context } from '../../../context.ts';
import type { Sql } from '../../../database/index.ts';
import { BadRequest, Forbidden, NotFound } from '../../../errors.ts';
import { resolveNote } from '../../../policy/index.ts';
import { globalId, idOf } from '../../engine/global-id.ts';
import { requirePerson } from '../issues/changes/input.ts';
import { discussionIdOf } from './ids.ts';
import { lookUpNoteable, mayOnNoteable, requireToComment, type Noteable } from './noteable.ts';
import { publishNote } from './publish.ts';
import { resolveOnMergeRequest } from './resolve.ts';
import { continuedThreads, insertContinuations, type ContinuedThread } from './statements/follow-up.ts';

/** A new issue that continues threads of a merge request: it lists them, and they are resolved with it. */

/** How many threads one issue continues at most. */
const maxThreads = 200;

/** What a request names. */
interface ContinuedName {
  readonly projectPath: string;
  /** The merge request: its global id, or its number in the project of the issue. */
  readonly mergeRequestToResolveDiscussionsOf?: string | null | undefined;
  readonly mergeRequestIidToResolveDiscussionsOf?: string | null | undefined;
  /** One of its threads; all that aren't resolved, if omitted. */
  readonly discussionToResolve?: string | null | undefined;
  readonly confidential?: boolean | null | undefined;
}

export interface FollowUp {
  /** What the description says, if none is given. */
  readonly description: string;
  /** Resolves the threads, with a note in each, in the transaction that makes the issue. */
  readonly resolve: (sql: Sql, issue: { readonly id: number; readonly iid: number }) => Promise<void>;
  /** After the commit. */
  readonly publish: () => void;
}

/** The merge request that is named; undefined if none is. @throws NotFound, BadRequest for a thread alone */
async function mergeRequestOf(context: Context, named: ContinuedName): Promise<Noteable | undefined> {
  const { projectPath, mergeRequestToResolveDiscussionsOf: id, mergeRequestIidToResolveDiscussionsOf: iid } = named;
  if (id != null) {
    const noteableId = globalId('MergeRequest', idOf(id, 'MergeRequest'));
    return await lookUpNoteable(context, { noteableId });
  }
  if (iid != null) return await lookUpNoteable(context, { projectPath, mergeRequestIid: iid });
  if (named.discussionToResolve) throw new BadRequest('Name the merge request of the discussion, too.');
  return undefined;
}

/** @throws NotFound, BadRequest for what can't be resolved, and for an internal thread in an issue that everyone reads */
async function threadsOf(
  { database }: Context,
  { id, readsInternal }: Noteable,
  { discussionToResolve: given, confidential }: ContinuedName,
): Promise<readonly ContinuedThread[]> {
  if (!given) {
    const all = await database.rows(continuedThreads, [
      id,
      null,
      readsInternal && confidential === true,
      maxThreads + 1,
    ]);
    if (all.length > maxThreads) throw new BadRequest(`An issue continues at most ${maxThreads} discussions.`);
    return all;
  }
  const [one] = await database.rows(continuedThreads, [id, discussionIdOf(given) ?? '', readsInternal, 1]);
  if (!one) throw new NotFound('Discussion');
  if (!one.resolvable) throw new BadRequest('Note is not resolvable');
  if (one.internal && confidential !== true)
    throw new BadRequest('Only a confidential issue continues an internal discussion.');
  return [one];
}

/** One thread, as the description lists it: a task, with what its first comment says. */
function itemOf(thread: ContinuedThread, page: string): string {
  const { noteIds, shownId, body, username } = thread;
  const replies = noteIds.length - 1;
  const began = noteIds[0] === shownId ? 'started' : 'commented on';
  const more = replies === 0 ? '' : ` (+${replies} ${replies === 1 ? 'comment' : 'comments'})`;
  // Inside of the item: so that no line of a comment is a command.
  const quoted = body.split(/\r\n|\n|\r/).map((line) => `    > ${line}`);
  return [`- [ ] @${username} ${began} a [discussion](${page}#note_${shownId}):${more}`, quoted.join('\n')].join(
    '\n\n',
  );
}

function descriptionOf(threads: readonly ContinuedThread[], reference: string, page: string): string {
  if (threads.length === 0) return `There are no unresolved discussions. Review the conversation in ${reference}`;
  const words = threads.length === 1 ? 'discussion' : 'discussions';
  const items = threads.map((thread) => itemOf(thread, page));
  return [`The following ${words} from ${reference} should be addressed:`, ...items].join('\n\n');
}

/**
 * What a new issue continues. Undefined if no merge request is named.
 * @param project of the issue
 * @throws NotFound for what the viewer doesn't read, Forbidden if they don't resolve its threads, BadRequest
 */
export async function followUpOf(
  context: Context,
  project: { readonly id: number; readonly full_path: string },
  named: ContinuedName,
): Promise<FollowUp | undefined> {
  const seen = await mergeRequestOf(context, named);
  if (!seen) return undefined;
  requireToComment(context, seen);
  if (!mayOnNoteable(context, seen, resolveNote)) throw new Forbidden();
  const actor = requirePerson(context);
  const threads = await threadsOf(context, seen, named);
  const isHere = seen.projectId === project.id;
  const reference = `${isHere ? '' : seen.projectPath}!${seen.iid}`;
  const page = `${context.baseUrl}/${seen.projectPath}/-/merge_requests/${seen.iid}`;
  return {
    description: descriptionOf(threads, reference, page),
    async resolve(sql, { id, iid }) {
      if (threads.length === 0) return;
      const notes = threads.flatMap(({ noteIds }) => noteIds);
      await resolveOnMergeRequest(sql, seen, actor, notes, true);
      const text = `created ${isHere ? '' : project.full_path}#${iid} to continue this discussion`;
      await sql.rows(insertContinuations, [actor, threads.map(({ noteIds: [first] }) => first), text, id]);
    },
    publish: () => publishNote(context, seen),
  };
}
