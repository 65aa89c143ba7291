import type { GraphQLSchema } from 'graphql';
import { InvalidFields } from '../../../errors.ts';
import { compileOperation } from '../../../operation.ts';
import { below } from '../../places/place/layout.tsx';
import { placeQuestion } from '../../places/place/question.tsx';
import type { PlaceHead, PlaceRoute } from '../../places/place/route.ts';
import { readMembers, readQuery } from '../../site/forms/fields.ts';
import { personFinder } from '../../site/find-person.ts';
import { toAnswer } from '../../site/layout/page.ts';
import { forbidden } from '../../site/layout/problems.tsx';
import { isRecordNumber } from '../../site/paths.ts';
import { requireVisitor, seeOtherSaying, type Visit } from '../../site/visit.ts';
import {
  carried,
  changesIn,
  draftOf,
  emptyDraft,
  errorsOf,
  isOutdated,
  mistakesIn,
  noUser,
  outdated,
  readDraft,
  type IssueDraft,
  type IssueErrors,
} from './draft.ts';
import { IssueForm } from './form.tsx';
import { issueFinder, issuePath, type ShownIssue } from './issue.ts';
import {
  offersAsked,
  offersDeclared,
  offersFields,
  offersReader,
  onlyFinds,
  readSought,
  type OfferedPlace,
  type Sought,
} from './offered.ts';

interface OfferedData {
  readonly place: OfferedPlace | null;
}

interface Written {
  readonly written: { readonly issue: { readonly iid: string; readonly assignee: { readonly id: number } | null } };
}

/** The forms of issues: a new one, changing one, deleting one. */
export function issueFormPages(schema: GraphQLSchema): PlaceRoute[] {
  const find = issueFinder(schema);
  const offers = compileOperation<OfferedData>(
    schema,
    `query ($path: ID!, ${offersDeclared}) { place: project(fullPath: $path) { ${offersFields} } }`,
  );
  const offersOf = offersReader(schema);
  const { idsOf, usernameOf } = personFinder(schema);
  const create = compileOperation<Written>(
    schema,
    'mutation ($input: CreateIssueInput!) { written: createIssue(input: $input) { issue { iid assignee { id: databaseId } } } }',
  );
  const update = compileOperation<Written>(
    schema,
    'mutation ($input: UpdateIssueInput!) { written: updateIssue(input: $input) { issue { iid assignee { id: databaseId } } } }',
  );
  const remove = compileOperation<object>(
    schema,
    'mutation ($input: DeleteIssueInput!) { deleteIssue(input: $input) { issueId } }',
  );

  /** What the form offers, with what the issue has and what is chosen. */
  async function offered(visit: Visit, { fullPath }: PlaceHead, draft: IssueDraft, sought?: Sought, own?: ShownIssue) {
    const { place } = await offers.execute(visit.context, { path: fullPath, ...offersAsked(sought, draft) });
    const has = own && { labels: own.labels.nodes, milestone: own.milestone };
    return await offersOf(visit, fullPath, place, { sought, draft, own: has });
  }

  async function newForm(visit: Visit, place: PlaceHead, draft: IssueDraft, errors?: IssueErrors, sought?: Sought) {
    const { createIssue, setIssueMetadata } = place.userPermissions;
    if (!createIssue) return forbidden(visit.site, 'You can’t create issues in this project.');
    return toAnswer(
      <IssueForm
        site={visit.site}
        place={place}
        title="New issue"
        action={below(place, '/issues/new')}
        back={below(place, '/issues')}
        draft={draft}
        errors={errors}
        offered={await offered(visit, place, draft, sought)}
        maySet={setIssueMetadata}
        mayHide
        does="Create issue"
      />,
      errors ? 422 : 200,
    );
  }

  async function editForm(
    visit: Visit,
    place: PlaceHead,
    issue: ShownIssue,
    draft?: IssueDraft,
    errors?: IssueErrors,
    sought?: Sought,
  ) {
    const shown = draftOf(issue);
    const { adminIssue } = issue.userPermissions;
    return toAnswer(
      <IssueForm
        site={visit.site}
        place={place}
        title={`Edit issue #${issue.iid}`}
        action={issuePath(place, issue, '/edit')}
        back={issuePath(place, issue)}
        draft={draft ?? shown}
        errors={errors}
        carries={carried(shown)}
        offered={await offered(visit, place, draft ?? shown, sought, issue)}
        maySet={adminIssue}
        mayHide={adminIssue}
        does="Save changes"
      />,
      errors ? 422 : 200,
    );
  }

  /** The issue of the address, if the viewer may change it; otherwise an answer that says why not. */
  async function changeable(visit: Visit, place: PlaceHead) {
    requireVisitor(visit);
    const found = await find(visit, place);
    if (!found) return { refusal: null };
    const { issue } = found;
    if (issue.userPermissions.updateIssue && !place.archived) return { issue };
    return {
      refusal: forbidden(
        visit.site,
        place.archived
          ? 'This project is archived, so its issues can’t be changed.'
          : 'Only its author, its assignee, and people with at least the Planner role change this issue.',
      ),
    };
  }

  return [
    {
      of: 'project',
      path: '/issues/new',
      name: 'new issue',
      async get(visit, place) {
        if (!place.issuesEnabled) return null;
        requireVisitor(visit);
        const query = readQuery(visit.exchange);
        // GitLab’s links have these.
        const { texts: given, lists } = readMembers(visit.exchange, 'issue');
        return await newForm(visit, place, {
          ...emptyDraft,
          title: query.title ?? given.title ?? '',
          description: query.description ?? given.description ?? '',
          milestone: query.milestone ?? given.milestone_id ?? '',
          confidential: given.confidential === 'true',
          dueDate: given.due_date ?? '',
          assignee: await usernameOf(visit.context, lists.assignee_ids?.[0] ?? given.assignee_id),
          labels: (lists.label_ids ?? []).filter(isRecordNumber),
        });
      },
      async post(visit, place, form) {
        if (!place.issuesEnabled) return null;
        const draft = readDraft(form);
        const again = (errors?: IssueErrors) => newForm(visit, place, draft, errors, readSought(form));
        if (onlyFinds(form)) return await again();
        const mistakes = mistakesIn(draft);
        if (mistakes) return await again(mistakes);
        const ids = await idsOf(visit.context, draft.assignee);
        if (!ids) return await again({ assignee: noUser });
        try {
          const { written } = await create.execute(visit.context, {
            input: {
              projectPath: place.fullPath,
              title: draft.title,
              description: draft.description,
              confidential: draft.confidential,
              assigneeIds: ids,
              labelIds: draft.labels,
              ...(draft.milestone && { milestoneId: draft.milestone }),
              ...(draft.dueDate && { dueDate: draft.dueDate }),
            },
          });
          return seeOtherSaying('issue_created', issuePath(place, written.issue), visit);
        } catch (problem) {
          if (!(problem instanceof InvalidFields)) throw problem;
          return await again(errorsOf(problem.fields));
        }
      },
    },
    {
      of: 'project',
      path: '/issues/:iid/edit',
      name: 'edit issue',
      async get(visit, place) {
        const { issue, refusal } = await changeable(visit, place);
        return issue ? await editForm(visit, place, issue) : refusal;
      },
      async post(visit, place, form) {
        const { issue, refusal } = await changeable(visit, place);
        if (!issue) return refusal;
        const draft = readDraft(form);
        const { labels, removed, assignee, milestone, dueDate, ...changes } = changesIn(form, draft);
        const again = (errors?: IssueErrors) => editForm(visit, place, issue, draft, errors, readSought(form));
        if (onlyFinds(form)) return await again();
        if (changes.description !== undefined && isOutdated(form, issue.description))
          return await again(outdated('issue'));
        const mistakes = mistakesIn({ ...(dueDate !== undefined && { dueDate }) });
        if (mistakes) return await again(mistakes);
        const ids = await idsOf(visit.context, assignee ?? '');
        if (!ids) return await again({ assignee: noUser });
        try {
          const { written } = await update.execute(visit.context, {
            input: {
              projectPath: place.fullPath,
              iid: issue.iid,
              ...changes,
              ...(assignee !== undefined && { assigneeIds: ids }),
              ...(milestone !== undefined && { milestoneId: milestone || null }),
              ...(dueDate !== undefined && { dueDate: dueDate || null }),
              ...(labels && { addLabelIds: labels }),
              ...(removed && { removeLabelIds: removed }),
            },
          });
          const isUnassigned = assignee && String(written.issue.assignee?.id) !== ids[0];
          return seeOtherSaying(
            isUnassigned ? 'issue_saved_unassigned' : 'issue_saved',
            issuePath(place, issue),
            visit,
          );
        } catch (problem) {
          if (!(problem instanceof InvalidFields)) throw problem;
          return await again(errorsOf(problem.fields));
        }
      },
    },
    {
      of: 'project',
      path: '/issues/:iid/delete',
      name: 'delete issue',
      async get(visit, place) {
        requireVisitor(visit);
        const found = await find(visit, place);
        if (!found) return null;
        const { issue } = found;
        if (!issue.userPermissions.destroyIssue || place.archived)
          return forbidden(visit.site, 'You need the Owner role to delete issues.');
        return placeQuestion(visit, place, 'issues', {
          title: `Delete ${issue.title}?`,
          says: 'It is deleted with its comments and its history. This can’t be undone.',
          does: 'Delete the issue',
          action: issuePath(place, issue, '/delete'),
          back: issuePath(place, issue),
        });
      },
      async post(visit, place) {
        await remove.execute(visit.context, { input: { projectPath: place.fullPath, iid: visit.named.iid } });
        return seeOtherSaying('issue_deleted', below(place, '/issues'), visit);
      },
    },
  ];
}
