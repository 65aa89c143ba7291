import type { GraphQLSchema } from 'graphql';
import { InvalidFields } from '../../../errors.ts';
import type { Answer } from '../../../http/index.ts';
import { compileOperation } from '../../../operation.ts';
import { below, PlaceLayout } from '../../places/place/layout.tsx';
import { placeQuestion } from '../../places/place/question.tsx';
import { restrict } from '../../places/place/restrict.ts';
import type { PlaceHead, PlaceRoute } from '../../places/place/route.ts';
import { Ago, Day } from '../../site/records/day.tsx';
import { readQuery } from '../../site/forms/fields.ts';
import { Form, TextField } from '../../site/forms/forms.tsx';
import { toAnswer } from '../../site/layout/page.ts';
import { compileMutation } from '../../site/mutation.ts';
import { orNull } from '../../site/missing.ts';
import { pageArguments, pageInfoFields, pagesAround, type Paged } from '../../site/records/paging.ts';
import { isRecordNumber } from '../../site/paths.ts';
import { Facts, Pager } from '../../site/records/records.tsx';
import { seeOther, seeOtherSaying, type Visit } from '../../site/visit.ts';
import { sentences } from '../../site/words.ts';

/** The triggers of a project: a list, a form that makes one, and a question before one is removed. */

const size = 50;
const path = (place: PlaceHead, page = ''): string => below(place, `/triggers${page}`);

interface ShownTrigger {
  readonly id: number;
  readonly description: string | null;
  readonly hasTokenExposed: boolean;
  /** In full, if someone asked for it. */
  readonly token?: string;
  readonly owner: { readonly username: string } | null;
  readonly lastUsed: string | null;
  readonly expiresAt: string | null;
}

interface ListProps {
  readonly visit: Visit;
  readonly place: PlaceHead;
  readonly triggers: readonly ShownTrigger[];
  readonly shown: number | undefined;
  readonly pages: { readonly before: string | null; readonly after: string | null };
  readonly description: string;
  readonly errors: readonly string[];
}

function TriggerList({ visit: { site }, place, triggers, shown, pages, description, errors }: ListProps) {
  const title = `Triggers · ${place.name}`;
  return (
    <PlaceLayout
      site={site}
      place={place}
      title={errors.length > 0 ? `Error: ${title}` : title}
      current="triggers"
      load={shown === undefined ? [] : ['copy.js']}
    >
      <h1>Triggers</h1>
      <p class="lead">
        A trigger has a token that starts pipelines of this project, with the rights of its owner. It works without an
        account.
      </p>
      {triggers.length === 0 && <p class="empty">No triggers yet.</p>}
      <ul class="records">
        {triggers.map((trigger) => (
          <li>
            <h2>
              <bdi>{trigger.description || `Trigger ${trigger.id}`}</bdi>
            </h2>
            <Facts
              facts={[
                ['Token', <Token of={trigger} place={place} isShown={trigger.id === shown} />],
                ['Owner', trigger.owner ? <bdi>{trigger.owner.username}</bdi> : 'None, so it starts no pipelines'],
                ['Last used', trigger.lastUsed ? <Ago at={trigger.lastUsed} /> : 'Never'],
                ['Expires', trigger.expiresAt ? <Day at={trigger.expiresAt} /> : 'Never'],
              ]}
            />
            {!place.archived && (
              <p class="ways">
                <a href={path(place, `/${trigger.id}/remove`)}>
                  Remove<span class="hidden"> the trigger {trigger.description}</span>
                </a>
              </p>
            )}
          </li>
        ))}
      </ul>
      <Pager of="triggers" {...pages} labels={['Older', 'Newer']} />
      {!place.archived && (
        <>
          <h2>Make a trigger</h2>
          <Form csrf={site.visitor!.csrf} action={path(place)}>
            <TextField
              name="description"
              label="Description"
              hint="What it is for."
              value={description}
              errors={errors}
              required
            />
            <div class="decision">
              <button class="button primary">Make the trigger</button>
            </div>
          </Form>
        </>
      )}
    </PlaceLayout>
  );
}

function Token({ of, place, isShown }: { of: ShownTrigger; place: PlaceHead; isShown: boolean }) {
  if (!of.hasTokenExposed) return 'Only its owner sees it';
  if (isShown) return <code class="secret">{of.token}</code>;
  return (
    <a href={path(place, `?show=${of.id}`)}>
      Show<span class="hidden"> the token of {of.description}</span>
    </a>
  );
}

const fields = 'id: databaseId description hasTokenExposed owner { username } lastUsed expiresAt';

type Operations = ReturnType<typeof operationsOf>;

const operationsOf = (schema: GraphQLSchema) => ({
  readList: compileOperation<{ readonly triggers: Paged<ShownTrigger> }>(
    schema,
    `query ($project: ID!, $tokens: Boolean!, $first: Int, $last: Int, $before: String, $after: String) {
      triggers: pipelineTriggers(project: $project, first: $first, last: $last, before: $before, after: $after) {
        nodes { ${fields} token @include(if: $tokens) } ${pageInfoFields}
      }
    }`,
  ),
  readOne: compileOperation<{ readonly trigger: ShownTrigger }>(
    schema,
    `query ($project: ID!, $id: CiTriggerID!) { trigger: pipelineTrigger(project: $project, id: $id) { ${fields} } }`,
  ),
  create: compileMutation<{ readonly pipelineTrigger: { readonly id: number } }>(
    schema,
    'pipelineTriggerCreate',
    'pipelineTrigger { id: databaseId }',
  ),
  remove: compileMutation(schema, 'pipelineTriggerDelete'),
});

/** The pages of triggers, for maintainers. */
export function triggerPages(schema: GraphQLSchema): PlaceRoute[] {
  const operations = operationsOf(schema);
  return [list, removal].map((page) => restricted(page(operations)));
}

const restricted = restrict(({ userPermissions: may }) =>
  may.adminProject ? undefined : 'You need the Maintainer role to see and make triggers.',
);

const list = (operations: Operations): PlaceRoute => ({
  path: '/triggers',
  name: 'triggers',
  of: 'project',
  forPeople: true,
  get: (visit, place) => show(operations, visit, place),
  async post(visit, place, form) {
    const again = (typed: string, errors: readonly string[]) => show(operations, visit, place, typed, errors);
    const description = (form.description ?? '').trim();
    if (description === '') return await again('', ['The description can’t be blank.']);
    try {
      const input = { projectPath: place.fullPath, description };
      const { pipelineTrigger } = (await operations.create.execute(visit.context, { input })).done;
      return seeOther(path(place, `?show=${pipelineTrigger.id}`));
    } catch (problem) {
      if (!(problem instanceof InvalidFields)) throw problem;
      const texts = Object.values(problem.fields).flatMap((messages) => sentences('The description', messages));
      return await again(description, texts);
    }
  },
});

async function show(
  { readList }: Operations,
  visit: Visit,
  place: PlaceHead,
  description = '',
  errors: readonly string[] = [],
): Promise<Answer> {
  const query = readQuery(visit.exchange);
  const shown = isRecordNumber(query.show) ? Number(query.show) : undefined;
  const { triggers } = await readList.execute(visit.context, {
    project: place.fullPath,
    tokens: shown !== undefined,
    ...pageArguments(query, size),
  });
  const pages = pagesAround(path(place), query, triggers.pageInfo);
  const page = { visit, place, triggers: triggers.nodes, shown, pages, description, errors };
  return toAnswer(<TriggerList {...page} />, errors.length > 0 ? 422 : 200, { scripts: shown !== undefined });
}

const removal = ({ readOne, remove }: Operations): PlaceRoute => ({
  path: '/triggers/:id/remove',
  name: 'remove trigger',
  of: 'project',
  forPeople: true,
  async get(visit, place) {
    const { id } = visit.named;
    if (!isRecordNumber(id)) return null;
    const found = await orNull(readOne.execute(visit.context, { project: place.fullPath, id }));
    if (!found) return null;
    return placeQuestion(visit, place, 'triggers', {
      title: `Remove the trigger ${found.trigger.description || found.trigger.id}?`,
      says: 'Its token stops working at once. Pipelines that it started go on.',
      does: 'Remove the trigger',
      action: path(place, `/${id}/remove`),
      back: path(place),
    });
  },
  async post(visit, place) {
    const { id } = visit.named;
    if (!isRecordNumber(id)) return null;
    await remove.execute(visit.context, { input: { projectPath: place.fullPath, id } });
    return seeOtherSaying('trigger_removed', path(place), visit);
  },
});
