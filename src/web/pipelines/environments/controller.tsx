import type { GraphQLSchema } from 'graphql';
import { placeQuestion } from '../../places/place/question.tsx';
import { restrict } from '../../places/place/restrict.ts';
import type { PlaceHead, PlaceRoute } from '../../places/place/route.ts';
import type { Question } from '../../site/forms/confirm.tsx';
import { carryShown, edited, isKey, readQuery } from '../../site/forms/fields.ts';
import type { NoticeName } from '../../site/layout/notices.ts';
import { toAnswer } from '../../site/layout/page.ts';
import { pagesAround } from '../../site/records/paging.ts';
import { isRecordNumber } from '../../site/paths.ts';
import { seeOtherSaying, type Visit } from '../../site/visit.ts';
import { draftOf, emptyDraft, errorsOf, inputOf, names, readDraft } from './draft.ts';
import { EnvironmentForm, newEnvironmentPath, type EnvironmentDraft, type EnvironmentErrors } from './form.tsx';
import { environmentOperations, type EnvironmentOperations } from './operations.ts';
import { EnvironmentList, EnvironmentPage, environmentsPath, stateTabs, type ShownEnvironment } from './view.tsx';

/** The environments of a project. */
export function environmentPages(schema: GraphQLSchema): PlaceRoute[] {
  const operations = environmentOperations(schema);
  return [list, newOne, one, editing, stopping, deletion].map((page) => page(operations));
}

const list = (operations: EnvironmentOperations): PlaceRoute => ({
  path: '/environments',
  name: 'environments',
  of: 'project',
  async get(visit, place) {
    const fields = readQuery(visit.exchange);
    const { state: asked = '' } = fields;
    const state = isKey(stateTabs, asked) ? asked : '';
    const search = fields.search?.trim() ?? '';
    const isShort = search !== '' && search.length < 3;
    const { nodes, pageInfo } = await operations.list(visit, place, {
      states: state === '' ? ['available', 'stopping'] : [state],
      ...(search !== '' && !isShort && { search }),
    });
    return toAnswer(
      <EnvironmentList
        site={visit.site}
        place={place}
        state={state}
        search={search}
        problem={isShort ? 'The search needs at least three characters.' : undefined}
        environments={isShort ? [] : nodes}
        pages={pagesAround(environmentsPath(place), fields, pageInfo)}
      />,
      isShort ? 422 : 200,
    );
  },
});

const one = ({ find }: EnvironmentOperations): PlaceRoute => ({
  path: '/environments/:id',
  name: 'environment',
  of: 'project',
  async get(visit, place) {
    const environment = await find(visit, place);
    if (!environment) return null;
    const { nodes, pageInfo } = environment.deployments;
    const path = environmentsPath(place, `/${environment.id}`);
    return toAnswer(
      <EnvironmentPage
        site={visit.site}
        place={place}
        environment={environment}
        deployments={nodes}
        pages={pagesAround(path, readQuery(visit.exchange), pageInfo)}
      />,
    );
  },
});

/** For those who may change environments. */
const restricted = restrict(({ archived, userPermissions: may }) => {
  if (archived) return 'This project is archived, so its environments can’t be changed.';
  return may.createDeployment ? undefined : 'You need at least the Developer role to change environments.';
});

const newOne = ({ create }: EnvironmentOperations): PlaceRoute =>
  restricted({
    path: '/environments/new',
    name: 'new environment',
    of: 'project',
    forPeople: true,
    get: (visit, place) => newForm(visit, place, emptyDraft),
    async post(visit, place, form) {
      const draft = readDraft(form);
      try {
        const input = { projectPath: place.fullPath, ...inputOf(draft) };
        const { id } = (await create.execute(visit.context, { input })).done.environment;
        return seeOtherSaying('environment_saved', environmentsPath(place, `/${id}`), visit);
      } catch (problem) {
        return newForm(visit, place, draft, errorsOf(problem));
      }
    },
  });

const editing = ({ find, update }: EnvironmentOperations): PlaceRoute =>
  restricted({
    path: '/environments/:id/edit',
    name: 'edit environment',
    of: 'project',
    forPeople: true,
    async get(visit, place) {
      const environment = await find(visit, place);
      return environment && editForm(visit, place, environment);
    },
    async post(visit, place, form) {
      const environment = await find(visit, place);
      if (!environment) return null;
      const { id } = environment;
      try {
        const input = { projectPath: place.fullPath, id: String(id), ...inputOf(edited(form, names)) };
        await update.execute(visit.context, { input });
      } catch (problem) {
        return editForm(visit, place, environment, readDraft(form), errorsOf(problem));
      }
      return seeOtherSaying('environment_saved', environmentsPath(place, `/${id}`), visit);
    },
  });

const stopping = ({ find, stop }: EnvironmentOperations): PlaceRoute =>
  asking(find, stop, {
    page: 'stop',
    notice: 'environment_stopped',
    back: (place, id) => environmentsPath(place, `/${id}`),
    question: ({ name }) => ({
      title: `Stop the environment ${name}?`,
      says: 'The job that stops it runs, if its last deployment named one. Another deployment makes it available again.',
      does: 'Stop the environment',
    }),
  });

const deletion = ({ find, remove }: EnvironmentOperations): PlaceRoute =>
  asking(find, remove, {
    page: 'delete',
    notice: 'environment_deleted',
    back: (place) => environmentsPath(place),
    question: ({ name }) => ({
      title: `Delete the environment ${name}?`,
      says: 'Its deployments are deleted, too. This can’t be undone.',
      does: 'Delete the environment',
    }),
  });

interface Asking {
  readonly page: string;
  readonly notice: NoticeName;
  /** The page that it leads to. */
  readonly back: (place: PlaceHead, id: string) => string;
  readonly question: (environment: ShownEnvironment) => Omit<Question, 'back'>;
}

/** A page that asks before it does something to an environment. */
const asking = (
  find: EnvironmentOperations['find'],
  act: EnvironmentOperations['stop'],
  { page, notice, back, question }: Asking,
): PlaceRoute =>
  restricted({
    path: `/environments/:id/${page}`,
    name: `${page} environment`,
    of: 'project',
    forPeople: true,
    async get(visit, place) {
      const environment = await find(visit, place);
      if (!environment) return null;
      return placeQuestion(visit, place, 'environments', {
        ...question(environment),
        action: environmentsPath(place, `/${environment.id}/${page}`),
        back: environmentsPath(place, `/${environment.id}`),
      });
    },
    async post(visit, place) {
      const { id } = visit.named;
      if (!isRecordNumber(id)) return null;
      await act.execute(visit.context, { input: { projectPath: place.fullPath, id } });
      return seeOtherSaying(notice, back(place, id), visit);
    },
  });

const newForm = ({ site }: Visit, place: PlaceHead, draft: EnvironmentDraft, errors?: EnvironmentErrors) =>
  toAnswer(
    <EnvironmentForm
      site={site}
      place={place}
      title="New environment"
      action={newEnvironmentPath(place)}
      back={environmentsPath(place)}
      draft={draft}
      errors={errors}
      isNew
    />,
    errors ? 422 : 200,
  );

const editForm = (
  { site }: Visit,
  place: PlaceHead,
  environment: ShownEnvironment,
  draft = draftOf(environment),
  errors?: EnvironmentErrors,
) =>
  toAnswer(
    <EnvironmentForm
      site={site}
      place={place}
      title={`Edit the environment ${environment.name}`}
      action={environmentsPath(place, `/${environment.id}/edit`)}
      back={environmentsPath(place, `/${environment.id}`)}
      draft={draft}
      carries={carryShown({ ...draftOf(environment) })}
      errors={errors}
      isNew={false}
    />,
    errors ? 422 : 200,
  );
