import type { GraphQLSchema } from 'graphql';
import { compileOperation } from '../../../operation.ts';
import type { NoteHost } from '../../planning/notes/host.ts';
import { threadLineReader } from '../../reviews/diffs/thread-lines.ts';
import { CommentPlace } from './comment-place.tsx';
import { commentRights, rightsOf, type CommentRights } from './comments.ts';
import { isName, type ShowCommit } from './show.tsx';

/** Commits, as what people discuss. */
export function commitHost(schema: GraphQLSchema, show: ShowCommit): NoteHost {
  const linesOf = threadLineReader(schema);
  const find = compileOperation<{
    repository: { commit: { readonly id: string; readonly title: string; readonly userPermissions: CommentRights } };
  }>(
    schema,
    `query ($project: ID!, $ref: String!) { repository(project: $project) { commit(ref: $ref) { id title ${commentRights} } } }`,
  );
  return {
    root: '/commit',
    section: 'commits',
    called: (sha) => `commit ${sha.slice(0, 8)}`,
    isSimple: true,
    show,
    async find({ context, named: { iid = '' } }, place) {
      if (!isName(iid)) return null;
      const { commit } = (await find.execute(context, { project: place.fullPath, ref: iid })).repository;
      return { ...commit, userPermissions: rightsOf(commit.userPermissions) };
    },
    async above(visit, place, thread) {
      const lines = await linesOf(visit, place, { discussions: { nodes: [thread] } });
      return <CommentPlace place={place} thread={thread} lines={lines} />;
    },
  };
}
