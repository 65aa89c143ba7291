import type { GraphQLSchema } from 'graphql';
import { InvalidFields } from '../../../errors.ts';
import { compileOperation } from '../../../operation.ts';
import { below, PlaceLayout } from '../../places/place/layout.tsx';
import { writesTo } from '../../places/place/place.ts';
import type { PlaceHead, PlaceRoute } from '../../places/place/route.ts';
import { readQuery } from '../../site/forms/fields.ts';
import { Form, Obstacle, TextField } from '../../site/forms/forms.tsx';
import { toAnswer } from '../../site/layout/page.ts';
import { forbidden } from '../../site/layout/problems.tsx';
import { requireVisitor, seeOtherSaying, type Visit } from '../../site/visit.ts';
import { filled, rowsIn, rowsOfQuery, VariableRows, type VariableRow } from '../variable-rows.tsx';

/** The page that runs a pipeline, with variables. A link to it may fill it in: `?ref=main&var[NAME]=value`. */

interface Draft {
  readonly ref: string;
  readonly rows: readonly VariableRow[];
}

export function runPages(schema: GraphQLSchema): PlaceRoute[] {
  const create = compileOperation<{ readonly pipelineCreate: { readonly pipeline: { readonly path: string } } }>(
    schema,
    'mutation ($input: PipelineCreateInput!) { pipelineCreate(input: $input) { pipeline { path } } }',
  );
  const readDefault = compileOperation<{
    readonly project: { readonly repository: { readonly rootRef: string | null } | null } | null;
  }>(schema, 'query ($project: ID!) { project(fullPath: $project) { repository { rootRef } } }');

  const refused = ({ site }: Visit, { archived }: PlaceHead) =>
    forbidden(
      site,
      archived
        ? 'This project is archived, so it runs no pipelines.'
        : 'You need at least the Developer role to run pipelines of this project.',
    );

  const show = ({ site }: Visit, place: PlaceHead, { ref, rows }: Draft, problems: readonly string[] = []) =>
    toAnswer(
      <PlaceLayout
        site={site}
        place={place}
        title={`${problems.length > 0 ? 'Error: ' : ''}Run a pipeline · ${place.name}`}
        current="pipelines"
      >
        <h1>Run a pipeline</h1>
        <p class="lead">
          A pipeline runs the jobs of the configuration at the head of a branch or tag. Variables that you give here
          override those of the project.
        </p>
        {problems.length > 0 && (
          <Obstacle>
            <bdi>{problems.join(' ')}</bdi>
          </Obstacle>
        )}
        <Form csrf={site.visitor!.csrf} action={below(place, '/pipelines/new')}>
          <TextField name="ref" label="Branch or tag" value={ref} technical required />
          <VariableRows rows={rows} files />
          <div class="decision">
            <button class="button primary">Run the pipeline</button>
            <a href={below(place, '/pipelines')}>Cancel</a>
          </div>
        </Form>
      </PlaceLayout>,
      problems.length > 0 ? 422 : 200,
    );

  return [
    {
      path: '/pipelines/new',
      name: 'new pipeline',
      of: 'project',
      forPeople: true,
      async get(visit, place) {
        if (!writesTo(place)) return refused(visit, place);
        const { ref } = readQuery(visit.exchange);
        const { project } = await readDefault.execute(visit.context, { project: place.fullPath });
        const rows = rowsOfQuery(visit.exchange.query);
        return show(visit, place, { ref: ref ?? project?.repository?.rootRef ?? '', rows });
      },
      async post(visit, place, form) {
        requireVisitor(visit);
        if (!writesTo(place)) return refused(visit, place);
        const draft = { ref: (form.ref ?? '').trim(), rows: rowsIn(form) };
        const variables = filled(draft.rows).map(({ key, value, kind }) => ({ key, value, variableType: kind }));
        const input = { projectPath: place.fullPath, ref: draft.ref, variables };
        try {
          const { pipelineCreate } = await create.execute(visit.context, { input });
          return seeOtherSaying('pipeline_started', pipelineCreate.pipeline.path, visit);
        } catch (problem) {
          if (!(problem instanceof InvalidFields)) throw problem;
          return show(visit, place, draft, problemsIn(problem));
        }
      },
    },
  ];
}

/** What is wrong, in sentences: messages about the whole are some already. */
const problemsIn = ({ fields }: InvalidFields): string[] =>
  Object.entries(fields).flatMap(([field, messages]) =>
    messages.map((message) => (field === 'base' ? message : `The variables: ${message}`)),
  );
