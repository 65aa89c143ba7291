import type { GraphQLSchema } from 'graphql';
import { keepForOnce, takeOnce } from '../../../context.ts';
import { InvalidFields, NotFound } from '../../../errors.ts';
import type { Answer } from '../../../http/index.ts';
import { compileOperation } from '../../../operation.ts';
import { placeQuestion } from '../../places/place/question.tsx';
import type { PlaceHead, PlaceRoute } from '../../places/place/route.ts';
import { newFormId } from '../../site/csrf.ts';
import { readQuery } from '../../site/fields.ts';
import { toAnswer } from '../../site/page.ts';
import { pageArguments, pageInfoFields, pagesAround, type PageInfo } from '../../site/paging.ts';
import { forbidden } from '../../site/problems.tsx';
import { requireVisitor, seeOther, seeOtherSaying, sessionOf, type Visit } from '../../site/visit.ts';
import { sentences } from '../../site/words.ts';
import {
  emptyDraft,
  MadeRunner,
  nameOf,
  NotShownAgain,
  RunnerList,
  runnersPath,
  type RunnerDraft,
  type ShownRunner,
} from './view.tsx';

/** Runners on a page. */
const size = 50;

const fields = 'id: databaseId description runnerType paused runUntagged tagList status contactedAt';

/** Labels of the fields, for error messages. */
const labels: Readonly<Record<string, string>> = { description: 'The description', tagList: 'The list of tags' };

/** The pages of runners: for maintainers of a project and owners of a group. */
export function runnerPages(schema: GraphQLSchema): PlaceRoute[] {
  const readList = compileOperation<{
    readonly runners: { readonly nodes: readonly ShownRunner[]; readonly pageInfo: PageInfo };
  }>(
    schema,
    `query ($project: ID, $group: ID, $first: Int, $last: Int, $before: String, $after: String) {
      runners(project: $project, group: $group, first: $first, last: $last, before: $before, after: $after) {
        nodes { ${fields} } ${pageInfoFields}
      }
    }`,
  );
  const readOne = compileOperation<{ readonly runner: ShownRunner }>(
    schema,
    `query ($id: ID!) { runner(id: $id) { ${fields} } }`,
  );
  const create = compileOperation<{ readonly runnerCreate: { readonly runner: { readonly token: string } } }>(
    schema,
    `mutation ($input: RunnerCreateInput!) {
      runnerCreate(input: $input) { runner { token: ephemeralAuthenticationToken } }
    }`,
  );
  const update = compileOperation<object>(
    schema,
    'mutation ($input: RunnerUpdateInput!) { runnerUpdate(input: $input) { clientMutationId } }',
  );
  const remove = compileOperation<object>(
    schema,
    'mutation ($input: RunnerDeleteInput!) { runnerDelete(input: $input) { clientMutationId } }',
  );

  /** Why the viewer may not see runners; undefined if they may. @throws Unauthenticated */
  function refusal(visit: Visit, { kind, userPermissions: may }: PlaceHead): Answer | undefined {
    requireVisitor(visit);
    if (kind === 'project' ? may.adminProject : may.viewEditPage) return undefined;
    const role = kind === 'project' ? 'Maintainer' : 'Owner';
    return forbidden(visit.site, `You need the ${role} role to see and make runners.`);
  }

  const placeOf = ({ kind, fullPath }: PlaceHead) => (kind === 'project' ? { project: fullPath } : { group: fullPath });

  async function show(
    visit: Visit,
    place: PlaceHead,
    draft: RunnerDraft = emptyDraft,
    errors: Readonly<Record<string, readonly string[]>> = {},
  ) {
    const query = readQuery(visit.exchange);
    const { runners } = await readList.execute(visit.context, { ...placeOf(place), ...pageArguments(query, size) });
    const pages = pagesAround(runnersPath(place), query, runners.pageInfo);
    const page = { site: visit.site, place, runners: runners.nodes, pages, draft, errors };
    return toAnswer(<RunnerList {...page} />, Object.keys(errors).length > 0 ? 422 : 200);
  }

  /** The runner in the address; null if it doesn't exist, or isn't one that the viewer administers. */
  async function named(visit: Visit): Promise<ShownRunner | null> {
    const { id = '' } = visit.named;
    if (!/^\d{1,10}$/.test(id)) return null;
    const found = await readOne.execute(visit.context, { id }).catch((problem: unknown) => {
      if (problem instanceof NotFound) return null;
      throw problem;
    });
    return found && found.runner;
  }

  return [
    {
      path: '/runners',
      name: 'runners',
      forPeople: true,
      get: (visit, place) => refusal(visit, place) ?? show(visit, place),
      async post(visit, place, form) {
        const refused = refusal(visit, place);
        if (refused) return refused;
        const draft = {
          description: (form.description ?? '').trim(),
          tags: form.tags ?? '',
          runUntagged: form.run_untagged === 'on',
        };
        const { project, group } = { project: undefined, group: undefined, ...placeOf(place) };
        const input = {
          runnerType: project === undefined ? 'GROUP_TYPE' : 'PROJECT_TYPE',
          projectId: project,
          groupId: group,
          description: draft.description,
          tagList: draft.tags.split(',').flatMap((tag) => tag.trim() || []),
          runUntagged: draft.runUntagged,
        };
        try {
          const { token } = (await create.execute(visit.context, { input })).runnerCreate.runner;
          const formId = newFormId();
          const { database, keys } = visit.context;
          await keepForOnce(database, keys, { formId, sessionId: sessionOf(visit.context) }, token);
          return seeOther(runnersPath(place, `/made/${formId}`));
        } catch (problem) {
          if (!(problem instanceof InvalidFields)) throw problem;
          const errors = Object.entries(problem.fields).map(([field, messages]) => [
            labels[field] ? field : 'tagList',
            sentences(labels[field] ?? 'The list of tags', messages),
          ]);
          return await show(visit, place, draft, Object.fromEntries(errors));
        }
      },
    },
    {
      path: '/runners/made/:form',
      name: 'new runner',
      forPeople: true,
      async get(visit, place) {
        const refused = refusal(visit, place);
        if (refused) return refused;
        const { site, context, exchange } = visit;
        // HEAD has no body, so it doesn't use up the token.
        const token =
          exchange.request.method === 'HEAD'
            ? null
            : await takeOnce(context.database, context.keys, {
                formId: visit.named.form!,
                sessionId: sessionOf(context),
              });
        if (token === null) return toAnswer(<NotShownAgain site={site} place={place} />, 410);
        return toAnswer(<MadeRunner site={site} place={place} token={token} />, 200, { scripts: true });
      },
    },
    {
      path: '/runners/:id/pause',
      name: 'pause runner',
      forPeople: true,
      leadsTo: (_visit, place) => runnersPath(place),
      async post(visit, place, form) {
        const refused = refusal(visit, place);
        if (refused) return refused;
        const runner = await named(visit);
        if (!runner) return null;
        const paused = form.paused === 'on';
        await update.execute(visit.context, { input: { id: String(runner.id), paused } });
        return seeOtherSaying(paused ? 'runner_paused' : 'runner_resumed', runnersPath(place), visit);
      },
    },
    {
      path: '/runners/:id/remove',
      name: 'remove runner',
      forPeople: true,
      async get(visit, place) {
        const refused = refusal(visit, place);
        if (refused) return refused;
        const runner = await named(visit);
        if (!runner) return null;
        return placeQuestion(visit, place, 'runners', {
          title: `Remove ${nameOf(runner)}?`,
          says: 'Its token is void at once, on each machine that uses it. Jobs that it has carried out stay.',
          does: 'Remove the runner',
          action: runnersPath(place, `/${runner.id}/remove`),
          back: runnersPath(place),
        });
      },
      async post(visit, place) {
        const refused = refusal(visit, place);
        if (refused) return refused;
        const runner = await named(visit);
        if (!runner) return null;
        await remove.execute(visit.context, { input: { id: String(runner.id) } });
        return seeOtherSaying('runner_removed', runnersPath(place), visit);
      },
    },
  ];
}
