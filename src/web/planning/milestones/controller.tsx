import type { GraphQLSchema } from 'graphql';
import { InvalidFields } from '../../../errors.ts';
import type { Answer } from '../../../http/index.ts';
import { compileOperation } from '../../../operation.ts';
import { isDay } from '../../../values/time/calendar.ts';
import { placeQuestion } from '../../places/place/question.tsx';
import type { PlaceHead, PlaceRoute } from '../../places/place/route.ts';
import type { Question } from '../../site/forms/confirm.tsx';
import { carryShown, edited, readQuery, type Fields } from '../../site/forms/fields.ts';
import type { NoticeName } from '../../site/layout/notices.ts';
import { toAnswer } from '../../site/layout/page.ts';
import { pagesAround } from '../../site/records/paging.ts';
import { forbidden } from '../../site/layout/problems.tsx';
import { requireVisitor, seeOtherSaying, type Visit } from '../../site/visit.ts';
import { sentences } from '../../site/words.ts';
import { placeInput } from '../labels/labels.ts';
import { MilestoneForm, type MilestoneDraft, type MilestoneErrors } from './form.tsx';
import { milestoneReader, milestonesPath, readMilestoneQuery, type ShownMilestone } from './milestones.ts';
import { MilestoneList, MilestonePage } from './view.tsx';

const emptyDraft: MilestoneDraft = { title: '', description: '', start_date: '', due_date: '' };
const names = ['title', 'description', 'start_date', 'due_date'] as const;

const readDraft = (form: Fields): MilestoneDraft => ({
  title: form.title ?? '',
  description: form.description ?? '',
  start_date: form.start_date ?? '',
  due_date: form.due_date ?? '',
});

const draftOf = ({ title, description, startDate, dueDate }: ShownMilestone): MilestoneDraft => ({
  title,
  // As a form sends it back.
  description: (description ?? '').replaceAll(/\r?\n/g, '\r\n'),
  start_date: startDate?.slice(0, 10) ?? '',
  due_date: dueDate?.slice(0, 10) ?? '',
});

/** A draft as input of the schema; what it doesn't have stays as it is. */
const inputOf = ({ title, description, start_date: start, due_date: due }: Partial<MilestoneDraft>) => ({
  ...(title !== undefined && { title }),
  ...(description !== undefined && { description: description.replaceAll('\r\n', '\n') }),
  ...(start !== undefined && { startDate: start || null }),
  ...(due !== undefined && { dueDate: due || null }),
});

/** What is wrong with the days, which the schema takes as such; undefined if nothing is. */
function wrongDays({ start_date: start, due_date: due }: Partial<MilestoneDraft>): MilestoneErrors | undefined {
  const isWrong = (day: string | undefined) => day !== undefined && day !== '' && !isDay(day);
  if (!isWrong(start) && !isWrong(due)) return undefined;
  return {
    ...(isWrong(start) && { start_date: ['The start date must be a day.'] }),
    ...(isWrong(due) && { due_date: ['The due date must be a day.'] }),
  };
}

/** What the schema found wrong, by field. @throws any other error */
function errorsOf(problem: unknown): MilestoneErrors {
  if (!(problem instanceof InvalidFields)) throw problem;
  const { fields } = problem;
  return {
    title: sentences(
      'The title is',
      fields.title?.filter((one) => one.startsWith('already')),
    ).concat(
      sentences(
        'The title',
        fields.title?.filter((one) => !one.startsWith('already')),
      ),
    ),
    description: sentences('The description', fields.description),
    due_date: sentences('The due date', fields.dueDate),
  };
}

/** The milestones of groups and projects. */
export function milestonePages(schema: GraphQLSchema): PlaceRoute[] {
  const { list, find, mayPromote } = milestoneReader(schema);
  const compile = (name: string, type: string) =>
    compileOperation<{ written: { milestone: { iid: string; webPath: string } } }>(
      schema,
      `mutation ($input: ${type}!) { written: ${name}(input: $input) { milestone { iid webPath } } }`,
    );
  const create = compile('milestoneCreate', 'MilestoneCreateInput');
  const update = compile('milestoneUpdate', 'MilestoneUpdateInput');
  const remove = compile('milestoneDelete', 'MilestoneDeleteInput');
  const promote = compile('milestonePromote', 'MilestonePromoteInput');

  /** Why the viewer may not change milestones; undefined if they may. @throws Unauthenticated */
  function refusal(visit: Visit, place: PlaceHead): Answer | undefined {
    requireVisitor(visit);
    if (place.archived) return forbidden(visit.site, 'This project is archived, so its milestones can’t be changed.');
    if (!place.userPermissions.adminMilestone)
      return forbidden(visit.site, 'You need at least the Planner role to change milestones.');
    return undefined;
  }

  /** Runs with the milestone of the address, if the viewer may change it. */
  async function changing(
    visit: Visit,
    place: PlaceHead,
    change: (milestone: ShownMilestone) => Answer | Promise<Answer>,
  ): Promise<Answer | null> {
    const refused = refusal(visit, place);
    if (refused) return refused;
    const milestone = await find(visit, place);
    return milestone && (await change(milestone));
  }

  const newForm = ({ site }: Visit, place: PlaceHead, draft: MilestoneDraft, errors?: MilestoneErrors) =>
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
    draft?: MilestoneDraft,
    errors?: MilestoneErrors,
  ) =>
    toAnswer(
      <MilestoneForm
        site={site}
        place={place}
        title={`Edit the milestone ${milestone.title}`}
        action={milestonesPath(place, `/${milestone.iid}/edit`)}
        back={milestone.webPath}
        draft={draft ?? draftOf(milestone)}
        carries={carryShown({ ...draftOf(milestone) })}
        errors={errors}
        does="Save changes"
      />,
      errors ? 422 : 200,
    );

  const setting = (stateEvent: 'CLOSE' | 'ACTIVATE'): PlaceRoute => ({
    path: `/milestones/:iid/${stateEvent === 'CLOSE' ? 'close' : 'reopen'}`,
    name: 'milestone state',
    leadsTo: ({ named }, place) => milestonesPath(place, `/${named.iid}`),
    post: (visit, place) =>
      changing(visit, place, async ({ id, webPath }) => {
        await update.execute(visit.context, { input: { ...placeInput(place), id: String(id), stateEvent } });
        return seeOtherSaying(stateEvent === 'CLOSE' ? 'milestone_closed' : 'milestone_reopened', webPath, visit);
      }),
  });

  /** A page that asks before it does something to a milestone. @param act returns where it leads */
  const asking = (
    page: string,
    notice: NoticeName,
    ask: (milestone: ShownMilestone) => Omit<Question, 'back'>,
    act: (visit: Visit, input: object) => Promise<string | null>,
  ): PlaceRoute => ({
    path: `/milestones/:iid/${page}`,
    name: `${page} milestone`,
    get: (visit, place) =>
      changing(visit, place, (milestone) =>
        placeQuestion(visit, place, 'milestones', {
          ...ask(milestone),
          action: milestonesPath(place, `/${milestone.iid}/${page}`),
          back: milestone.webPath,
        }),
      ),
    post: (visit, place) =>
      changing(visit, place, async ({ id }) => {
        const leadsTo = await act(visit, { ...placeInput(place), id: String(id) });
        return seeOtherSaying(notice, leadsTo ?? milestonesPath(place), visit);
      }),
  });

  return [
    {
      path: '/milestones',
      name: 'milestones',
      async get(visit, place) {
        const fields = readQuery(visit.exchange);
        const { nodes, pageInfo } = await list(visit, place, fields);
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
    },
    {
      path: '/milestones/new',
      name: 'new milestone',
      get: (visit, place) => refusal(visit, place) ?? newForm(visit, place, emptyDraft),
      async post(visit, place, form) {
        const refused = refusal(visit, place);
        if (refused) return refused;
        const draft = readDraft(form);
        const wrong = wrongDays(draft);
        if (wrong) return newForm(visit, place, draft, wrong);
        try {
          const { written } = await create.execute(visit.context, {
            input: { ...placeInput(place), ...inputOf(draft) },
          });
          return seeOtherSaying('milestone_saved', written.milestone.webPath, visit);
        } catch (problem) {
          return newForm(visit, place, draft, errorsOf(problem));
        }
      },
    },
    {
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
    },
    {
      path: '/milestones/:iid/edit',
      name: 'edit milestone',
      get: (visit, place) => changing(visit, place, (milestone) => editForm(visit, place, milestone)),
      post: (visit, place, form) =>
        changing(visit, place, async (milestone) => {
          const draft = readDraft(form);
          const changes = edited(form, names);
          const wrong = wrongDays(changes);
          if (wrong) return editForm(visit, place, milestone, draft, wrong);
          try {
            await update.execute(visit.context, {
              input: { ...placeInput(place), id: String(milestone.id), ...inputOf(changes) },
            });
          } catch (problem) {
            return editForm(visit, place, milestone, draft, errorsOf(problem));
          }
          return seeOtherSaying('milestone_saved', milestone.webPath, visit);
        }),
    },
    setting('CLOSE'),
    setting('ACTIVATE'),
    asking(
      'delete',
      'milestone_deleted',
      ({ title }) => ({
        title: `Delete the milestone ${title}?`,
        says: 'Its issues stay, without a milestone. This can’t be undone.',
        does: 'Delete the milestone',
      }),
      async ({ context }, input) => {
        await remove.execute(context, { input });
        return null;
      },
    ),
    {
      ...asking(
        'promote',
        'milestone_promoted',
        ({ title }) => ({
          title: `Promote the milestone ${title}?`,
          says: 'It becomes a milestone of the group, for all its projects. Milestones of the same title in these projects become that one. This can’t be undone.',
          does: 'Promote the milestone',
        }),
        async ({ context }, input) => (await promote.execute(context, { input })).written.milestone.webPath,
      ),
      of: 'project',
    },
  ];
}
