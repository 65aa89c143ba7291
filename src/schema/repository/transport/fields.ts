import {
  advertise,
  converse,
  pushConversation,
  receivePack,
  uploadPack,
  type Service,
} from '../../../git/transport/index.ts';
import type { Channel } from '../../../git/transport/channel.ts';
import type { Context } from '../../../context.ts';
import { Moved, NotFound, PlainForbidden, RepositoryOff } from '../../../errors.ts';
import { all, fetches, holds, mayWrite, pushes, readCode, writeCode, type Condition } from '../../../policy/index.ts';
import { mergeRequestsOfPush } from '../../reviews/merge-requests/changes/of-push.ts';
import { sshAddress } from '../../../values/ssh-address.ts';
import { builder } from '../../engine/builder.ts';
import { gitOwner } from '../repositories/git-owner.ts';
import { prefetchRepository, repositoryIn, type RepositoryRecord } from '../repositories/look-up.ts';
import { pushPolicy } from '../writing/push.ts';
import { openForWriting } from '../writing/write.ts';
import { findProtocol } from './statements.ts';
import { RepositoryTransport } from './types.ts';

/** The ways of a client of git. Only its doors reach these fields: `/graphql` doesn't have them. */

const arg = 'Full path, also a former one.';

builder.queryField('gitUploadPack', (t) =>
  t.field({
    type: RepositoryTransport,
    nullable: true,
    description: 'A clone or a fetch.',
    admission: { class: 'git', scopes: fetches, anonymous: true, job: true },
    prefetch: prefetchRepository,
    args: { project: t.arg.string({ required: true, description: arg }) },
    async resolve(_root, { project }, context) {
      const { repository } = await repositoryAt(context, project, {
        rule: readCode,
        refusal: 'You are not allowed to download code from this project.',
      });
      const git = repository.git ?? (await context.git.empty());
      const owner = gitOwner(context);
      const also = ofPipeline(context);
      const channel: Channel = {
        advertise: (how) => advertise(git, 'git-upload-pack', { ...how, also }),
        exchange: (request, how) => uploadPack(git, request, { ...how, also, owner }),
        converse: (request, how) => converse(git, request, { ...how, also, owner }),
      };
      return { fullPath: repository.fullPath, defaultBranch: repository.defaultBranch, channel };
    },
  }),
);

const refusedPush = 'You are not allowed to push code to this project.';

builder.mutationField('gitReceivePack', (t) =>
  t.field({
    type: RepositoryTransport,
    nullable: true,
    description: 'A push. The rules of each branch and tag are checked when its objects are there.',
    admission: { class: 'git', scopes: pushes },
    prefetch: prefetchRepository,
    args: { project: t.arg.string({ required: true, description: arg }) },
    async resolve(_root, { project }, context) {
      const { repository, formerPath } = await repositoryAt(context, project, {
        rule: writeCode,
        refusal: refusedPush,
      });
      const { id, fullPath, defaultBranch, archived, facts } = repository;
      if (!mayWrite({ viewer: context.viewer, archived, facts })) throw new PlainForbidden(refusedPush);
      const owner = gitOwner(context);
      const advertised = async (how: Parameters<typeof advertise>[2]) =>
        advertise(repository.git ?? (await context.git.empty()), service, how);
      const received: Channel['exchange'] = async (request, how) => {
        const git = await openForWriting(context, { id });
        const notice = formerPath === undefined ? undefined : noticeOf(context, formerPath, fullPath);
        const pushed = { id, fullPath, defaultBranch };
        const policy = pushPolicy(
          context,
          { id, notice, afterwards: (push) => mergeRequestsOfPush(context, pushed, push) },
          git,
        );
        return await receivePack(git, request, { ...how, owner, policy });
      };
      const channel: Channel = {
        advertise: advertised,
        exchange: received,
        converse: async (request, how) =>
          pushConversation(
            request,
            () => advertised({ ...how, unnamed: true }),
            () => received(request, how),
          ),
      };
      return { fullPath, defaultBranch, channel };
    },
  }),
);
const service: Service = 'git-receive-pack';

/** A job also sees the reference that keeps the commit of its pipeline. */
const ofPipeline = ({ viewer: { credential } }: Context): readonly string[] =>
  credential?.kind === 'job' ? [`refs/pipelines/${credential.pipelineId}`] : [];

/** What a person sees after a push to a former path. */
function noticeOf({ baseUrl, ssh, viewer }: Context, formerPath: string, fullPath: string): string {
  const isKey = viewer.credential?.kind === 'key' || viewer.credential?.kind === 'deploy_key';
  const overSsh = isKey ? sshAddress(ssh, baseUrl, fullPath) : null;
  return [
    `Project '${formerPath}' was moved to '${fullPath}'.`,
    'Please update your Git remote:',
    `  git remote set-url origin ${overSsh ?? `${baseUrl}/${fullPath}.git`}`,
  ].join('\n');
}

/**
 * The repository at a path, which may be a former one.
 * @throws NotFound if the viewer doesn't see the project, PlainForbidden if they may not do that
 */
async function repositoryAt(
  context: Context,
  path: string,
  { rule, refusal }: { rule: Condition; refusal: string },
): Promise<{ repository: RepositoryRecord; formerPath: string | undefined }> {
  // A number or a global id is no path.
  if (!path.includes('/') || path.includes(':')) throw new NotFound('Project');
  const found = await anyRepositoryAt(context, path).catch((error: unknown) => {
    throw error instanceof RepositoryOff ? new PlainForbidden(refusal) : error;
  });
  if (!holds(rule, context.viewer, found.repository.facts)) throw new PlainForbidden(refusal);
  await requireProtocol(context, found.repository.id);
  return found;
}

/** Refuses a way of git that the root group doesn't allow. Jobs have only one. @throws PlainForbidden */
async function requireProtocol({ viewer: { credential }, database }: Context, projectId: number): Promise<void> {
  if (credential?.kind === 'job') return;
  const used = credential?.kind === 'key' || credential?.kind === 'deploy_key' ? 'ssh' : 'http';
  const [found] = await database.rows(findProtocol, [projectId]);
  if (found?.protocol && found.protocol !== 'all' && found.protocol !== used)
    throw new PlainForbidden(`Git access over ${used.toUpperCase()} is not allowed`);
}

async function anyRepositoryAt(context: Context, path: string) {
  try {
    return { repository: await seenRepository(context, path), formerPath: undefined };
  } catch (error) {
    if (!(error instanceof Moved)) throw error;
    return { repository: await seenRepository(context, String(error.id)), formerPath: path };
  }
}

/** The rule comes later: its refusal has a text of its own. */
const seenRepository = (context: Context, project: string) => repositoryIn(context, project, anybody);
const anybody = all();
