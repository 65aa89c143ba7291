import type { Context } from '../../../context.ts';
import { isName } from '../../../git/names/index.ts';
import { readRef } from '../../../git/objects/index.ts';
import { holds, pushCode } from '../../../policy/index.ts';
import { builder } from '../../engine/builder.ts';
import { readApart } from '../../engine/page.ts';
import { projectById } from '../../places/place/read.ts';
import { factsOf } from '../../places/projects/permissions.ts';
import { requireStorage } from '../../repository/storage/mark.ts';
import { committerOf } from '../../repository/writing/committer.ts';
import { MergeRequest, type ShownMergeRequest } from '../merge-requests/types.ts';
import { closedIssues } from './merge.ts';
import { mergeMessage, squashMessage, type Described } from './message.ts';

/** The messages that merging would write, for clients in which people change them first. */

const known = new WeakMap<ShownMergeRequest, Promise<Described | null>>();

/** The merge, were the viewer to merge now: read once for both messages. Null if they can't, or a branch is missing. */
function describedOf(context: Context, one: ShownMergeRequest): Promise<Described | null> {
  const described = known.get(one) ?? describe(context, one);
  known.set(one, described);
  return described;
}

async function describe(context: Context, one: ShownMergeRequest): Promise<Described | null> {
  const { projectId, headSha: head, targetBranch } = one;
  if (head === null || !isName(targetBranch) || !(await writesTo(context, one))) return null;
  await requireStorage(context);
  const git = context.git.repository(projectId);
  const tip = await readRef(git, `refs/heads/${targetBranch}`);
  if (tip === undefined) return null;
  const [issues, mergedBy] = await Promise.all([closedIssues(context, one), committerOf(context)]);
  return { one, git, head, tip, issues, mergedBy };
}

/** Whether the viewer's role lets them write to the target. Others don't see the addresses that a message may name. */
async function writesTo(context: Context, { projectId, rights }: ShownMergeRequest): Promise<boolean> {
  const { viewer } = context;
  if (viewer.person === null) return false;
  return holds(pushCode, viewer, rights?.facts ?? (await factsOf(context, (await projectById(context, projectId))!)));
}

for (const [name, messageOf, description] of [
  ['defaultMergeCommitMessage', mergeMessage, 'The message of the merge commit, unless the call to merge has one'],
  [
    'defaultSquashCommitMessage',
    squashMessage,
    'The message of the squashed commits, unless the call to merge has one',
  ],
] as const)
  builder.objectField(MergeRequest, name, (t) =>
    t.string({
      ...readApart,
      nullable: true,
      description: `${description}: by the template of the project. Null while a branch is missing, and for those who may not write to the target.`,
      resolve: async (one, _args, context) => {
        const described = await describedOf(context, one);
        return described && (await messageOf(context, described));
      },
    }),
  );
