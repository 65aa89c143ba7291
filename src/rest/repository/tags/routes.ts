import { listRoute, ordering } from '../../engine/list-route.ts';
import { NoContent, recordOf } from '../../engine/record.ts';
import { route, type AnyRoute } from '../../engine/route.ts';
import { writersOnly } from '../commits/writing.ts';
import { Tag, tagFields, type TagData } from './record.ts';

const tag = 'Tags';
const path = '/api/v4/projects/:id/repository/tags';

const order = ordering({ name: 'name', updated: 'updated', version: 'version' }, 'updated', 'desc', {
  description: 'By name, by the date of the commit, or by the version in the name.',
  toSort: (sort) => sort.toUpperCase(),
});

export const tagRoutes: readonly AnyRoute[] = [
  listRoute<TagData>({
    path,
    summary: 'List the tags of a repository',
    tag,
    of: 'Tag',
    keyset: () => true,
    token: 'name',
    parameters: [
      {
        name: 'search',
        type: 'string',
        description: 'A part of the name; `^x` for names that begin with it, `x$` for those that end with it.',
      },
      ...order.parameters,
    ],
    within: { field: 'repository', args: { project: 'ID!' } },
    field: 'tags',
    args: { search: 'String', sort: 'TagSort' },
    selection: tagFields,
    variables: (values) => ({ project: values.id, search: values.search, ...order.variables(values) }),
    record: Tag,
  }),
  route<{ repository: { tag: TagData } }>({
    method: 'GET',
    path: `${path}/:tag_name`,
    summary: 'Get a tag',
    tag,
    parameters: [],
    operation: `query ($project: ID!, $name: String!) {
      repository(project: $project) { tag(name: $name) { ${tagFields} } }
    }`,
    variables: ({ id, tag_name: name }) => ({ project: id, name }),
    record: recordOf(Tag, ({ repository }) => repository.tag),
    refusals: [404],
    dialect: 'version 4',
  }),
  route<{ tagCreate: { tag: TagData } }>({
    method: 'POST',
    path,
    summary: 'Create a tag',
    tag,
    parameters: [
      { name: 'tag_name', type: 'string', required: true, description: 'Its name.' },
      {
        name: 'ref',
        type: 'string',
        required: true,
        description: 'What it tags: a branch, a tag or a commit.',
      },
      { name: 'message', type: 'string', description: 'What the tag says. It makes an annotated tag.' },
    ],
    example: { tag_name: 'v1.0', ref: 'main' },
    operation: `mutation ($input: TagCreateInput!) { tagCreate(input: $input) { tag { ${tagFields} } } }`,
    variables: ({ id, tag_name: name, ref, message }) => ({
      input: { projectPath: id, name: name ?? '', ref: ref ?? '', message },
    }),
    guard: writersOnly,
    status: 201,
    record: recordOf(Tag, ({ tagCreate }) => tagCreate.tag),
    refusals: [404],
    dialect: 'version 4',
  }),
  route<unknown>({
    method: 'DELETE',
    path: `${path}/:tag_name`,
    summary: 'Delete a tag',
    tag,
    parameters: [],
    operation: 'mutation ($input: TagDeleteInput!) { tagDelete(input: $input) { tag { name } } }',
    variables: ({ id, tag_name: name }, { unmodifiedSince }) => ({
      input: { projectPath: id, name, unmodifiedSince },
    }),
    conditional: true,
    status: 204,
    record: NoContent,
    refusals: [404],
    dialect: 'version 4',
  }),
];
