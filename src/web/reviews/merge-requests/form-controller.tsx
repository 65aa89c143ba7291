import type { GraphQLSchema } from 'graphql';
import { domainError } from '../../../context.ts';
import { NotFound } from '../../../errors.ts';
import type { Answer } from '../../../http/index.ts';
import type { PlaceHead, PlaceRoute } from '../../places/place/route.ts';
import { isOutdated, noUser, outdated } from '../../planning/issues/draft.ts';
import { onlyFinds, readSought, type Sought } from '../../planning/issues/offered.ts';
import { readMembers, readQuery, type Fields } from '../../site/forms/fields.ts';
import { personFinder } from '../../site/find-person.ts';
import { toAnswer } from '../../site/layout/page.ts';
import { forbidden } from '../../site/layout/problems.tsx';
import { compileMutation } from '../../site/mutation.ts';
import { isRecordNumber } from '../../site/paths.ts';
import { requireVisitor, seeOtherSaying, type Visit } from '../../site/visit.ts';
import { mergeRequestPath, mergeRequestsPath } from './addresses.ts';
import {
  carried,
  changesIn,
  draftOf,
  inputOfChanges,
  inputOfNew,
  mistakesOf,
  momentOf,
  noMoment,
  readDraft,
  type MergeRequestDraft,
  type MergeRequestErrors,
} from './draft.ts';
import { MergeRequestForm } from './form.tsx';
import { mergeRequestFinder, type ShownMergeRequest } from './merge-request.ts';
import { offerReader } from './offers.ts';

type Operations = ReturnType<typeof operationsOf>;

const operationsOf = (schema: GraphQLSchema) => ({
  find: mergeRequestFinder(schema),
  ...offerReader(schema),
  ...personFinder(schema),
  create: compileMutation<{ mergeRequest: { webPath: string } }>(
    schema,
    'mergeRequestCreate',
    'mergeRequest { webPath }',
  ),
  update: compileMutation(schema, 'mergeRequestUpdate'),
});

/** The forms of merge requests: a new one, and changing one. */
export function mergeRequestFormPages(schema: GraphQLSchema): PlaceRoute[] {
  const operations = operationsOf(schema);
  return [newOne(operations), editing(operations)];
}

const newOne = (operations: Operations): PlaceRoute => ({
  of: 'project',
  path: '/merge_requests/new',
  name: 'new merge request',
  async get(visit, place) {
    if (!place.mergeRequestsEnabled) return null;
    requireVisitor(visit);
    const { proposed, usernameOf } = operations;
    const { fields, assigneeId, reviewerId, labels } = askedIn(visit);
    const draft: MergeRequestDraft = {
      ...(await proposed(visit, place, fields)),
      assignee: await usernameOf(visit.context, assigneeId),
      reviewer: await usernameOf(visit.context, reviewerId),
      labels,
    };
    return await newForm(operations, visit, place, { draft });
  },
  async post(visit, place, form) {
    if (!place.mergeRequestsEnabled) return null;
    const draft = readDraft(form);
    const again = (errors?: MergeRequestErrors) =>
      newForm(operations, visit, place, { draft, errors, sought: readSought(form) });
    const isOfOther = form.offers_of !== undefined && form.offers_of !== draft.targetProject;
    if (isOfOther && (draft.labels.length > 0 || draft.milestone !== ''))
      return await newForm(operations, visit, place, {
        draft: { ...draft, labels: [], milestone: '' },
        errors: chosenElsewhere,
      });
    if (onlyFinds(form)) return await again();
    const { people, errors } = await peopleOf(operations, visit, draft);
    const absent = await operations.missing(visit, place, draft);
    const mergeAfter = momentOf(draft, visit.site.timeZone);
    if (!people || absent || mergeAfter === undefined)
      return await again({ ...errors, ...absent, ...(mergeAfter === undefined && noMoment) });
    try {
      const given = { ...inputOfNew(draft), ...people, ...(mergeAfter && { mergeAfter }) };
      const input = { projectPath: place.fullPath, ...given };
      const { mergeRequest } = (await operations.create.execute(visit.context, { input })).done;
      return seeOtherSaying('merge_request_created', mergeRequest.webPath, visit);
    } catch (thrown) {
      if (domainError(thrown) instanceof NotFound)
        return await again({ targetProject: ['The target project isn’t there.'] });
      return await again(mistakesOf(thrown));
    }
  },
});

const editing = (operations: Operations): PlaceRoute => ({
  of: 'project',
  path: '/merge_requests/:iid/edit',
  name: 'edit merge request',
  get: (visit, place) => changing(operations, visit, place, (one) => editForm(operations, visit, place, one, {})),
  post: (visit, place, form) =>
    changing(operations, visit, place, async (one) => {
      const draft = readDraft(form);
      const again = (errors?: MergeRequestErrors) =>
        editForm(operations, visit, place, one, { draft, errors, sought: readSought(form) });
      if (onlyFinds(form)) return await again();
      const changes = changesIn(form, draft);
      const { isChanged } = changes;
      if (isChanged('description') && isOutdated(form, one.description)) return await again(outdated('merge request'));
      const { people, errors } = await peopleOf(operations, visit, draft);
      // An unchanged moment isn’t parsed: in the zone of the page, its year may be 0 or 10000, which no one can type.
      const hasOtherMoment = form.merge_after !== undefined && isChanged('mergeAfter');
      const mergeAfter = hasOtherMoment ? momentOf(draft, visit.site.timeZone) : null;
      if (errors || mergeAfter === undefined)
        return await again({ ...errors, ...(mergeAfter === undefined && noMoment) });
      const { labels } = await operations.offeredTo(visit, place, one, draft);
      const titles = (ids: readonly string[]) =>
        labels.filter(({ id }) => ids.includes(String(id))).map(({ title }) => title);
      const planned = {
        ...(isChanged('assignee') && { assigneeIds: people.assigneeIds }),
        ...(isChanged('reviewer') && { reviewerIds: people.reviewerIds }),
        ...(isChanged('milestone') && { milestoneId: draft.milestone || null }),
        ...(changes.added.length > 0 && { addLabels: titles(changes.added) }),
        ...(changes.removed.length > 0 && { removeLabels: titles(changes.removed) }),
      };
      const input = {
        projectPath: place.fullPath,
        iid: one.iid,
        ...inputOfChanges(draft, changes),
        ...(hasOtherMoment && { mergeAfter }),
        ...(place.userPermissions.createMergeRequestFrom === true && planned),
      };
      try {
        await operations.update.execute(visit.context, { input });
        return seeOtherSaying('merge_request_saved', mergeRequestPath(place, one), visit);
      } catch (thrown) {
        return await again(mistakesOf(thrown));
      }
    }),
});

const chosenElsewhere: MergeRequestErrors = {
  targetProject: ['The labels and the milestone that you chose are those of another project. Choose some of this one.'],
};

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

/** The people of a draft, or what is wrong with them. */
async function peopleOf({ idsOf }: Operations, { context }: Visit, { assignee, reviewer }: MergeRequestDraft) {
  const [assigneeIds, reviewerIds] = [await idsOf(context, assignee), await idsOf(context, reviewer)];
  if (assigneeIds && reviewerIds) return { people: { assigneeIds, reviewerIds } };
  const errors: MergeRequestErrors = {
    ...(!assigneeIds && { assignee: noUser }),
    ...(!reviewerIds && { reviewer: noUser }),
  };
  return { errors };
}

/** Runs with the merge request of the address, if the viewer may change it; otherwise an answer that says why not. */
async function changing(
  { find }: Operations,
  visit: Visit,
  place: PlaceHead,
  change: (one: ShownMergeRequest) => Promise<Answer>,
): Promise<Answer | null> {
  requireVisitor(visit);
  const found = await find(visit, place);
  if (!found) return null;
  const { mergeRequest } = found;
  if (mergeRequest.userPermissions.updateMergeRequest) return await change(mergeRequest);
  return forbidden(
    visit.site,
    place.archived
      ? 'This project is archived, so its merge requests can’t be changed.'
      : 'Only its author, its assignee, and people with at least the Developer role change this merge request.',
  );
}

/** What a form has in it. */
interface Filled {
  readonly draft: MergeRequestDraft;
  readonly errors?: MergeRequestErrors | undefined;
  readonly sought?: Sought | undefined;
}

async function newForm(
  { offered }: Operations,
  visit: Visit,
  place: PlaceHead,
  { draft, errors, sought }: Filled,
): Promise<Answer> {
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
  { offeredTo }: Operations,
  visit: Visit,
  place: PlaceHead,
  one: ShownMergeRequest,
  { draft, errors, sought }: Partial<Filled>,
): Promise<Answer> {
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
