import type { GraphQLSchema } from 'graphql';
import { keepForOnce, takeOnce } from '../../../context.ts';
import { InvalidFields } from '../../../errors.ts';
import type { Answer } from '../../../http/index.ts';
import { compileOperation } from '../../../operation.ts';
import { restrict } from '../../places/place/restrict.ts';
import type { PlaceHead, PlaceRoute } from '../../places/place/route.ts';
import { QuestionForm } from '../../site/forms/confirm.tsx';
import { newFormId } from '../../site/csrf.ts';
import { readQuery, type Fields } from '../../site/forms/fields.ts';
import { toAnswer } from '../../site/layout/page.ts';
import { compileMutation } from '../../site/mutation.ts';
import { orNull } from '../../site/missing.ts';
import { pageArguments, pageInfoFields, pagesAround, type Paged } from '../../site/records/paging.ts';
import { isRecordNumber } from '../../site/paths.ts';
import { seeOther, seeOtherSaying, sessionOf, type PageRoute, type Visit } from '../../site/visit.ts';
import { sentences } from '../../site/words.ts';
import { administeredRunnersPath, hostOfInstance, hostOfPlace, runnersPath } from './hosts.tsx';
import {
  emptyDraft,
  MadeRunner,
  nameOf,
  NotShownAgain,
  RunnerList,
  type RunnerDraft,
  type RunnerHost,
  type ShownRunner,
} from './view.tsx';

/** Runners on a page. */
const size = 30;

const fields = 'id: databaseId description runnerType paused runUntagged tagList status contactedAt';

/** Labels of the fields, for error messages. */
const labels: Readonly<Record<string, string>> = { description: 'The description', tagList: 'The list of tags' };

/** The runners of a page: where it is, and whose they are in the schema. */
interface Some {
  readonly host: RunnerHost;
  /** The arguments of the list; none for all runners. */
  readonly listed: { readonly project?: string; readonly group?: string };
  /** Where a new one is made. */
  readonly made: { readonly runnerType: string; readonly projectId?: string; readonly groupId?: string };
}

/** What the pages of runners do, wherever they are. */
function runnerActions(schema: GraphQLSchema) {
  const readList = compileOperation<{ readonly runners: Paged<ShownRunner> }>(
    schema,
    `query ($project: ID, $group: ID, $first: Int, $last: Int, $before: String, $after: String) {
      runners(project: $project, group: $group, first: $first, last: $last, before: $before, after: $after) {
        nodes { ${fields} } ${pageInfoFields}
      }
    }`,
  );
  const readOne = compileOperation<{ readonly runner: ShownRunner }>(
    schema,
    `query ($id: CiRunnerID!) { runner(id: $id) { ${fields} } }`,
  );
  const create = compileMutation<{ readonly runner: { readonly token: string } }>(
    schema,
    'runnerCreate',
    'runner { token: ephemeralAuthenticationToken }',
  );
  const update = compileMutation(schema, 'runnerUpdate');
  const remove = compileMutation(schema, 'runnerDelete');

  async function show(
    visit: Visit,
    { host, listed }: Some,
    draft: RunnerDraft = emptyDraft,
    errors: Readonly<Record<string, readonly string[]>> = {},
  ) {
    const query = readQuery(visit.exchange);
    const { runners } = await readList.execute(visit.context, { ...listed, ...pageArguments(query, size) });
    const pages = pagesAround(host.path(), query, runners.pageInfo);
    const page = { host, runners: runners.nodes, pages, draft, errors };
    return toAnswer(<RunnerList {...page} />, Object.keys(errors).length > 0 ? 422 : 200);
  }

  /** The runner in the address; null if it doesn't exist, or isn't one that the viewer administers. */
  async function named(visit: Visit): Promise<ShownRunner | null> {
    const { id = '' } = visit.named;
    if (!isRecordNumber(id)) return null;
    const found = await orNull(readOne.execute(visit.context, { id }));
    return found && found.runner;
  }

  return {
    show,

    async make(visit: Visit, some: Some, form: Fields) {
      const draft = {
        description: (form.description ?? '').trim(),
        tags: form.tags ?? '',
        runUntagged: form.run_untagged === 'on',
      };
      const input = {
        ...some.made,
        description: draft.description,
        tagList: draft.tags.split(',').flatMap((tag) => tag.trim() || []),
        runUntagged: draft.runUntagged,
      };
      try {
        const { token } = (await create.execute(visit.context, { input })).done.runner;
        const formId = newFormId();
        const { database, keys } = visit.context;
        await keepForOnce(database, keys, { formId, sessionId: sessionOf(visit.context) }, token);
        return seeOther(some.host.path(`/made/${formId}`));
      } catch (problem) {
        if (!(problem instanceof InvalidFields)) throw problem;
        const errors = Object.entries(problem.fields).map(([field, messages]) => [
          labels[field] ? field : 'tagList',
          sentences(labels[field] ?? 'The list of tags', messages),
        ]);
        return await show(visit, some, draft, Object.fromEntries(errors));
      }
    },

    /** The token of a new runner, shown once. */
    async showMade({ context, exchange, named: { form } }: Visit, { host }: Some) {
      // HEAD has no body, so it doesn't use up the token.
      const token =
        exchange.request.method === 'HEAD'
          ? null
          : await takeOnce(context.database, context.keys, { formId: form!, sessionId: sessionOf(context) });
      if (token === null) return toAnswer(<NotShownAgain host={host} />, 410);
      return toAnswer(<MadeRunner host={host} token={token} />, 200, { scripts: true });
    },

    async pause(visit: Visit, { host }: Some, form: Fields) {
      const runner = await named(visit);
      if (!runner) return null;
      const paused = form.paused === 'on';
      await update.execute(visit.context, { input: { id: String(runner.id), paused } });
      return seeOtherSaying(paused ? 'runner_paused' : 'runner_resumed', host.path(), visit);
    },

    async askToRemove(visit: Visit, { host }: Some) {
      const runner = await named(visit);
      if (!runner) return null;
      const title = `Remove ${nameOf(runner)}?`;
      return toAnswer(
        <host.Frame title={title}>
          <QuestionForm
            csrf={host.csrf}
            title={title}
            says="Its token is void at once, on each machine that uses it. Jobs that it has carried out stay."
            does="Remove the runner"
            action={host.path(`/${runner.id}/remove`)}
            back={host.path()}
          />
        </host.Frame>,
      );
    },

    async remove(visit: Visit, { host }: Some) {
      const runner = await named(visit);
      if (!runner) return null;
      await remove.execute(visit.context, { input: { id: String(runner.id) } });
      return seeOtherSaying('runner_removed', host.path(), visit);
    },
  };
}

const restricted = restrict(({ kind, userPermissions: may }) => {
  if (kind === 'project' ? may.adminProject : may.viewEditPage) return undefined;
  return `You need the ${kind === 'project' ? 'Maintainer' : 'Owner'} role to see and make runners.`;
});

/** The pages of runners: for maintainers of a project and owners of a group. */
export function runnerPages(schema: GraphQLSchema): PlaceRoute[] {
  const actions = runnerActions(schema);

  function of({ site }: Visit, place: PlaceHead): Some {
    const { kind, fullPath } = place;
    const host = hostOfPlace(site, place);
    return kind === 'project'
      ? { host, listed: { project: fullPath }, made: { runnerType: 'PROJECT_TYPE', projectId: fullPath } }
      : { host, listed: { group: fullPath }, made: { runnerType: 'GROUP_TYPE', groupId: fullPath } };
  }

  type Act = (visit: Visit, some: Some, form: Fields) => Promise<Answer | null>;
  const get = (act: Act) => (visit: Visit, place: PlaceHead) => act(visit, of(visit, place), {});
  const post = (act: Act) => (visit: Visit, place: PlaceHead, form: Fields) => act(visit, of(visit, place), form);

  const pages: PlaceRoute[] = [
    {
      path: '/runners',
      name: 'runners',
      forPeople: true,
      get: get((visit, some) => actions.show(visit, some)),
      post: post(actions.make),
    },
    { path: '/runners/made/:form', name: 'new runner', forPeople: true, get: get(actions.showMade) },
    {
      path: '/runners/:id/pause',
      name: 'pause runner',
      forPeople: true,
      leadsTo: (_visit, place) => runnersPath(place),
      post: post(actions.pause),
    },
    {
      path: '/runners/:id/remove',
      name: 'remove runner',
      forPeople: true,
      get: get(actions.askToRemove),
      post: post(actions.remove),
    },
  ];
  return pages.map(restricted);
}

/** The pages of all runners, for administrators. Those that they make carry out jobs of every project. */
export function administeredRunnerPages(schema: GraphQLSchema): PageRoute[] {
  const { show, make, showMade, pause, askToRemove, remove } = runnerActions(schema);
  const all = ({ site }: Visit): Some => ({
    host: hostOfInstance(site),
    listed: {},
    made: { runnerType: 'INSTANCE_TYPE' },
  });
  const path = administeredRunnersPath;
  return [
    {
      path,
      name: 'all runners',
      get: (visit) => show(visit, all(visit)),
      post: (visit, form) => make(visit, all(visit), form),
    },
    { path: `${path}/made/:form`, name: 'new runner of the instance', get: (visit) => showMade(visit, all(visit)) },
    {
      path: `${path}/:id/pause`,
      name: 'pause any runner',
      again: () => path,
      post: (visit, form) => pause(visit, all(visit), form),
    },
    {
      path: `${path}/:id/remove`,
      name: 'remove any runner',
      get: (visit) => askToRemove(visit, all(visit)),
      post: (visit) => remove(visit, all(visit)),
    },
  ];
}
