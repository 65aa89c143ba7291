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
import { draftOf, emptyDraft, errorsOf, inputOf, names, readDraft, wrongPriority } from './draft.ts';
import { labelReader, labelsPath, placeInput, type PlaceLabel } from './labels.ts';
import { LabelForm, LabelList, type LabelDraft, type LabelErrors } from './view.tsx';

type Operations = ReturnType<typeof operationsOf>;

const operationsOf = (schema: GraphQLSchema) => ({
  ...labelReader(schema),
  create: compileMutation(schema, 'labelCreate'),
  update: compileMutation(schema, 'labelUpdate'),
  remove: compileMutation(schema, 'labelDelete'),
  promote: compileMutation(schema, 'labelPromote'),
  subscribe: compileMutation(schema, 'labelSetSubscription'),
});

/** The labels of groups and projects. */
export function labelPages(schema: GraphQLSchema): PlaceRoute[] {
  const operations = operationsOf(schema);
  return [
    ...[list, newOne, editing, deletion, promotion].map((page) => page(operations)),
    subscribing(operations, true),
    subscribing(operations, false),
  ];
}

const list = (operations: Operations): PlaceRoute => ({
  path: '/labels',
  name: 'labels',
  async get(visit, place) {
    const query = readQuery(visit.exchange);
    const { labels, pageInfo } = await operations.list(visit, place, query);
    return toAnswer(
      <LabelList
        site={visit.site}
        place={place}
        labels={labels}
        search={query.search ?? ''}
        mayPromote={await operations.mayPromote(visit, place)}
        pages={pagesAround(labelsPath(place), query, pageInfo)}
      />,
    );
  },
});

const subscribing = ({ subscribe }: Operations, subscribedState: boolean): PlaceRoute => ({
  path: `/labels/:id/${subscribedState ? 'subscribe' : 'unsubscribe'}`,
  name: 'label subscription',
  leadsTo: (_visit, place) => labelsPath(place),
  async post(visit, place) {
    const input = { ...placeInput(place), id: visit.named.id, subscribedState };
    await subscribe.execute(visit.context, { input });
    return done(subscribedState ? 'label_subscribed' : 'label_unsubscribed', visit, place);
  },
});

/** For those who may change labels. */
const restricted = restrict(({ archived, userPermissions: may }) => {
  if (archived) return 'This project is archived, so its labels can’t be changed.';
  return may.adminLabel ? undefined : 'You need at least the Planner role to change labels.';
});

const newOne = ({ create }: Operations): PlaceRoute =>
  restricted({
    path: '/labels/new',
    name: 'new label',
    get: (visit, place) => newForm(visit, place, emptyDraft),
    async post(visit, place, form) {
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
  });

const editing = ({ own, update }: Operations): PlaceRoute =>
  restricted({
    path: '/labels/:id/edit',
    name: 'edit label',
    async get(visit, place) {
      const label = await own(visit, place);
      return label && editForm(visit, place, label);
    },
    async post(visit, place, form) {
      const label = await own(visit, place);
      if (!label) return null;
      const changes = edited(form, names);
      const wrong = wrongPriority(changes);
      if (wrong) return editForm(visit, place, label, readDraft(form), wrong);
      try {
        const input = { ...placeInput(place), id: visit.named.id, ...inputOf(changes) };
        await update.execute(visit.context, { input });
      } catch (problem) {
        return editForm(visit, place, label, readDraft(form), errorsOf(problem));
      }
      return done('label_saved', visit, place);
    },
  });

const deletion = ({ own, remove }: Operations): PlaceRoute =>
  asking(own, remove, {
    page: 'delete',
    notice: 'label_deleted',
    question: ({ title }) => ({
      title: `Delete the label ${title}?`,
      says: 'All issues lose it. This can’t be undone.',
      does: 'Delete the label',
    }),
  });

const promotion = ({ own, promote }: Operations): PlaceRoute => ({
  ...asking(own, promote, {
    page: 'promote',
    notice: 'label_promoted',
    question: ({ title }) => ({
      title: `Promote the label ${title}?`,
      says: 'It becomes a label of the group, for all its projects. Labels of the same title in these projects become that one. This can’t be undone.',
      does: 'Promote the label',
    }),
  }),
  of: 'project',
});

interface Asking {
  readonly page: string;
  readonly notice: NoticeName;
  readonly question: (label: PlaceLabel) => Omit<Question, 'back'>;
}

/** A page that asks before it does something to a label. */
const asking = (own: Operations['own'], act: Operations['remove'], { page, notice, question }: Asking): PlaceRoute =>
  restricted({
    path: `/labels/:id/${page}`,
    name: `${page} label`,
    async get(visit, place) {
      const label = await own(visit, place);
      if (!label) return null;
      return placeQuestion(visit, place, 'labels', {
        ...question(label),
        action: labelsPath(place, `/${label.id}/${page}`),
        back: labelsPath(place),
      });
    },
    async post(visit, place) {
      await act.execute(visit.context, { input: { ...placeInput(place), id: visit.named.id } });
      return done(notice, visit, place);
    },
  });

const done = (notice: NoticeName, visit: Visit, place: PlaceHead): Answer =>
  seeOtherSaying(notice, labelsPath(place), visit);

const newForm = ({ site }: Visit, place: PlaceHead, draft: LabelDraft, errors?: LabelErrors): Answer =>
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

const editForm = (
  { site }: Visit,
  place: PlaceHead,
  label: PlaceLabel,
  draft = draftOf(label),
  errors?: LabelErrors,
): Answer =>
  toAnswer(
    <LabelForm
      site={site}
      place={place}
      title={`Edit the label ${label.title}`}
      action={labelsPath(place, `/${label.id}/edit`)}
      draft={draft}
      carries={carryShown({ ...draftOf(label) })}
      errors={errors}
      does="Save changes"
    />,
    errors ? 422 : 200,
  );
