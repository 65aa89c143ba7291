import type { GraphQLSchema } from 'graphql';
import type { Answer } from '../../../http/index.ts';
import { placeQuestion } from '../../places/place/question.tsx';
import { restrict } from '../../places/place/restrict.ts';
import type { PlaceHead, PlaceRoute } from '../../places/place/route.ts';
import type { Question } from '../../site/forms/confirm.tsx';
import { carryShown, edited, readQuery } from '../../site/forms/fields.ts';
import type { NoticeName } from '../../site/layout/notices.ts';
import { toAnswer } from '../../site/layout/page.ts';
import { compileMutation } from '../../site/mutation.ts';
import { pagesAround } from '../../site/records/paging.ts';
import { seeOtherSaying, type Visit } from '../../site/visit.ts';
import { placeInput } from '../labels/labels.ts';
import { draftOf, emptyDraft, errorsOf, inputOf, names, readDraft, wrongDays } from './draft.ts';
import { MilestoneForm, type MilestoneDraft, type MilestoneErrors } from './form.tsx';
import { milestoneReader, milestonesPath, readMilestoneQuery, type ShownMilestone } from './milestones.ts';
import { MilestoneList, MilestonePage } from './view.tsx';

type Operations = ReturnType<typeof operationsOf>;

function operationsOf(schema: GraphQLSchema) {
  const change = (name: string) =>
    compileMutation<{ milestone: { webPath: string } }>(schema, name, 'milestone { webPath }');
  return {
    ...milestoneReader(schema),
    create: change('milestoneCreate'),
    update: change('milestoneUpdate'),
    remove: change('milestoneDelete'),
    promote: change('milestonePromote'),
  };
}

/** The milestones of groups and projects. */
export function milestonePages(schema: GraphQLSchema): PlaceRoute[] {
  const operations = operationsOf(schema);
  return [
    ...[list, newOne, one, editing, deletion, promotion].map((page) => page(operations)),
    setting(operations, 'CLOSE'),
    setting(operations, 'ACTIVATE'),
  ];
}

const list = (operations: Operations): PlaceRoute => ({
  path: '/milestones',
  name: 'milestones',
  async get(visit, place) {
    const fields = readQuery(visit.exchange);
    const { nodes, pageInfo } = await operations.list(visit, place, fields);
    return toAnswer(
      <MilestoneList
        site={visit.site}
        place={place}
        milestones={nodes}
        query={readMilestoneQuery(fields)}
        pages={pagesAround(milestonesPath(place), fields, pageInfo)}
      />,
    );
  },
});

const one = ({ find, mayPromote }: Operations): PlaceRoute => ({
  path: '/milestones/:iid',
  name: 'milestone',
  async get(visit, place) {
    const fields = readQuery(visit.exchange);
    const milestone = await find(visit, place, fields);
    return (
      milestone &&
      toAnswer(
        <MilestonePage
          site={visit.site}
          place={place}
          milestone={milestone}
          mayPromote={await mayPromote(visit, place)}
          pages={pagesAround(milestone.webPath, fields, milestone.issues.pageInfo)}
        />,
      )
    );
  },
});

/** For those who may change milestones. */
const restricted = restrict(({ archived, userPermissions: may }) => {
  if (archived) return 'This project is archived, so its milestones can’t be changed.';
  return may.adminMilestone ? undefined : 'You need at least the Planner role to change milestones.';
});

const newOne = ({ create }: Operations): PlaceRoute =>
  restricted({
    path: '/milestones/new',
    name: 'new milestone',
    get: (visit, place) => newForm(visit, place, emptyDraft),
    async post(visit, place, form) {
      const draft = readDraft(form);
      const wrong = wrongDays(draft);
      if (wrong) return newForm(visit, place, draft, wrong);
      try {
        const input = { ...placeInput(place), ...inputOf(draft) };
        const { milestone } = (await create.execute(visit.context, { input })).done;
        return seeOtherSaying('milestone_saved', milestone.webPath, visit);
      } catch (problem) {
        return newForm(visit, place, draft, errorsOf(problem));
      }
    },
  });

const editing = ({ find, update }: Operations): PlaceRoute =>
  restricted({
    path: '/milestones/:iid/edit',
    name: 'edit milestone',
    async get(visit, place) {
      const milestone = await find(visit, place);
      return milestone && editForm(visit, place, milestone);
    },
    async post(visit, place, form) {
      const milestone = await find(visit, place);
      if (!milestone) return null;
      const draft = readDraft(form);
      const changes = edited(form, names);
      const wrong = wrongDays(changes);
      if (wrong) return editForm(visit, place, milestone, draft, wrong);
      try {
        const input = { ...placeInput(place), id: String(milestone.id), ...inputOf(changes) };
        await update.execute(visit.context, { input });
      } catch (problem) {
        return editForm(visit, place, milestone, draft, errorsOf(problem));
      }
      return seeOtherSaying('milestone_saved', milestone.webPath, visit);
    },
  });

const setting = ({ find, update }: Operations, stateEvent: 'CLOSE' | 'ACTIVATE'): PlaceRoute =>
  restricted({
    path: `/milestones/:iid/${stateEvent === 'CLOSE' ? 'close' : 'reopen'}`,
    name: 'milestone state',
    leadsTo: ({ named }, place) => milestonesPath(place, `/${named.iid}`),
    async post(visit, place) {
      const milestone = await find(visit, place);
      if (!milestone) return null;
      const input = { ...placeInput(place), id: String(milestone.id), stateEvent };
      await update.execute(visit.context, { input });
      const notice = stateEvent === 'CLOSE' ? 'milestone_closed' : 'milestone_reopened';
      return seeOtherSaying(notice, milestone.webPath, visit);
    },
  });

const deletion = ({ find, remove }: Operations): PlaceRoute =>
  asking(find, {
    page: 'delete',
    notice: 'milestone_deleted',
    question: ({ title }) => ({
      title: `Delete the milestone ${title}?`,
      says: 'Its issues stay, without a milestone. This can’t be undone.',
      does: 'Delete the milestone',
    }),
    async act({ context }, place, id) {
      await remove.execute(context, { input: { ...placeInput(place), id } });
      return milestonesPath(place);
    },
  });

const promotion = ({ find, promote }: Operations): PlaceRoute => ({
  ...asking(find, {
    page: 'promote',
    notice: 'milestone_promoted',
    question: ({ title }) => ({
      title: `Promote the milestone ${title}?`,
      says: 'It becomes a milestone of the group, for all its projects. Milestones of the same title in these projects become that one. This can’t be undone.',
      does: 'Promote the milestone',
    }),
    async act({ context }, place, id) {
      const { milestone } = (await promote.execute(context, { input: { ...placeInput(place), id } })).done;
      return milestone.webPath;
    },
  }),
  of: 'project',
});

interface Asking {
  readonly page: string;
  readonly notice: NoticeName;
  readonly question: (milestone: ShownMilestone) => Omit<Question, 'back'>;
  /** @returns where it leads */
  readonly act: (visit: Visit, place: PlaceHead, id: string) => Promise<string>;
}

/** A page that asks before it does something to a milestone. */
const asking = (find: Operations['find'], { page, notice, question, act }: Asking): PlaceRoute =>
  restricted({
    path: `/milestones/:iid/${page}`,
    name: `${page} milestone`,
    async get(visit, place) {
      const milestone = await find(visit, place);
      if (!milestone) return null;
      return placeQuestion(visit, place, 'milestones', {
        ...question(milestone),
        action: milestonesPath(place, `/${milestone.iid}/${page}`),
        back: milestone.webPath,
      });
    },
    async post(visit, place) {
      const milestone = await find(visit, place);
      return milestone && seeOtherSaying(notice, await act(visit, place, String(milestone.id)), visit);
    },
  });

const newForm = ({ site }: Visit, place: PlaceHead, draft: MilestoneDraft, errors?: MilestoneErrors): Answer =>
  toAnswer(
    <MilestoneForm
      site={site}
      place={place}
      title="New milestone"
      action={milestonesPath(place, '/new')}
      back={milestonesPath(place)}
      draft={draft}
      errors={errors}
      does="Create milestone"
    />,
    errors ? 422 : 200,
  );

const editForm = (
  { site }: Visit,
  place: PlaceHead,
  milestone: ShownMilestone,
  draft = draftOf(milestone),
  errors?: MilestoneErrors,
): Answer =>
  toAnswer(
    <MilestoneForm
      site={site}
      place={place}
      title={`Edit the milestone ${milestone.title}`}
      action={milestonesPath(place, `/${milestone.iid}/edit`)}
      back={milestone.webPath}
      draft={draft}
      carries={carryShown({ ...draftOf(milestone) })}
      errors={errors}
      does="Save changes"
    />,
    errors ? 422 : 200,
  );
