import { ParameterProblems } from '../../engine/errors.ts';
import { listRoute } from '../../engine/list-route.ts';
import type { Parameter, Values } from '../../engine/parameters.ts';
import { NoContent, recordOf } from '../../engine/record.ts';
import { route, type AnyRoute } from '../../engine/route.ts';
import {
  DeployKey,
  deployKeyFields,
  DeployKeysProject,
  InstanceDeployKey,
  instanceKeyFields,
  projectKeyFields,
  type DeployKeyData,
  type InstanceKeyData,
  type ProjectKeyData,
} from './record.ts';

const tag = 'Deploy keys';
const path = '/api/v4/projects/:id/deploy_keys';

/** The texts are as clients know them. */
const missing = { 'Deploy key': '404 Not found' };
const missingToChange = { 'Deploy key': '404 Deploy key Not Found' };

/** Clients know the problems of a key of a project by these names. */
const fields = {
  title: 'deploy_key.title',
  key: 'deploy_key.key',
  fingerprintSha256: 'deploy_key.fingerprint_sha256',
};

/** @throws ParameterProblems for an id that isn't a number */
function keyId({ key_id: id }: Values): Values[string] {
  if (!/^\d+$/.test(String(id))) throw new ParameterProblems(['key_id is invalid']);
  return id;
}

const newKey: readonly Parameter[] = [
  {
    name: 'key',
    type: 'string',
    required: true,
    description: 'The public key: RSA with at least 2048 bits, ECDSA or ED25519.',
  },
  { name: 'title', type: 'string', required: true, description: 'Title of the key.' },
  { name: 'expires_at', type: 'date-time', description: 'Time from which the key is refused.' },
];
const canPush: Parameter = { name: 'can_push', type: 'boolean', description: 'Whether it also pushes.' };

const example = {
  title: 'Build machine',
  key: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHyQdG6h4GPZx9xVFYl0xkHSk0FRqNFJtmQpCYhPRZgx build@example.com',
};

const keyOf = ({ title, key, expires_at: expiresAt }: Values) => ({ title: title ?? '', key: key ?? '', expiresAt });

export const deployKeyRoutes: readonly AnyRoute[] = [
  listRoute<InstanceKeyData>({
    path: '/api/v4/deploy_keys',
    summary: 'List all deploy keys (administrators only)',
    tag,
    of: 'DeployKey',
    parameters: [{ name: 'public', type: 'boolean', description: 'Only those that every project may enable.' }],
    field: 'deployKeys',
    args: { public: 'Boolean' },
    selection: instanceKeyFields,
    variables: ({ public: isPublic }) => ({ public: isPublic === true ? true : undefined }),
    record: InstanceDeployKey,
  }),
  route<{ deployKeyCreate: { deployKey: DeployKeyData } }>({
    method: 'POST',
    path: '/api/v4/deploy_keys',
    summary: 'Add a deploy key that every project may enable (administrators only)',
    tag,
    parameters: newKey,
    example,
    operation: `mutation ($input: DeployKeyCreateInput!) { deployKeyCreate(input: $input) { deployKey { ${deployKeyFields} } } }`,
    variables: (values) => ({ input: keyOf(values) }),
    status: 201,
    record: recordOf(DeployKey, ({ deployKeyCreate }) => deployKeyCreate.deployKey),
    dialect: 'version 4',
  }),
  listRoute<ProjectKeyData>({
    path,
    summary: 'List the deploy keys of a project',
    tag,
    of: 'DeployKey',
    parameters: [],
    field: 'projectDeployKeys',
    args: { project: 'ID!' },
    selection: projectKeyFields,
    variables: ({ id }) => ({ project: id }),
    record: DeployKeysProject,
  }),
  route<{ deployKey: ProjectKeyData }>({
    method: 'GET',
    path: `${path}/:key_id`,
    summary: 'Get a deploy key of a project',
    tag,
    parameters: [],
    operation: `query ($project: ID!, $id: DeployKeyID!) { deployKey(project: $project, id: $id) { ${projectKeyFields} } }`,
    variables: (values) => ({ project: values.id, id: keyId(values) }),
    missing,
    record: recordOf(DeployKeysProject, ({ deployKey }) => deployKey),
    refusals: [404],
    dialect: 'version 4',
  }),
  route<{ deployKeyCreate: { deployKey: ProjectKeyData } }>({
    method: 'POST',
    path,
    summary: 'Add a deploy key to a project',
    tag,
    parameters: [...newKey, { ...canPush, default: false }],
    example,
    operation: `mutation ($input: DeployKeyCreateInput!) { deployKeyCreate(input: $input) { deployKey { ${projectKeyFields} } } }`,
    variables: (values) => ({
      input: { projectPath: values.id, ...keyOf(values), canPush: values.can_push === true },
    }),
    status: 201,
    fields,
    record: recordOf(DeployKeysProject, ({ deployKeyCreate }) => deployKeyCreate.deployKey),
    refusals: [404],
    dialect: 'version 4',
  }),
  route<{ deployKeyUpdate: { deployKey: ProjectKeyData } }>({
    method: 'PUT',
    path: `${path}/:key_id`,
    summary: 'Change a deploy key of a project',
    tag,
    parameters: [
      { name: 'title', type: 'string', description: 'Title of the key.' },
      canPush,
      { rule: 'at least one', of: ['title', 'can_push'] },
    ],
    operation: `mutation ($input: DeployKeyUpdateInput!) { deployKeyUpdate(input: $input) { deployKey { ${projectKeyFields} } } }`,
    variables: (values) => ({
      input: {
        projectPath: values.id,
        id: keyId(values),
        title: values.title === null ? '' : values.title,
        canPush: values.can_push,
      },
    }),
    missing,
    fields,
    record: recordOf(DeployKeysProject, ({ deployKeyUpdate }) => deployKeyUpdate.deployKey),
    refusals: [404],
    dialect: 'version 4',
  }),
  route<{ deployKeyEnable: { deployKey: DeployKeyData } }>({
    method: 'POST',
    path: `${path}/:key_id/enable`,
    summary: 'Let a deploy key open a project',
    tag,
    parameters: [],
    operation: `mutation ($input: DeployKeyEnableInput!) { deployKeyEnable(input: $input) { deployKey { ${deployKeyFields} } } }`,
    variables: (values) => ({ input: { projectPath: values.id, id: keyId(values) } }),
    status: 201,
    missing: missingToChange,
    record: recordOf(DeployKey, ({ deployKeyEnable }) => deployKeyEnable.deployKey),
    refusals: [404],
    dialect: 'version 4',
  }),
  route<unknown>({
    method: 'DELETE',
    path: `${path}/:key_id`,
    summary: 'Take a deploy key from a project',
    tag,
    parameters: [],
    operation: 'mutation ($input: DeployKeyDeleteInput!) { deployKeyDelete(input: $input) { deletedDatabaseId } }',
    variables: (values) => ({ input: { projectPath: values.id, id: keyId(values) } }),
    status: 204,
    missing: missingToChange,
    record: NoContent,
    refusals: [404],
    dialect: 'version 4',
  }),
];
