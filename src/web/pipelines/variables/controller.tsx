import type { GraphQLSchema } from 'graphql';
import type { Answer } from '../../../http/index.ts';
import { compileOperation } from '../../../operation.ts';
import type { Kind } from '../../places/place/place.ts';
import { placeQuestion } from '../../places/place/question.tsx';
import { restrict } from '../../places/place/restrict.ts';
import type { PlaceHead, PlaceRoute } from '../../places/place/route.ts';
import { readQuery } from '../../site/forms/fields.ts';
import { toAnswer } from '../../site/layout/page.ts';
import { compileMutation } from '../../site/mutation.ts';
import { orNull } from '../../site/missing.ts';
import { pageArguments, pageInfoFields, pagesAround, type Paged } from '../../site/records/paging.ts';
import { isRecordNumber } from '../../site/paths.ts';
import { seeOtherSaying, type Visit } from '../../site/visit.ts';
import { attributesOf, draftIn, errorsOf } from './draft.ts';
import {
  EditVariable,
  emptyDraft,
  nameOf,
  VariableList,
  variablesPath,
  type ShownVariable,
  type VariableErrors,
} from './view.tsx';

/** Variables on a page. */
const size = 50;

const fields = 'id: databaseId key variableType hidden protected masked raw environmentScope description';

type Operations = ReturnType<typeof operationsOf>;

/** The fields of the schema have the same names for projects and groups, after the kind. */
function operationsOf(schema: GraphQLSchema, kind: Kind) {
  const readOne = compileOperation<{ readonly variable: ShownVariable }>(
    schema,
    `query ($place: ID!, $key: String!, $filter: CiVariableFilterInput) {
      variable: ${kind}Variable(${kind}: $place, key: $key, filter: $filter) { ${fields} }
    }`,
  );
  return {
    kind,
    readList: compileOperation<{ readonly variables: Paged<ShownVariable> }>(
      schema,
      `query ($place: ID!, $values: Boolean!, $first: Int, $last: Int, $before: String, $after: String) {
        variables: ${kind}Variables(${kind}: $place, first: $first, last: $last, before: $before, after: $after) {
          nodes { ${fields} value @include(if: $values) } ${pageInfoFields}
        }
      }`,
    ),
    /** The variable of the address; null if the place doesn't have it. */
    async find(visit: Visit, { fullPath }: PlaceHead): Promise<ShownVariable | null> {
      const name = namedIn(visit);
      if (!name) return null;
      const found = await orNull(readOne.execute(visit.context, { place: fullPath, ...name }));
      return found && found.variable;
    },
    create: compileMutation(schema, `${kind}VariableCreate`),
    update: compileMutation(schema, `${kind}VariableUpdate`),
    remove: compileMutation(schema, `${kind}VariableDelete`),
  };
}

/** The variables of projects and groups, for those who may set them. */
export const variablePages = (schema: GraphQLSchema): PlaceRoute[] =>
  (['project', 'group'] as const).flatMap((kind) => {
    const operations = operationsOf(schema, kind);
    return [list, editing, removal].map((page) => restricted(page(operations)));
  });

const restricted = restrict(({ kind, userPermissions: may }) => {
  if (kind === 'project' ? may.adminProject : may.viewEditPage) return undefined;
  return `You need the ${kind === 'project' ? 'Maintainer' : 'Owner'} role to see and set CI variables.`;
});

const list = (operations: Operations): PlaceRoute => ({
  path: '/variables',
  name: 'CI variables',
  of: operations.kind,
  forPeople: true,
  get: (visit, place) => show(operations, visit, place),
  async post(visit, place, form) {
    const draft = draftIn(form);
    const { key, value, hidden } = draft;
    try {
      const input = { ...inPlace(place), key, value, ...attributesOf(draft), maskedAndHidden: hidden };
      await operations.create.execute(visit.context, { input });
    } catch (problem) {
      return await show(operations, visit, place, draft, errorsOf(problem));
    }
    return seeOtherSaying('variable_saved', variablesPath(place), visit);
  },
});

async function show(
  { readList }: Operations,
  { site, context, exchange }: Visit,
  place: PlaceHead,
  draft = emptyDraft,
  errors?: VariableErrors,
): Promise<Answer> {
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

const editing = ({ kind, find, update }: Operations): PlaceRoute => ({
  path: '/variables/:name/edit',
  name: 'edit CI variable',
  of: kind,
  forPeople: true,
  async get(visit, place) {
    const variable = await find(visit, place);
    if (!variable) return null;
    const draft = { ...variable, value: '', description: variable.description ?? '' };
    return toAnswer(<EditVariable site={visit.site} place={place} of={variable} draft={draft} />);
  },
  async post(visit, place, form) {
    const variable = await find(visit, place);
    if (!variable) return null;
    const draft = draftIn(form);
    const { key, environmentScope, hidden } = variable;
    const input = {
      ...inPlace(place),
      key,
      filter: { environmentScope },
      ...attributesOf(draft),
      ...(draft.value !== '' && { value: draft.value }),
      // Hidden ones stay masked.
      ...(hidden && { masked: true }),
    };
    try {
      await update.execute(visit.context, { input });
    } catch (problem) {
      const page = { site: visit.site, place, of: variable, draft, errors: errorsOf(problem) };
      return toAnswer(<EditVariable {...page} />, 422);
    }
    return seeOtherSaying('variable_saved', variablesPath(place), visit);
  },
});

const removal = ({ kind, find, remove }: Operations): PlaceRoute => ({
  path: '/variables/:name/remove',
  name: 'remove CI variable',
  of: kind,
  forPeople: true,
  async get(visit, place) {
    const variable = await find(visit, place);
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
    const name = namedIn(visit);
    if (!name) return null;
    await remove.execute(visit.context, { input: { ...inPlace(place), ...name } });
    return seeOtherSaying('variable_removed', variablesPath(place), visit);
  },
});

const inPlace = ({ kind, fullPath }: PlaceHead) => ({ [`${kind}Path`]: fullPath });

/** What names a variable in the schema, by the address; undefined if it has another form. */
function namedIn({ named: { name = '' } }: Visit) {
  try {
    const [key, environmentScope] = JSON.parse(Buffer.from(name, 'base64url').toString()) as unknown[];
    return typeof key === 'string' && typeof environmentScope === 'string'
      ? { key, filter: { environmentScope } }
      : undefined;
  } catch {
    return undefined;
  }
}
