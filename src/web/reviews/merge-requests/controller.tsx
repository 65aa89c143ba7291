import type { GraphQLSchema } from 'graphql';
import { domainError } from '../../../context.ts';
import { Conflict, Unprocessable } from '../../../errors.ts';
import { compileOperation } from '../../../operation.ts';
import { placeQuestion } from '../../places/place/question.tsx';
import type { PlaceRoute } from '../../places/place/route.ts';
import { takingOf } from '../../planning/notes/host.ts';
import { timePages } from '../../planning/time-tracking/controller.ts';
import type { Fields } from '../../site/forms/fields.ts';
import type { NoticeName } from '../../site/layout/notices.ts';
import { forbidden } from '../../site/layout/problems.tsx';
import { pageOrPatch, patchFields, type PatchFile } from '../../site/records/patch-answer.ts';
import { isRecordNumber } from '../../site/paths.ts';
import { requireVisitor, seeOtherSaying } from '../../site/visit.ts';
import { mergeRequestPath, mergeRequestsPath } from './addresses.ts';
import { mergeRequestFinder } from './merge-request.ts';
import { mergeRequestShower } from './show.tsx';
import { decidesSquash } from '../../../values/attributes/squash-option.ts';

/** What the buttons of a merge request do: the mutation, its input besides the name, and the notice afterwards. */
interface Action {
  readonly mutation: string;
  readonly input: string;
  readonly notice: NoticeName;
}

const actions: Readonly<Record<string, Action>> = {
  close: { mutation: 'mergeRequestUpdate', input: 'state: CLOSED', notice: 'merge_request_closed' },
  reopen: { mutation: 'mergeRequestUpdate', input: 'state: OPEN', notice: 'merge_request_reopened' },
  ready: { mutation: 'mergeRequestSetDraft', input: 'draft: false', notice: 'merge_request_ready' },
  draft: { mutation: 'mergeRequestSetDraft', input: 'draft: true', notice: 'merge_request_draft' },
  lock: { mutation: 'mergeRequestSetLocked', input: 'locked: true', notice: 'issue_locked' },
  unlock: { mutation: 'mergeRequestSetLocked', input: 'locked: false', notice: 'issue_unlocked' },
  approve: { mutation: 'mergeRequestApprove', input: 'sha: $sha', notice: 'merge_request_approved' },
  unapprove: { mutation: 'mergeRequestUnapprove', input: '', notice: 'merge_request_unapproved' },
  subscribe: {
    mutation: 'mergeRequestSetSubscription',
    input: 'subscribedState: true',
    notice: 'merge_request_subscribed',
  },
  unsubscribe: {
    mutation: 'mergeRequestSetSubscription',
    input: 'subscribedState: false',
    notice: 'merge_request_unsubscribed',
  },
  rebase: { mutation: 'mergeRequestRebase', input: '', notice: 'merge_request_rebased' },
  cancel_auto_merge: { mutation: 'mergeRequestCancelAutoMerge', input: '', notice: 'merge_request_not_automatic' },
};

/** Texts of people come with two characters for each line break. */
const textOf = (sent: string | undefined) => (sent ?? '').replaceAll('\r\n', '\n').trim();

/** Why something was refused that the page offered, in a sentence. @throws any other error */
function refusalOf(thrown: unknown): string {
  const problem = domainError(thrown);
  if (problem instanceof Conflict)
    return problem.message.startsWith('SHA does not match')
      ? 'Someone pushed to the source branch in the meantime. Look at the changes again.'
      : `${problem.message.replace(/\.?$/, '')}.`;
  if (problem instanceof Unprocessable) return `${problem.message.replace(/\.?$/, '')}.`;
  throw thrown;
}

/** The page of a merge request, and what its buttons do. */
export function mergeRequestPages(schema: GraphQLSchema): PlaceRoute[] {
  const show = mergeRequestShower(schema);
  const find = mergeRequestFinder(schema);
  const accept = compileOperation<{ done: { mergeRequest: { state: string } } }>(
    schema,
    'mutation ($input: MergeRequestAcceptInput!) { done: mergeRequestAccept(input: $input) { mergeRequest { state } } }',
  );
  const remove = compileOperation<object>(
    schema,
    'mutation ($input: MergeRequestDeleteInput!) { mergeRequestDelete(input: $input) { mergeRequestId } }',
  );
  const readPatch = compileOperation<{ readonly mergeRequest: PatchFile | null }>(
    schema,
    `query ($project: ID!, $iid: String!, $diff: Boolean!) {
      mergeRequest(project: $project, iid: $iid, current: true) { ${patchFields} }
    }`,
  );
  const root = { root: '/merge_requests' };

  const button = (page: string, { mutation, input, notice }: Action): PlaceRoute => {
    const variables = `$project: ID!, $iid: String!${input.includes('$sha') ? ', $sha: String' : ''}`;
    const run = compileOperation<object>(
      schema,
      `mutation (${variables}) { ${mutation}(input: { projectPath: $project, iid: $iid, ${input} }) { mergeRequest { iid } } }`,
    );
    return takingOf(root, page, `${page.replaceAll('_', ' ')} merge request`, async (visit, place, { sha }) => {
      const iid = visit.named.iid!;
      try {
        await run.execute(visit.context, { project: place.fullPath, iid, ...(sha && { sha }) });
      } catch (thrown) {
        const problem = refusalOf(thrown);
        return await show(visit, place, { merge: { squash: false, removes: false, message: '', problem } });
      }
      return seeOtherSaying(notice, mergeRequestPath(place, { iid }), visit);
    });
  };

  const merging = (page: string, waits: boolean): PlaceRoute =>
    takingOf(root, page, 'merge', async (visit, place, form: Fields) => {
      const iid = visit.named.iid!;
      const found = await find(visit, place);
      if (!found) return null;
      const { squashOption } = found.mergeRequest.targetProject ?? {};
      const isFree = !decidesSquash(squashOption);
      const draft = {
        squash: form.squash === 'on',
        removes: form.remove === 'on',
        message: textOf(form.message),
      };
      try {
        const { done } = await accept.execute(visit.context, {
          input: {
            projectPath: place.fullPath,
            iid,
            ...(form.sha && { sha: form.sha }),
            ...(isFree && { squash: draft.squash }),
            shouldRemoveSourceBranch: draft.removes,
            ...(draft.message && { commitMessage: draft.message }),
            ...(waits && form.at_once !== 'on' && { strategy: 'MERGE_WHEN_PIPELINE_SUCCEEDS' }),
          },
        });
        const notice = done.mergeRequest.state === 'merged' ? 'merge_request_merged' : 'merge_request_automatic';
        return seeOtherSaying(notice, mergeRequestPath(place, { iid }), visit);
      } catch (thrown) {
        return await show(visit, place, { merge: { ...draft, problem: refusalOf(thrown) } });
      }
    });

  return [
    {
      of: 'project',
      path: '/merge_requests/:iid',
      name: 'merge request',
      get: (visit, place) =>
        pageOrPatch(
          visit.exchange,
          visit.named.iid!,
          () => show(visit, place),
          async (iid, diff) => {
            if (!place.mergeRequestsEnabled || !isRecordNumber(iid)) return null;
            return (await readPatch.execute(visit.context, { project: place.fullPath, iid, diff })).mergeRequest;
          },
        ),
    },
    ...Object.entries(actions).map(([page, action]) => button(page, action)),
    ...timePages(schema, { root: '/merge_requests', kind: 'mergeRequest', show }),
    merging('merge', false),
    merging('auto_merge', true),
    {
      of: 'project',
      path: '/merge_requests/:iid/delete',
      name: 'delete merge request',
      async get(visit, place) {
        requireVisitor(visit);
        const found = await find(visit, place);
        if (!found) return null;
        const { mergeRequest } = found;
        if (!mergeRequest.userPermissions.destroyMergeRequest)
          return forbidden(visit.site, 'You need the Owner role to delete merge requests.');
        return placeQuestion(visit, place, 'merge-requests', {
          title: `Delete ${mergeRequest.title}?`,
          says: 'It is deleted with its comments and its history. Its branches stay. This can’t be undone.',
          does: 'Delete the merge request',
          action: mergeRequestPath(place, mergeRequest, '/delete'),
          back: mergeRequestPath(place, mergeRequest),
        });
      },
      async post(visit, place) {
        await remove.execute(visit.context, { input: { projectPath: place.fullPath, iid: visit.named.iid } });
        return seeOtherSaying('merge_request_deleted', mergeRequestsPath(place), visit);
      },
    },
  ];
}
