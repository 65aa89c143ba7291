import type { GraphQLSchema } from 'graphql';
import { Conflict, InvalidFields, NotFound } from '../../../errors.ts';
import type { Answer } from '../../../http/index.ts';
import { compileOperation } from '../../../operation.ts';
import { placeQuestion } from '../../places/place/question.tsx';
import type { PlaceHead, PlaceRoute } from '../../places/place/route.ts';
import { readQuery, type Fields } from '../../site/forms/fields.ts';
import { toAnswer } from '../../site/layout/page.ts';
import { pageArguments, pageInfoFields, pagesAround, type PageInfo } from '../../site/records/paging.ts';
import { forbidden } from '../../site/layout/problems.tsx';
import { isRecordNumber } from '../../site/paths.ts';
import { requireVisitor, seeOtherSaying, type Visit } from '../../site/visit.ts';
import { sentences } from '../../site/words.ts';
import {
  EditVariable,
  emptyDraft,
  nameOf,
  VariableList,
  variablesPath,
  type ShownVariable,
  type VariableDraft,
  type VariableErrors,
} from './view.tsx';

/** Variables on a page. */
const size = 50;

const fields = 'id: databaseId key variableType hidden protected masked raw environmentScope description';

/** Labels of the fields, for error messages. */
const labels: Readonly<Record<string, string>> = {
  key: 'The name',
  value: 'The value',
  environmentScope: 'The pattern',
  description: 'The description',
};

/** @throws any other error */
function errorsOf(problem: unknown): VariableErrors {
  if (problem instanceof Conflict) return { key: [problem.message] };
  if (!(problem instanceof InvalidFields)) throw problem;
  return Object.fromEntries(
    Object.entries(problem.fields).map(([field, messages]) => [
      field,
      field === 'base' ? messages : sentences(labels[field] ?? field, messages),
    ]),
  );
}

/** The name and the environments in an address; undefined if it has another form. */
function namedIn({ named: { name = '' } }: Visit): { key: string; environmentScope: string } | undefined {
  try {
    const [key, environmentScope] = JSON.parse(Buffer.from(name, 'base64url').toString()) as unknown[];
    return typeof key === 'string' && typeof environmentScope === 'string' ? { key, environmentScope } : undefined;
  } catch {
    return undefined;
  }
}

const draftIn = (form: Fields): VariableDraft => ({
  key: (form.key ?? '').trim(),
  value: form.value ?? '',
  variableType: form.variable_type === 'FILE' ? 'FILE' : 'ENV_VAR',
  environmentScope: (form.environment_scope ?? '').trim() || '*',
  description: (form.description ?? '').trim(),
  protected: form.protected !== undefined,
  masked: form.masked !== undefined,
  hidden: form.hidden !== undefined,
  raw: form.raw !== undefined,
});

const kinds = {
  project: { list: 'projectVariables', one: 'projectVariable', type: 'ProjectVariable', who: 'the Maintainer role' },
  group: { list: 'groupVariables', one: 'groupVariable', type: 'GroupVariable', who: 'the Owner role' },
} as const;

/** The variables of projects and groups, for those who may set them. */
export const variablePages = (schema: GraphQLSchema): PlaceRoute[] =>
  (['project', 'group'] as const).flatMap((kind) => pagesOf(schema, kind));

function pagesOf(schema: GraphQLSchema, kind: 'project' | 'group'): PlaceRoute[] {
  const { list, one, type, who } = kinds[kind];
  const readList = compileOperation<{
    readonly variables: { readonly nodes: readonly ShownVariable[]; readonly pageInfo: PageInfo };
  }>(
    schema,
    `query ($place: ID!, $values: Boolean!, $first: Int, $last: Int, $before: String, $after: String) {
      variables: ${list}(${kind}: $place, first: $first, last: $last, before: $before, after: $after) {
        nodes { ${fields} value @include(if: $values) } ${pageInfoFields}
      }
    }`,
  );
  const readOne = compileOperation<{ readonly variable: ShownVariable }>(
    schema,
    `query ($place: ID!, $key: String!, $filter: CiVariableFilterInput) {
      variable: ${one}(${kind}: $place, key: $key, filter: $filter) { ${fields} }
    }`,
  );
  const change = (verb: string) =>
    compileOperation<object>(
      schema,
      `mutation ($input: ${type}${verb}Input!) { ${one}${verb}(input: $input) { clientMutationId } }`,
    );
  const [create, update, remove] = [change('Create'), change('Update'), change('Delete')] as const;
  const pathIn = ({ fullPath }: PlaceHead) => ({ [`${kind}Path`]: fullPath });

  /** Why the viewer may not see variables; undefined if they may. @throws Unauthenticated */
  function refusal(visit: Visit, { userPermissions: may }: PlaceHead): Answer | undefined {
    requireVisitor(visit);
    if (kind === 'project' ? may.adminProject : may.viewEditPage) return undefined;
    return forbidden(visit.site, `You need ${who} to see and set CI variables.`);
  }

  async function show(visit: Visit, place: PlaceHead, draft = emptyDraft, errors?: VariableErrors) {
    const { site, context, exchange } = visit;
    const query = readQuery(exchange);
    const shown = isRecordNumber(query.show) ? Number(query.show) : undefined;
    const { variables } = await readList.execute(context, {
      place: place.fullPath,
      values: shown !== undefined,
      ...pageArguments(query, size),
    });
    return toAnswer(
      <VariableList
        site={site}
        place={place}
        variables={variables.nodes}
        shown={shown}
        pages={pagesAround(variablesPath(place), query, variables.pageInfo)}
        draft={draft}
        errors={errors}
      />,
      errors ? 422 : 200,
      { scripts: shown !== undefined },
    );
  }

  /** Null if the place doesn't have it. */
  async function found(visit: Visit, place: PlaceHead): Promise<ShownVariable | null> {
    const name = namedIn(visit);
    if (!name) return null;
    const { key, environmentScope } = name;
    try {
      const values = { place: place.fullPath, key, filter: { environmentScope } };
      return (await readOne.execute(visit.context, values)).variable;
    } catch (problem) {
      if (problem instanceof NotFound) return null;
      throw problem;
    }
  }

  const attributesOf = ({ key: _key, value: _value, hidden: _hidden, ...rest }: VariableDraft) => rest;

  return [
    {
      path: '/variables',
      name: 'CI variables',
      of: kind,
      forPeople: true,
      get: (visit, place) => refusal(visit, place) ?? show(visit, place),
      async post(visit, place, form) {
        const refused = refusal(visit, place);
        if (refused) return refused;
        const draft = draftIn(form);
        const { key, value, hidden } = draft;
        try {
          await create.execute(visit.context, {
            input: { ...pathIn(place), key, value, ...attributesOf(draft), maskedAndHidden: hidden },
          });
        } catch (problem) {
          return await show(visit, place, draft, errorsOf(problem));
        }
        return seeOtherSaying('variable_saved', variablesPath(place), visit);
      },
    },
    {
      path: '/variables/:name/edit',
      name: 'edit CI variable',
      of: kind,
      forPeople: true,
      async get(visit, place) {
        const refused = refusal(visit, place);
        if (refused) return refused;
        const variable = await found(visit, place);
        if (!variable) return null;
        const draft = { ...variable, value: '', description: variable.description ?? '' };
        return toAnswer(<EditVariable site={visit.site} place={place} of={variable} draft={draft} />);
      },
      async post(visit, place, form) {
        const refused = refusal(visit, place);
        if (refused) return refused;
        const variable = await found(visit, place);
        if (!variable) return null;
        const draft = draftIn(form);
        const { key, environmentScope } = variable;
        const changes = { ...attributesOf(draft), ...(draft.value !== '' && { value: draft.value }) };
        // Hidden ones stay masked.
        if (variable.hidden) Object.assign(changes, { masked: true });
        try {
          await update.execute(visit.context, {
            input: { ...pathIn(place), key, filter: { environmentScope }, ...changes },
          });
        } catch (problem) {
          const errors = errorsOf(problem);
          return toAnswer(
            <EditVariable site={visit.site} place={place} of={variable} draft={draft} errors={errors} />,
            422,
          );
        }
        return seeOtherSaying('variable_saved', variablesPath(place), visit);
      },
    },
    {
      path: '/variables/:name/remove',
      name: 'remove CI variable',
      of: kind,
      forPeople: true,
      async get(visit, place) {
        const refused = refusal(visit, place);
        if (refused) return refused;
        const variable = await found(visit, place);
        if (!variable) return null;
        return placeQuestion(visit, place, 'variables', {
          title: `Remove the variable ${variable.key}?`,
          says: 'Jobs that start from now on don’t get it. The value can’t be recovered.',
          does: 'Remove the variable',
          action: variablesPath(place, `/${nameOf(variable)}/remove`),
          back: variablesPath(place),
        });
      },
      async post(visit, place) {
        const refused = refusal(visit, place);
        if (refused) return refused;
        const name = namedIn(visit);
        if (!name) return null;
        const { key, environmentScope } = name;
        await remove.execute(visit.context, { input: { ...pathIn(place), key, filter: { environmentScope } } });
        return seeOtherSaying('variable_removed', variablesPath(place), visit);
      },
    },
  ];
}
