import type { GraphQLSchema } from 'graphql';
import { InvalidFields, NotFound } from '../../../errors.ts';
import type { Answer } from '../../../http/index.ts';
import { compileOperation } from '../../../operation.ts';
import { placeQuestion } from '../../places/place/question.tsx';
import type { PlaceHead, PlaceRoute } from '../../places/place/route.ts';
import type { Question } from '../../site/forms/confirm.tsx';
import { carryShown, edited, isKey, readQuery, type Fields } from '../../site/forms/fields.ts';
import type { NoticeName } from '../../site/layout/notices.ts';
import { toAnswer } from '../../site/layout/page.ts';
import { pageArguments, pageInfoFields, pagesAround, type PageInfo } from '../../site/records/paging.ts';
import { forbidden } from '../../site/layout/problems.tsx';
import { isRecordNumber } from '../../site/paths.ts';
import { requireVisitor, seeOtherSaying, type Visit } from '../../site/visit.ts';
import { sentences } from '../../site/words.ts';
import { EnvironmentForm, newEnvironmentPath, type EnvironmentDraft, type EnvironmentErrors } from './form.tsx';
import {
  EnvironmentList,
  EnvironmentPage,
  environmentsPath,
  stateTabs,
  tierWords,
  type ShownDeployment,
  type ShownEnvironment,
} from './view.tsx';

const onPage = 20;

const deploymentFields = 'iid ref sha status createdAt finishedAt triggerer { name webPath }';
const environmentFields = `id: databaseId name slug state tier externalUrl description autoStopAt createdAt
  lastDeployment(status: SUCCESS) { ${deploymentFields} }`;

const names = ['name', 'externalUrl', 'tier', 'description'] as const;
const emptyDraft: EnvironmentDraft = { name: '', externalUrl: '', tier: '', description: '' };

const knownTier = (tier = '') => (isKey(tierWords, tier) ? tier : '');

const readDraft = (form: Fields): EnvironmentDraft => ({
  name: form.name ?? '',
  externalUrl: form.externalUrl?.trim() ?? '',
  tier: knownTier(form.tier),
  description: form.description ?? '',
});

const draftOf = ({ name, externalUrl, tier, description }: ShownEnvironment): EnvironmentDraft => ({
  name,
  externalUrl: externalUrl ?? '',
  tier,
  description: description ?? '',
});

/** A draft as input of the schema; what it doesn't have stays as it is. */
const inputOf = ({ tier, ...draft }: Partial<EnvironmentDraft>) => ({ ...draft, ...(knownTier(tier) && { tier }) });

/** What the schema found wrong, by field. @throws any other error */
function errorsOf(problem: unknown): EnvironmentErrors {
  if (!(problem instanceof InvalidFields)) throw problem;
  const { name = [], slug = [], externalUrl, description } = problem.fields;
  return {
    name: [...sentences('The name', name), ...sentences('The slug that follows from it', slug)],
    externalUrl: sentences('The address', externalUrl),
    description: sentences('The description', description),
  };
}

/** The environments of a project. */
export function environmentPages(schema: GraphQLSchema): PlaceRoute[] {
  const readList = compileOperation<{
    readonly environments: { readonly nodes: readonly ShownEnvironment[]; readonly pageInfo: PageInfo };
  }>(
    schema,
    `query ($project: ID!, $search: String, $states: [String!], $first: Int, $last: Int, $before: String, $after: String) {
      environments(project: $project, search: $search, states: $states, first: $first, last: $last, before: $before, after: $after) {
        nodes { ${environmentFields} } ${pageInfoFields}
      }
    }`,
  );
  const readOne = compileOperation<{
    readonly environment: ShownEnvironment & {
      readonly deployments: { readonly nodes: readonly ShownDeployment[]; readonly pageInfo: PageInfo };
    };
  }>(
    schema,
    `query ($project: ID!, $id: EnvironmentID!, $first: Int, $last: Int, $before: String, $after: String) {
      environment(project: $project, id: $id) {
        ${environmentFields}
        deployments(first: $first, last: $last, before: $before, after: $after) { nodes { ${deploymentFields} } ${pageInfoFields} }
      }
    }`,
  );
  const compile = <Data = object,>(name: string, type: string, selection: string) =>
    compileOperation<Data>(schema, `mutation ($input: ${type}!) { ${name}(input: $input) { ${selection} } }`);
  const create = compile<{ environmentCreate: { environment: { id: number } } }>(
    'environmentCreate',
    'EnvironmentCreateInput',
    'environment { id: databaseId }',
  );
  const update = compile('environmentUpdate', 'EnvironmentUpdateInput', 'clientMutationId');
  const stop = compile('environmentStop', 'EnvironmentStopInput', 'clientMutationId');
  const remove = compile('environmentDelete', 'EnvironmentDeleteInput', 'clientMutationId');

  /** Null if it isn't there. */
  async function found({ context, named, exchange }: Visit, place: PlaceHead) {
    const { id = '' } = named;
    if (!isRecordNumber(id)) return null;
    try {
      const page = pageArguments(readQuery(exchange), onPage);
      return (await readOne.execute(context, { project: place.fullPath, id, ...page })).environment;
    } catch (problem) {
      if (problem instanceof NotFound) return null;
      throw problem;
    }
  }

  /** Why the viewer may not change environments; undefined if they may. @throws Unauthenticated */
  function refusal(visit: Visit, place: PlaceHead): Answer | undefined {
    requireVisitor(visit);
    if (place.archived) return forbidden(visit.site, 'This project is archived, so its environments can’t be changed.');
    if (!place.userPermissions.createDeployment)
      return forbidden(visit.site, 'You need at least the Developer role to change environments.');
    return undefined;
  }

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

  /** A page that asks before it does something to an environment. */
  const asking = (
    page: string,
    ask: (environment: ShownEnvironment) => Omit<Question, 'back'>,
    act: (visit: Visit, input: object) => Promise<unknown>,
    { notice, back }: { readonly notice: NoticeName; readonly back: (place: PlaceHead, id: string) => string },
  ): PlaceRoute => ({
    path: `/environments/:id/${page}`,
    name: `${page} environment`,
    of: 'project',
    forPeople: true,
    async get(visit, place) {
      const refused = refusal(visit, place);
      if (refused) return refused;
      const environment = await found(visit, place);
      if (!environment) return null;
      return placeQuestion(visit, place, 'environments', {
        ...ask(environment),
        action: environmentsPath(place, `/${environment.id}/${page}`),
        back: environmentsPath(place, `/${environment.id}`),
      });
    },
    async post(visit, place) {
      const refused = refusal(visit, place);
      if (refused) return refused;
      const { id = '' } = visit.named;
      if (!isRecordNumber(id)) return null;
      await act(visit, { projectPath: place.fullPath, id });
      return seeOtherSaying(notice, back(place, id), visit);
    },
  });

  return [
    {
      path: '/environments',
      name: 'environments',
      of: 'project',
      async get({ context, exchange, site }, place) {
        const fields = readQuery(exchange);
        const { state: asked = '' } = fields;
        const state = isKey(stateTabs, asked) ? asked : '';
        const search = fields.search?.trim() ?? '';
        const isShort = search !== '' && search.length < 3;
        const { environments } = await readList.execute(context, {
          project: place.fullPath,
          states: state === '' ? ['available', 'stopping'] : [state],
          ...(search !== '' && !isShort && { search }),
          ...pageArguments(fields, onPage),
        });
        return toAnswer(
          <EnvironmentList
            site={site}
            place={place}
            state={state}
            search={search}
            problem={isShort ? 'The search needs at least three characters.' : undefined}
            environments={isShort ? [] : environments.nodes}
            pages={pagesAround(environmentsPath(place), fields, environments.pageInfo)}
          />,
          isShort ? 422 : 200,
        );
      },
    },
    {
      path: '/environments/new',
      name: 'new environment',
      of: 'project',
      forPeople: true,
      get: (visit, place) => refusal(visit, place) ?? newForm(visit, place, emptyDraft),
      async post(visit, place, form) {
        const refused = refusal(visit, place);
        if (refused) return refused;
        const draft = readDraft(form);
        try {
          const input = { projectPath: place.fullPath, ...inputOf(draft) };
          const { id } = (await create.execute(visit.context, { input })).environmentCreate.environment;
          return seeOtherSaying('environment_saved', environmentsPath(place, `/${id}`), visit);
        } catch (problem) {
          return newForm(visit, place, draft, errorsOf(problem));
        }
      },
    },
    {
      path: '/environments/:id',
      name: 'environment',
      of: 'project',
      async get(visit, place) {
        const environment = await found(visit, place);
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
    },
    {
      path: '/environments/:id/edit',
      name: 'edit environment',
      of: 'project',
      forPeople: true,
      async get(visit, place) {
        const refused = refusal(visit, place);
        if (refused) return refused;
        const environment = await found(visit, place);
        return environment && editForm(visit, place, environment);
      },
      async post(visit, place, form) {
        const refused = refusal(visit, place);
        if (refused) return refused;
        const environment = await found(visit, place);
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
    },
    asking(
      'stop',
      ({ name }) => ({
        title: `Stop the environment ${name}?`,
        says: 'The job that stops it runs, if its last deployment named one. Another deployment makes it available again.',
        does: 'Stop the environment',
      }),
      ({ context }, input) => stop.execute(context, { input }),
      { notice: 'environment_stopped', back: (place, id) => environmentsPath(place, `/${id}`) },
    ),
    asking(
      'delete',
      ({ name }) => ({
        title: `Delete the environment ${name}?`,
        says: 'Its deployments are deleted, too. This can’t be undone.',
        does: 'Delete the environment',
      }),
      ({ context }, input) => remove.execute(context, { input }),
      { notice: 'environment_deleted', back: (place) => environmentsPath(place) },
    ),
  ];
}
