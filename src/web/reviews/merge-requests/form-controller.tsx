import type { GraphQLSchema } from 'graphql';
import { domainError } from '../../../context.ts';
import { AlreadyOpen, InvalidFields, NotFound, Unprocessable } from '../../../errors.ts';
import { compileOperation } from '../../../operation.ts';
import { withDraft } from '../../../values/text/draft-title.ts';
import type { PlaceHead, PlaceRoute } from '../../places/place/route.ts';
import { isOutdated, noUser, outdated } from '../../planning/issues/draft.ts';
import { onlyFinds, readSought, type Sought } from '../../planning/issues/offered.ts';
import { readMembers, readQuery, type Fields } from '../../site/forms/fields.ts';
import { personFinder } from '../../site/find-person.ts';
import { toAnswer } from '../../site/layout/page.ts';
import { forbidden } from '../../site/layout/problems.tsx';
import { isRecordNumber } from '../../site/paths.ts';
import { requireVisitor, seeOtherSaying, type Visit } from '../../site/visit.ts';
import { mergeRequestPath, mergeRequestsPath } from './addresses.ts';
import {
  carried,
  changesIn,
  draftOf,
  errorsOf,
  momentOf,
  noMoment,
  readDraft,
  type MergeRequestDraft,
  type MergeRequestErrors,
} from './draft.ts';
import { MergeRequestForm } from './form.tsx';
import { mergeRequestFinder, type ShownMergeRequest } from './merge-request.ts';
import { offerReader } from './offers.ts';

/** What was refused, by the fields of the form. @throws any other error */
function mistakesOf(thrown: unknown): MergeRequestErrors {
  const problem = domainError(thrown);
  if (problem instanceof InvalidFields) return errorsOf(problem.fields);
  if (problem instanceof AlreadyOpen || problem instanceof Unprocessable)
    return { source: [`${problem.message.replace(/\.?$/, '')}.`] };
  throw thrown;
}

/** What the address of the form says of a new one, by our names or by GitLab’s. */
function askedIn({ exchange }: Visit) {
  const { texts, lists } = readMembers(exchange, 'merge_request');
  const fields: Fields = {
    source: texts.source_branch,
    target: texts.target_branch,
    target_project: texts.target_project_id,
    title: texts.title,
    description: texts.description,
    milestone: texts.milestone_id,
    ...readQuery(exchange),
  };
  return {
    fields,
    assigneeId: lists.assignee_ids?.[0] ?? texts.assignee_id,
    reviewerId: lists.reviewer_ids?.[0],
    labels: (lists.label_ids ?? []).filter(isRecordNumber),
  };
}

/** The forms of merge requests: a new one, and changing one. */
export function mergeRequestFormPages(schema: GraphQLSchema): PlaceRoute[] {
  const find = mergeRequestFinder(schema);
  const { offered, offeredTo, proposed, missing } = offerReader(schema);
  const { idsOf, usernameOf } = personFinder(schema);
  const create = compileOperation<{ made: { mergeRequest: { webPath: string } } }>(
    schema,
    'mutation ($input: MergeRequestCreateInput!) { made: mergeRequestCreate(input: $input) { mergeRequest { webPath } } }',
  );
  const update = compileOperation<object>(
    schema,
    'mutation ($input: MergeRequestUpdateInput!) { mergeRequestUpdate(input: $input) { mergeRequest { iid } } }',
  );

  /** The people of a draft, or what is wrong with them. */
  async function peopleOf({ context }: Visit, { assignee, reviewer }: MergeRequestDraft) {
    const [assigneeIds, reviewerIds] = [await idsOf(context, assignee), await idsOf(context, reviewer)];
    if (assigneeIds && reviewerIds) return { people: { assigneeIds, reviewerIds } };
    const errors: MergeRequestErrors = {
      ...(!assigneeIds && { assignee: noUser }),
      ...(!reviewerIds && { reviewer: noUser }),
    };
    return { errors };
  }

  async function newForm(
    visit: Visit,
    place: PlaceHead,
    draft: MergeRequestDraft,
    errors?: MergeRequestErrors,
    sought?: Sought,
  ) {
    const { createMergeRequestFrom, createMergeRequestIn } = place.userPermissions;
    if (place.archived || !createMergeRequestIn || !createMergeRequestFrom)
      return forbidden(visit.site, 'You can’t create merge requests for branches of this project.');
    return toAnswer(
      <MergeRequestForm
        site={visit.site}
        place={place}
        title="New merge request"
        action={mergeRequestsPath(place, '/new')}
        back={mergeRequestsPath(place)}
        draft={draft}
        errors={errors}
        offered={await offered(visit, place, draft, sought)}
      />,
      errors ? 422 : 200,
    );
  }

  async function editForm(
    visit: Visit,
    place: PlaceHead,
    one: ShownMergeRequest,
    draft?: MergeRequestDraft,
    errors?: MergeRequestErrors,
    sought?: Sought,
  ) {
    const shown = draftOf(one, visit.site.timeZone);
    return toAnswer(
      <MergeRequestForm
        site={visit.site}
        place={place}
        title={`Edit merge request !${one.iid}`}
        action={mergeRequestPath(place, one, '/edit')}
        back={mergeRequestPath(place, one)}
        draft={draft ?? shown}
        errors={errors}
        carries={carried(shown)}
        offered={await offeredTo(visit, place, one, draft ?? shown, sought)}
        endsAutoMerge={one.autoMergeEnabled && !one.userPermissions.canMerge}
      />,
      errors ? 422 : 200,
    );
  }

  /** The merge request of the address, if the viewer may change it; otherwise an answer that says why not. */
  async function changeable(visit: Visit, place: PlaceHead) {
    requireVisitor(visit);
    const found = await find(visit, place);
    if (!found) return { refusal: null };
    const { mergeRequest } = found;
    if (mergeRequest.userPermissions.updateMergeRequest) return { mergeRequest };
    return {
      refusal: forbidden(
        visit.site,
        place.archived
          ? 'This project is archived, so its merge requests can’t be changed.'
          : 'Only its author, its assignee, and people with at least the Developer role change this merge request.',
      ),
    };
  }

  return [
    {
      of: 'project',
      path: '/merge_requests/new',
      name: 'new merge request',
      async get(visit, place) {
        if (!place.mergeRequestsEnabled) return null;
        requireVisitor(visit);
        const { fields, assigneeId, reviewerId, labels } = askedIn(visit);
        return await newForm(visit, place, {
          ...(await proposed(visit, place, fields)),
          assignee: await usernameOf(visit.context, assigneeId),
          reviewer: await usernameOf(visit.context, reviewerId),
          labels,
        });
      },
      async post(visit, place, form) {
        if (!place.mergeRequestsEnabled) return null;
        const draft = readDraft(form);
        const again = (errors?: MergeRequestErrors) => newForm(visit, place, draft, errors, readSought(form));
        const isOfOther = form.offers_of !== undefined && form.offers_of !== draft.targetProject;
        if (isOfOther && (draft.labels.length > 0 || draft.milestone !== ''))
          return await newForm(
            visit,
            place,
            { ...draft, labels: [], milestone: '' },
            {
              targetProject: [
                'The labels and the milestone that you chose are those of another project. Choose some of this one.',
              ],
            },
          );
        if (onlyFinds(form)) return await again();
        const { people, errors } = await peopleOf(visit, draft);
        const absent = await missing(visit, place, draft);
        const mergeAfter = momentOf(draft, visit.site.timeZone);
        if (!people || absent || mergeAfter === undefined)
          return await again({ ...errors, ...absent, ...(mergeAfter === undefined && noMoment) });
        try {
          const { made } = await create.execute(visit.context, {
            input: {
              projectPath: place.fullPath,
              title: draft.draft ? withDraft(draft.title, true) : draft.title,
              description: draft.description,
              sourceBranch: draft.source,
              targetBranch: draft.target,
              ...(draft.targetProject && { targetProjectId: draft.targetProject }),
              ...people,
              labelIds: draft.labels,
              ...(draft.milestone && { milestoneId: draft.milestone }),
              squash: draft.squash,
              removeSourceBranch: draft.removes,
              ...(mergeAfter && { mergeAfter }),
            },
          });
          return seeOtherSaying('merge_request_created', made.mergeRequest.webPath, visit);
        } catch (thrown) {
          if (domainError(thrown) instanceof NotFound)
            return await again({ targetProject: ['The target project isn’t there.'] });
          return await again(mistakesOf(thrown));
        }
      },
    },
    {
      of: 'project',
      path: '/merge_requests/:iid/edit',
      name: 'edit merge request',
      async get(visit, place) {
        const { mergeRequest, refusal } = await changeable(visit, place);
        return mergeRequest ? await editForm(visit, place, mergeRequest) : refusal;
      },
      async post(visit, place, form) {
        const { mergeRequest, refusal } = await changeable(visit, place);
        if (!mergeRequest) return refusal;
        const draft = readDraft(form);
        const again = (errors?: MergeRequestErrors) =>
          editForm(visit, place, mergeRequest, draft, errors, readSought(form));
        if (onlyFinds(form)) return await again();
        const { isChanged, added, removed } = changesIn(form, draft);
        if (isChanged('description') && isOutdated(form, mergeRequest.description))
          return await again(outdated('merge request'));
        const { people, errors } = await peopleOf(visit, draft);
        // An unchanged moment isn’t parsed: in the zone of the page, its year may be 0 or 10000, which no one can type.
        const hasOtherMoment = form.merge_after !== undefined && isChanged('mergeAfter');
        const mergeAfter = hasOtherMoment ? momentOf(draft, visit.site.timeZone) : null;
        if (errors || mergeAfter === undefined)
          return await again({ ...errors, ...(mergeAfter === undefined && noMoment) });
        const { labels } = await offeredTo(visit, place, mergeRequest, draft);
        const titles = (ids: readonly string[]) =>
          labels.filter(({ id }) => ids.includes(String(id))).map(({ title }) => title);
        const maySet = place.userPermissions.createMergeRequestFrom === true;
        try {
          await update.execute(visit.context, {
            input: {
              projectPath: place.fullPath,
              iid: mergeRequest.iid,
              ...(isChanged('title') && { title: draft.title }),
              ...(isChanged('description') && { description: draft.description }),
              ...(isChanged('target') && { targetBranch: draft.target }),
              ...(isChanged('squash') && { squash: draft.squash }),
              ...(isChanged('removes') && { removeSourceBranch: draft.removes }),
              ...(hasOtherMoment && { mergeAfter }),
              ...(maySet && isChanged('assignee') && { assigneeIds: people.assigneeIds }),
              ...(maySet && isChanged('reviewer') && { reviewerIds: people.reviewerIds }),
              ...(maySet && isChanged('milestone') && { milestoneId: draft.milestone || null }),
              ...(maySet && added.length > 0 && { addLabels: titles(added) }),
              ...(maySet && removed.length > 0 && { removeLabels: titles(removed) }),
            },
          });
          return seeOtherSaying('merge_request_saved', mergeRequestPath(place, mergeRequest), visit);
        } catch (thrown) {
          return await again(mistakesOf(thrown));
        }
      },
    },
  ];
}
