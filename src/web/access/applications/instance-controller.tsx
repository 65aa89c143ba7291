import type { GraphQLSchema } from 'graphql';
import { compileOperation } from '../../../operation.ts';
import { readQuery } from '../../site/forms/fields.ts';
import { toAnswer } from '../../site/layout/page.ts';
import {
  AdministeredApplicationList,
  AdministeredApplicationPage,
  administeredApplicationsPath,
  administeredPath,
  type AdministeredApplication,
} from './instance-view.tsx';
import type { Place } from './form.tsx';
import { managingPages } from './managing.ts';
import { applicationForms, type SavedApplication } from './saving.tsx';
import { NewSecret, type NewSecretData } from './view.tsx';
import { shownOnce } from '../../site/forms/shown-once.tsx';
import { AdminLayout } from '../../site/layout/sections.tsx';
import { pageArguments, pageInfoFields, pagesAround, type PageInfo } from '../../site/records/paging.ts';
import type { PageRoute, Visit } from '../../site/visit.ts';

/** Applications on a page. */
const size = 30;

/** The administration of all applications of the instance. */
export function administeredApplicationPages(schema: GraphQLSchema): PageRoute[] {
  const fields =
    'id: databaseId name clientId confidential redirectUris scopes grants createdAt owner { id: databaseId username }';
  // Counted for one at a time.
  const counted = `${fields} authorizers`;
  const saved = `{ application { ${counted} } secret }`;
  const list = compileOperation<{ instanceApplications: { nodes: AdministeredApplication[]; pageInfo: PageInfo } }>(
    schema,
    `query ($search: String, $first: Int, $after: String, $last: Int, $before: String) {
      instanceApplications(search: $search, first: $first, after: $after, last: $last, before: $before) { nodes { ${fields} } ${pageInfoFields} }
    }`,
  );
  const find = compileOperation<{ instanceApplication: AdministeredApplication }>(
    schema,
    `query ($id: ID!) { instanceApplication(id: $id) { ${counted} } }`,
  );
  const remove = compileOperation(
    schema,
    'mutation ($input: InstanceApplicationInput!) { deleteInstanceApplication(input: $input) { applicationId } }',
  );
  const register = compileOperation<{ saved: SavedApplication }>(
    schema,
    `mutation ($input: RegisterInstanceApplicationInput!) { saved: registerInstanceApplication(input: $input) ${saved} }`,
  );
  const update = compileOperation<{ saved: SavedApplication }>(
    schema,
    `mutation ($input: UpdateInstanceApplicationInput!) { saved: updateInstanceApplication(input: $input) ${saved} }`,
  );
  const renew = compileOperation<{ saved: SavedApplication }>(
    schema,
    `mutation ($input: InstanceApplicationInput!) { saved: renewInstanceApplicationSecret(input: $input) ${saved} }`,
  );
  const forms = applicationForms(schema);
  const registering: Place = {
    Frame: AdminLayout,
    section: administeredApplicationsPath,
    action: `${administeredApplicationsPath}/new`,
    back: administeredApplicationsPath,
    title: 'Register an application of the instance',
    isNew: true,
  };
  const shown = shownOnce<NewSecretData>({
    path: `${administeredApplicationsPath}/made`,
    name: 'new client secret of the instance',
    section: administeredApplicationsPath,
    what: 'The client secret',
    onward: { path: administeredApplicationsPath, label: 'Go to the applications' },
    show: (site, data) => (
      <NewSecret site={site} {...data} Frame={AdminLayout} section={administeredApplicationsPath} />
    ),
  });
  const found = async ({ context, named }: Visit) =>
    (await find.execute(context, { id: named.id })).instanceApplication;

  return [
    shown.page,
    {
      path: administeredApplicationsPath,
      name: 'all applications',
      async get({ site, context, exchange }) {
        const query = readQuery(exchange);
        const search = query.search?.slice(0, 255) ?? '';
        const { nodes, pageInfo } = (await list.execute(context, { search, ...pageArguments(query, size) }))
          .instanceApplications;
        const pages = pagesAround(administeredApplicationsPath, query, pageInfo);
        return toAnswer(<AdministeredApplicationList site={site} applications={nodes} search={search} pages={pages} />);
      },
    },
    forms.registration({
      place: registering,
      name: 'new application of the instance',
      title: 'The application is registered',
      register,
      shown,
      addressOf: administeredPath,
    }),
    {
      path: `${administeredApplicationsPath}/:id`,
      name: 'any application',
      get: async (visit) =>
        toAnswer(<AdministeredApplicationPage site={visit.site} application={await found(visit)} />, 200, {
          scripts: true,
        }),
    },
    ...managingPages({
      Frame: AdminLayout,
      section: administeredApplicationsPath,
      names: { edit: 'edit any application', renew: 'renew any secret', remove: 'delete any application' },
      find: found,
      update,
      renew,
      remove,
      variables: (id, input) => ({ input: { ...input, id } }),
      shown,
      forms,
    }),
  ];
}
