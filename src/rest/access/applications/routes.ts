import { listRoute } from '../../engine/list-route.ts';
import { Application, applicationFields, ApplicationWithSecret, type NewApplicationData } from './record.ts';
import { NoContent, type Record } from '../../engine/record.ts';
import { route, type AnyRoute } from '../../engine/route.ts';

const tag = 'Applications';
const withSecret = `application { ${applicationFields} } secret`;

interface Changed {
  readonly changed: NewApplicationData;
}
const record: Record<Changed> = {
  ...ApplicationWithSecret,
  present: ({ changed }) => ApplicationWithSecret.present(changed),
};

const words = (given: unknown) =>
  String(given ?? '')
    .split(/\s+/)
    .filter((word) => word !== '');

/** All OAuth applications of the instance, for administrators. */
export const applicationRoutes: readonly AnyRoute[] = [
  listRoute({
    path: '/api/v4/applications',
    summary: 'List all OAuth applications (administrators only)',
    tag,
    of: 'Application',
    parameters: [],
    field: 'instanceApplications',
    selection: applicationFields,
    variables: () => ({}),
    record: Application,
  }),
  route<Changed>({
    method: 'POST',
    path: '/api/v4/applications',
    summary: 'Register an instance-wide OAuth application (administrators only)',
    tag,
    parameters: [
      {
        name: 'name',
        type: 'string',
        required: true,
        description: 'Name shown to users on the consent page.',
      },
      {
        name: 'redirect_uri',
        type: 'string',
        required: true,
        description: 'Redirect URIs, one per line.',
      },
      {
        name: 'scopes',
        type: 'string',
        required: true,
        notBlank: true,
        description: 'Scopes that it may request, separated by spaces.',
      },
      {
        name: 'confidential',
        type: 'boolean',
        default: true,
        description: 'Whether the application can keep a secret.',
      },
      {
        name: 'grant_types',
        type: 'strings',
        description: 'Grants that it may use. Default: all grants that the instance offers for its kind.',
      },
    ],
    example: {
      name: 'Dashboard',
      redirect_uri: 'https://dashboard.example.com/callback',
      scopes: 'read_api read_user',
      confidential: true,
    },
    operation: `mutation ($input: RegisterInstanceApplicationInput!) { changed: registerInstanceApplication(input: $input) { ${withSecret} } }`,
    variables: ({ name, redirect_uri: uris, scopes, confidential, grant_types: grants }) => ({
      input: {
        name: name ?? '',
        redirectUris: words(uris),
        scopes: words(scopes),
        confidential: confidential ?? true,
        grants: (grants as readonly string[] | null | undefined)?.flatMap(words),
      },
    }),
    status: 201,
    fields: { redirectUris: 'redirect_uri', grants: 'grant_types' },
    record,
    dialect: 'version 4',
  }),
  route<unknown>({
    method: 'DELETE',
    path: '/api/v4/applications/:id',
    summary: 'Delete an OAuth application and all its tokens (administrators only)',
    tag,
    parameters: [],
    operation:
      'mutation ($input: InstanceApplicationInput!) { deleteInstanceApplication(input: $input) { applicationId } }',
    variables: ({ id }) => ({ input: { id } }),
    status: 204,
    record: NoContent,
    dialect: 'version 4',
  }),
  route<Changed>({
    method: 'POST',
    path: '/api/v4/applications/:id/renew-secret',
    summary: 'Renew the secret of an OAuth application and revoke all its tokens (administrators only)',
    tag,
    parameters: [],
    operation: `mutation ($input: InstanceApplicationInput!) { changed: renewInstanceApplicationSecret(input: $input) { ${withSecret} } }`,
    variables: ({ id }) => ({ input: { id } }),
    status: 201,
    record,
    dialect: 'version 4',
  }),
];
