import type { GraphQLSchema } from 'graphql';
import { Conflict, InvalidFields } from '../../../errors.ts';
import type { Answer } from '../../../http/index.ts';
import { compileOperation } from '../../../operation.ts';
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
import { labelReader, labelsPath, placeInput, type PlaceLabel } from './labels.ts';
import { LabelForm, LabelList, type LabelDraft, type LabelErrors } from './view.tsx';

const emptyDraft: LabelDraft = { title: '', description: '', color: '#6699cc', priority: '' };
const names = ['title', 'description', 'color', 'priority'] as const;

const readDraft = (form: Fields): LabelDraft => ({
  title: form.title ?? '',
  description: form.description ?? '',
  color: form.color ?? '',
  priority: form.priority?.trim() ?? '',
});

const draftOf = ({ title, description, color, priority }: PlaceLabel): LabelDraft => ({
  title,
  description: description ?? '',
  color,
  priority: priority === null ? '' : String(priority),
});

/** A draft as input of the schema; what it doesn't have stays as it is. */
const inputOf = ({ priority, ...draft }: Partial<LabelDraft>) => ({
  ...draft,
  ...(priority !== undefined && { priority: priority === '' ? null : Number(priority) }),
});

/** What is wrong with a priority, which the schema takes as a number; undefined if nothing is. */
const wrongPriority = ({ priority = '' }: Partial<LabelDraft>): LabelErrors | undefined =>
  /^\d{0,9}$/.test(priority) ? undefined : { priority: ['The priority must be a number from 0 on.'] };

/** What the schema found wrong, by field. @throws any other error */
function errorsOf(problem: unknown): LabelErrors {
  if (problem instanceof Conflict) return { title: ['There is a label with this title already.'] };
  if (!(problem instanceof InvalidFields)) throw problem;
  const { fields } = problem;
  return {
    title: sentences('The title', fields.title),
    description: sentences('The description', fields.description),
    color: sentences('The color', fields.color),
    priority: sentences('The priority', fields.priority),
  };
}

/** The labels of groups and projects. */
export function labelPages(schema: GraphQLSchema): PlaceRoute[] {
  const { list, own, mayPromote } = labelReader(schema);
  const compile = (name: string, type: string) =>
    compileOperation<object>(schema, `mutation ($input: ${type}!) { ${name}(input: $input) { label { title } } }`);
  const create = compile('labelCreate', 'LabelCreateInput');
  const update = compile('labelUpdate', 'LabelUpdateInput');
  const remove = compile('labelDelete', 'LabelDeleteInput');
  const promote = compile('labelPromote', 'LabelPromoteInput');
  const subscribe = compile('labelSetSubscription', 'LabelSetSubscriptionInput');

  /** Why the viewer may not change labels; undefined if they may. @throws Unauthenticated */
  function refusal(visit: Visit, place: PlaceHead): Answer | undefined {
    requireVisitor(visit);
    if (place.archived) return forbidden(visit.site, 'This project is archived, so its labels can’t be changed.');
    if (!place.userPermissions.adminLabel)
      return forbidden(visit.site, 'You need at least the Planner role to change labels.');
    return undefined;
  }

  const done = (notice: NoticeName, visit: Visit, place: PlaceHead) => seeOtherSaying(notice, labelsPath(place), visit);

  const newForm = ({ site }: Visit, place: PlaceHead, draft: LabelDraft, errors?: LabelErrors) =>
    toAnswer(
      <LabelForm
        site={site}
        place={place}
        title="New label"
        action={labelsPath(place, '/new')}
        draft={draft}
        errors={errors}
        does="Create label"
      />,
      errors ? 422 : 200,
    );

  const editForm = ({ site }: Visit, place: PlaceHead, label: PlaceLabel, draft?: LabelDraft, errors?: LabelErrors) =>
    toAnswer(
      <LabelForm
        site={site}
        place={place}
        title={`Edit the label ${label.title}`}
        action={labelsPath(place, `/${label.id}/edit`)}
        draft={draft ?? draftOf(label)}
        carries={carryShown({ ...draftOf(label) })}
        errors={errors}
        does="Save changes"
      />,
      errors ? 422 : 200,
    );

  /** A page that asks before it does something to a label. */
  const asking = (
    page: string,
    ask: (label: PlaceLabel) => Omit<Question, 'back'>,
    act: (visit: Visit, input: object) => Promise<unknown>,
    notice: NoticeName,
  ): PlaceRoute => ({
    path: `/labels/:id/${page}`,
    name: `${page} label`,
    async get(visit, place) {
      const refused = refusal(visit, place);
      if (refused) return refused;
      const label = await own(visit, place);
      if (!label) return null;
      return placeQuestion(visit, place, 'labels', {
        ...ask(label),
        action: labelsPath(place, `/${label.id}/${page}`),
        back: labelsPath(place),
      });
    },
    async post(visit, place) {
      const refused = refusal(visit, place);
      if (refused) return refused;
      await act(visit, { ...placeInput(place), id: visit.named.id });
      return done(notice, visit, place);
    },
  });

  const subscribing = (subscribedState: boolean): PlaceRoute => ({
    path: `/labels/:id/${subscribedState ? 'subscribe' : 'unsubscribe'}`,
    name: 'label subscription',
    leadsTo: (_visit, place) => labelsPath(place),
    async post(visit, place) {
      await subscribe.execute(visit.context, {
        input: { ...placeInput(place), id: visit.named.id, subscribedState },
      });
      return done(subscribedState ? 'label_subscribed' : 'label_unsubscribed', visit, place);
    },
  });

  return [
    {
      path: '/labels',
      name: 'labels',
      async get(visit, place) {
        const query = readQuery(visit.exchange);
        const { labels, pageInfo } = await list(visit, place, query);
        return toAnswer(
          <LabelList
            site={visit.site}
            place={place}
            labels={labels}
            search={query.search ?? ''}
            mayPromote={await mayPromote(visit, place)}
            pages={pagesAround(labelsPath(place), query, pageInfo)}
          />,
        );
      },
    },
    {
      path: '/labels/new',
      name: 'new label',
      get: (visit, place) => refusal(visit, place) ?? newForm(visit, place, emptyDraft),
      async post(visit, place, form) {
        const refused = refusal(visit, place);
        if (refused) return refused;
        const draft = readDraft(form);
        const wrong = wrongPriority(draft);
        if (wrong) return newForm(visit, place, draft, wrong);
        try {
          await create.execute(visit.context, { input: { ...placeInput(place), ...inputOf(draft) } });
        } catch (problem) {
          return newForm(visit, place, draft, errorsOf(problem));
        }
        return done('label_saved', visit, place);
      },
    },
    {
      path: '/labels/:id/edit',
      name: 'edit label',
      async get(visit, place) {
        const refused = refusal(visit, place);
        if (refused) return refused;
        const label = await own(visit, place);
        return label && editForm(visit, place, label);
      },
      async post(visit, place, form) {
        const refused = refusal(visit, place);
        if (refused) return refused;
        const label = await own(visit, place);
        if (!label) return null;
        const changes = edited(form, names);
        const wrong = wrongPriority(changes);
        if (wrong) return editForm(visit, place, label, readDraft(form), wrong);
        try {
          await update.execute(visit.context, {
            input: { ...placeInput(place), id: visit.named.id, ...inputOf(changes) },
          });
        } catch (problem) {
          return editForm(visit, place, label, readDraft(form), errorsOf(problem));
        }
        return done('label_saved', visit, place);
      },
    },
    asking(
      'delete',
      ({ title }) => ({
        title: `Delete the label ${title}?`,
        says: 'All issues lose it. This can’t be undone.',
        does: 'Delete the label',
      }),
      ({ context }, input) => remove.execute(context, { input }),
      'label_deleted',
    ),
    {
      ...asking(
        'promote',
        ({ title }) => ({
          title: `Promote the label ${title}?`,
          says: 'It becomes a label of the group, for all its projects. Labels of the same title in these projects become that one. This can’t be undone.',
          does: 'Promote the label',
        }),
        ({ context }, input) => promote.execute(context, { input }),
        'label_promoted',
      ),
      of: 'project',
    },
    subscribing(true),
    subscribing(false),
  ];
}
