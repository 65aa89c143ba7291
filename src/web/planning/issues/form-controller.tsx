import type { GraphQLSchema } from 'graphql';
import type { Answer } from '../../../http/index.ts';
import { compileOperation } from '../../../operation.ts';
import { below } from '../../places/place/layout.tsx';
import { placeQuestion } from '../../places/place/question.tsx';
import type { PlaceHead, PlaceRoute } from '../../places/place/route.ts';
import { readMembers, readQuery } from '../../site/forms/fields.ts';
import { personFinder } from '../../site/find-person.ts';
import { toAnswer } from '../../site/layout/page.ts';
import { forbidden } from '../../site/layout/problems.tsx';
import { compileMutation } from '../../site/mutation.ts';
import { isRecordNumber } from '../../site/paths.ts';
import { requireVisitor, seeOtherSaying, type Visit } from '../../site/visit.ts';
import {
  carried,
  changesIn,
  draftOf,
  emptyDraft,
  errorsOf,
  inputOfChanges,
  inputOfNew,
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

type Operations = ReturnType<typeof operationsOf>;

function operationsOf(schema: GraphQLSchema) {
  const readOffers = compileOperation<{ readonly place: OfferedPlace | null }>(
    schema,
    `query ($path: ID!, ${offersDeclared}) { place: project(fullPath: $path) { ${offersFields} } }`,
  );
  const offersOf = offersReader(schema);
  return {
    find: issueFinder(schema),
    ...personFinder(schema),
    /** What the form offers, with what the issue has and what is chosen. */
    async offered(visit: Visit, { fullPath }: PlaceHead, draft: IssueDraft, sought?: Sought, own?: ShownIssue) {
      const { place } = await readOffers.execute(visit.context, { path: fullPath, ...offersAsked(sought, draft) });
      const has = own && { labels: own.labels.nodes, milestone: own.milestone };
      return await offersOf(visit, fullPath, place, { sought, draft, own: has });
    },
    create: compileMutation<{ issue: { iid: string } }>(schema, 'createIssue', 'issue { iid }'),
    update: compileMutation<{ issue: { assignee: { id: number } | null } }>(
      schema,
      'updateIssue',
      'issue { assignee { id: databaseId } }',
    ),
    remove: compileMutation(schema, 'deleteIssue', 'issueId'),
  };
}

/** The forms of issues: a new one, changing one, deleting one. */
export function issueFormPages(schema: GraphQLSchema): PlaceRoute[] {
  const operations = operationsOf(schema);
  return [newOne, editing, deletion].map((page) => page(operations));
}

const newOne = (operations: Operations): PlaceRoute => ({
  of: 'project',
  path: '/issues/new',
  name: 'new issue',
  async get(visit, place) {
    if (!place.issuesEnabled) return null;
    requireVisitor(visit);
    const query = readQuery(visit.exchange);
    // GitLab’s links have these.
    const { texts: given, lists } = readMembers(visit.exchange, 'issue');
    const draft: IssueDraft = {
      ...emptyDraft,
      title: query.title ?? given.title ?? '',
      description: query.description ?? given.description ?? '',
      milestone: query.milestone ?? given.milestone_id ?? '',
      confidential: given.confidential === 'true',
      dueDate: given.due_date ?? '',
      assignee: await operations.usernameOf(visit.context, lists.assignee_ids?.[0] ?? given.assignee_id),
      labels: (lists.label_ids ?? []).filter(isRecordNumber),
    };
    return await newForm(operations, visit, place, { draft });
  },
  async post(visit, place, form) {
    if (!place.issuesEnabled) return null;
    const draft = readDraft(form);
    const again = (errors?: IssueErrors) =>
      newForm(operations, visit, place, { draft, errors, sought: readSought(form) });
    if (onlyFinds(form)) return await again();
    const mistakes = mistakesIn(draft);
    if (mistakes) return await again(mistakes);
    const assigneeIds = await operations.idsOf(visit.context, draft.assignee);
    if (!assigneeIds) return await again({ assignee: noUser });
    try {
      const input = { projectPath: place.fullPath, ...inputOfNew(draft), assigneeIds };
      const { issue } = (await operations.create.execute(visit.context, { input })).done;
      return seeOtherSaying('issue_created', issuePath(place, issue), visit);
    } catch (problem) {
      return await again(errorsOf(problem));
    }
  },
});

const editing = (operations: Operations): PlaceRoute => ({
  of: 'project',
  path: '/issues/:iid/edit',
  name: 'edit issue',
  get: (visit, place) =>
    changing(operations, visit, place, (issue) => editForm(operations, visit, place, issue, { draft: draftOf(issue) })),
  post: (visit, place, form) =>
    changing(operations, visit, place, async (issue) => {
      const draft = readDraft(form);
      const changes = changesIn(form, draft);
      const { assignee = '', description, dueDate } = changes;
      const again = (errors?: IssueErrors) =>
        editForm(operations, visit, place, issue, { draft, errors, sought: readSought(form) });
      if (onlyFinds(form)) return await again();
      if (description !== undefined && isOutdated(form, issue.description)) return await again(outdated('issue'));
      const mistakes = mistakesIn({ ...(dueDate !== undefined && { dueDate }) });
      if (mistakes) return await again(mistakes);
      const ids = await operations.idsOf(visit.context, assignee);
      if (!ids) return await again({ assignee: noUser });
      try {
        const input = { projectPath: place.fullPath, iid: issue.iid, ...inputOfChanges(changes, ids) };
        const { issue: written } = (await operations.update.execute(visit.context, { input })).done;
        const isUnassigned = assignee && String(written.assignee?.id) !== ids[0];
        return seeOtherSaying(isUnassigned ? 'issue_saved_unassigned' : 'issue_saved', issuePath(place, issue), visit);
      } catch (problem) {
        return await again(errorsOf(problem));
      }
    }),
});

const deletion = ({ find, remove }: Operations): PlaceRoute => ({
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
});

/** Runs with the issue of the address, if the viewer may change it; otherwise an answer that says why not. */
async function changing(
  { find }: Operations,
  visit: Visit,
  place: PlaceHead,
  change: (issue: ShownIssue) => Promise<Answer>,
): Promise<Answer | null> {
  requireVisitor(visit);
  const found = await find(visit, place);
  if (!found) return null;
  const { issue } = found;
  if (place.archived) return forbidden(visit.site, 'This project is archived, so its issues can’t be changed.');
  if (issue.userPermissions.updateIssue) return await change(issue);
  return forbidden(
    visit.site,
    'Only its author, its assignee, and people with at least the Planner role change this issue.',
  );
}

/** What a form has in it. */
interface Filled {
  readonly draft: IssueDraft;
  readonly errors?: IssueErrors | undefined;
  readonly sought?: Sought | undefined;
}

async function newForm(
  { offered }: Operations,
  visit: Visit,
  place: PlaceHead,
  { draft, errors, sought }: Filled,
): Promise<Answer> {
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
  { offered }: Operations,
  visit: Visit,
  place: PlaceHead,
  issue: ShownIssue,
  { draft, errors, sought }: Filled,
): Promise<Answer> {
  const { adminIssue } = issue.userPermissions;
  return toAnswer(
    <IssueForm
      site={visit.site}
      place={place}
      title={`Edit issue #${issue.iid}`}
      action={issuePath(place, issue, '/edit')}
      back={issuePath(place, issue)}
      draft={draft}
      errors={errors}
      carries={carried(draftOf(issue))}
      offered={await offered(visit, place, draft, sought, issue)}
      maySet={adminIssue}
      mayHide={adminIssue}
      does="Save changes"
    />,
    errors ? 422 : 200,
  );
}
