import type { Context } from '../../../context.ts';
import { BadRequest, InvalidFields } from '../../../errors.ts';
import { diffOfCommit } from '../../../git/diff/index.ts';
import type { Repository } from '../../../git/repository.ts';
import { locate, type AskedPosition } from '../../reviews/diff-notes/place.ts';
import type { NotePosition } from '../../reviews/diff-notes/position.ts';
import { positionOf } from '../../reviews/diff-notes/types.ts';
import { threadIn } from './look-up.ts';
import type { CommentRow } from './statements.ts';
import type { CommitRecord } from './types.ts';

/** Where a new comment on a commit goes: on a line of its diff, in a thread, or by itself. */

/** A side of a diff. */
type Side = 'new' | 'old';

/** The first parent of a commit that has none, in positions. */
const noParent = '0'.repeat(40);

/** A place in the diff of a commit. @throws InvalidFields with GitLab's texts */
async function locateIn({ repository, id, parents }: CommitRecord, asked: AskedPosition): Promise<NotePosition> {
  const [parent = noParent] = parents;
  const isOfCommit = asked.head_sha === id && asked.base_sha === parent && asked.start_sha === parent;
  const files = async (git: Repository) => (isOfCommit ? (await diffOfCommit(git, id)).files : []);
  return (await locate(repository.git, asked, files)).position;
}

interface Line {
  readonly path: string;
  readonly line: number;
  readonly side: Side;
}

/** The place of a line, if the commit added or deleted it (contract §3.2). */
async function placeOf(commit: CommitRecord, { path, line, side }: Line): Promise<NotePosition | null> {
  const [parent = noParent] = commit.parents;
  const asked: AskedPosition = {
    base_sha: parent,
    start_sha: parent,
    head_sha: commit.id,
    old_path: side === 'old' ? path : null,
    new_path: side === 'new' ? path : null,
    position_type: 'text',
    old_line: side === 'old' ? line : null,
    new_line: side === 'new' ? line : null,
    line_range: null,
  };
  try {
    return await locateIn(commit, asked);
  } catch (error) {
    if (error instanceof InvalidFields) return null;
    throw error;
  }
}

/** Where a comment stands, as a file and a line. */
function lineOf(position: NotePosition | null): Pick<CommentRow, 'path' | 'line' | 'lineType'> {
  if (!position) return { path: null, line: null, lineType: null };
  const { old_path, new_path, old_line, new_line } = position;
  const isOld = new_line === null && old_line !== null;
  const isBoth = new_line !== null && old_line !== null;
  return {
    path: isOld ? old_path : new_path,
    line: new_line ?? old_line,
    lineType: isOld ? 'old' : new_line === null || isBoth ? null : 'new',
  };
}

/** What a client says of where a comment goes. */
interface AskedPlace {
  readonly path?: string | null | undefined;
  readonly line?: number | null | undefined;
  readonly lineType?: Side | null | undefined;
  readonly position?: Parameters<typeof positionOf>[0] | null | undefined;
  readonly startsThread?: boolean | null | undefined;
  readonly discussionId?: string | null | undefined;
}

type Place = Pick<CommentRow, 'path' | 'line' | 'lineType' | 'diffPosition' | 'isInThread'> & {
  readonly discussionId: string | null;
};

/** Where a comment goes. @throws NotFound, BadRequest for a thread that takes no replies, InvalidFields */
export async function whereIn(context: Context, commit: CommitRecord, asked: AskedPlace): Promise<Place> {
  if (asked.discussionId != null) {
    const {
      notes: [first],
    } = await threadIn(context, commit, asked.discussionId);
    if (!first!.isInThread) throw new BadRequest('Discussion can not be replied to.');
    return first!;
  }
  const { path, line, lineType, startsThread } = asked;
  const position = asked.position
    ? await locateIn(commit, positionOf(asked.position))
    : path && line != null
      ? await placeOf(commit, { path, line, side: lineType ?? 'new' })
      : null;
  return {
    ...lineOf(position),
    diffPosition: position,
    discussionId: null,
    isInThread: startsThread === true || position !== null,
  };
}
