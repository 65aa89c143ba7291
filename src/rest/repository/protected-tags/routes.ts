import { listRoute } from '../../engine/list-route.ts';
import { NoContent, recordOf } from '../../engine/record.ts';
import { route, type AnyRoute } from '../../engine/route.ts';
import { level, protectorsOnly } from '../protected-branches/routes.ts';
import { ProtectedTag, protectedTagFields, type ProtectedTagData } from './record.ts';

const tag = 'Protected tags';
const path = '/api/v4/projects/:id/protected_tags';

/** The text is as clients know it. */
const missing = { 'Tag rule': '404 Not found' };

export const protectedTagRoutes: readonly AnyRoute[] = [
  listRoute<ProtectedTagData>({
    path,
    summary: 'List the protected tags of a project',
    tag,
    of: 'ProtectedTag',
    parameters: [],
    within: { field: 'repositoryForProtecting', args: { project: 'ID!' } },
    field: 'tagRules',
    selection: protectedTagFields,
    variables: ({ id }) => ({ project: id }),
    record: ProtectedTag,
  }),
  route<{ repositoryForProtecting: { tagRule: ProtectedTagData } }>({
    method: 'GET',
    path: `${path}/:name`,
    summary: 'Get a protected tag',
    tag,
    parameters: [],
    operation: `query ($project: ID!, $name: String!) {
      repositoryForProtecting(project: $project) { tagRule(name: $name) { ${protectedTagFields} } }
    }`,
    variables: ({ id, name }) => ({ project: id, name }),
    missing,
    record: recordOf(ProtectedTag, ({ repositoryForProtecting }) => repositoryForProtecting.tagRule),
    refusals: [404],
    dialect: 'version 4',
  }),
  route<{ tagRuleCreate: { tagRule: ProtectedTagData } }>({
    method: 'POST',
    path,
    summary: 'Protect tags',
    tag,
    parameters: [
      { name: 'name', type: 'string', required: true, description: 'A tag, or a pattern with `*` for any text.' },
      level('create_access_level', 'makes them'),
    ],
    example: { name: 'v*' },
    operation: `mutation ($input: TagRuleCreateInput!) {
      tagRuleCreate(input: $input) { tagRule { ${protectedTagFields} } }
    }`,
    variables: ({ id, name, create_access_level: createAccessLevel }) => ({
      input: { projectPath: id, name: name ?? '', createAccessLevel },
    }),
    guard: protectorsOnly,
    status: 201,
    record: recordOf(ProtectedTag, ({ tagRuleCreate }) => tagRuleCreate.tagRule),
    refusals: [404, 422],
    dialect: 'version 4',
  }),
  route<unknown>({
    method: 'DELETE',
    path: `${path}/:name`,
    summary: 'Stop protecting tags',
    tag,
    parameters: [],
    operation: 'mutation ($input: TagRuleDeleteInput!) { tagRuleDelete(input: $input) { tagRule { name } } }',
    variables: ({ id, name }, { unmodifiedSince }) => ({ input: { projectPath: id, name, unmodifiedSince } }),
    conditional: true,
    missing,
    status: 204,
    record: NoContent,
    refusals: [404],
    dialect: 'version 4',
  }),
];
