import type { GraphQLSchema } from 'graphql';
import { compileOperation } from '../../../operation.ts';
import { readQuery } from '../../site/forms/fields.ts';
import { toAnswer } from '../../site/layout/page.ts';
import { partArguments, partOf } from '../../site/records/paging.ts';
import type { Place } from './form.tsx';
import { managingPages } from './managing.ts';
import { applicationForms, type SavedApplication } from './saving.tsx';
import {
  addressOf,
  ApplicationList,
  ApplicationPage,
  applicationsPath,
  NewSecret,
  type NewSecretData,
  type Application,
} from './view.tsx';
import { AccountLayout } from '../../site/layout/sections.tsx';
import { shownOnce } from '../../site/forms/shown-once.tsx';
import type { PageRoute, Visit } from '../../site/visit.ts';

/** Applications on a page. */
const size = 30;

/** A person's own applications: registering, changing and removing them. */
export function applicationPages(schema: GraphQLSchema): PageRoute[] {
  const fields = 'id: databaseId name clientId confidential redirectUris scopes grants createdAt authorizers';
  const saved = `{ application { ${fields} } secret }`;
  const compile = <Data,>(source: string) => compileOperation<Data>(schema, source);
  const list = compile<{ applications: Application[] }>(
    `query ($limit: Int!, $offset: Int!) { applications(limit: $limit, offset: $offset) { ${fields} } }`,
  );
  const find = compile<{ application: Application }>(`query ($id: ID!) { application(id: $id) { ${fields} } }`);
  const register = compile<{ saved: SavedApplication }>(
    `mutation ($input: ApplicationInput!) { saved: registerApplication(input: $input) ${saved} }`,
  );
  const update = compile<{ saved: SavedApplication }>(
    `mutation ($id: ID!, $input: ApplicationInput!) { saved: updateApplication(id: $id, input: $input) ${saved} }`,
  );
  const renew = compile<{ saved: SavedApplication }>(
    `mutation ($id: ID!) { saved: renewApplicationSecret(id: $id) ${saved} }`,
  );
  const remove = compile<{ deleteApplication: boolean }>('mutation ($id: ID!) { deleteApplication(id: $id) }');

  async function found({ context, named }: Visit): Promise<Application> {
    return (await find.execute(context, { id: named.id })).application;
  }

  const shown = shownOnce<NewSecretData>({
    path: `${applicationsPath}/made`,
    name: 'new client secret',
    section: applicationsPath,
    what: 'The client secret',
    onward: { path: applicationsPath, label: 'Go to your applications' },
    show: (site, data) => <NewSecret site={site} {...data} />,
  });

  const forms = applicationForms(schema);
  const registering: Place = {
    Frame: AccountLayout,
    section: applicationsPath,
    action: `${applicationsPath}/new`,
    back: applicationsPath,
    title: 'Register an application',
    isNew: true,
  };
  return [
    shown.page,
    {
      path: applicationsPath,
      name: 'applications',
      async get({ site, context, exchange }) {
        const { page, ...part } = partArguments(readQuery(exchange), size);
        const { applications } = await list.execute(context, part);
        const { nodes, pages } = partOf(applicationsPath, page, applications, size);
        return toAnswer(<ApplicationList site={site} applications={nodes} pages={pages} />);
      },
    },
    forms.registration({
      place: registering,
      name: 'new application',
      title: 'Your application is registered',
      register,
      shown,
      addressOf,
    }),
    {
      path: `${applicationsPath}/:id`,
      name: 'application',
      get: async (visit) =>
        toAnswer(<ApplicationPage site={visit.site} application={await found(visit)} />, 200, { scripts: true }),
    },
    ...managingPages({
      Frame: AccountLayout,
      section: applicationsPath,
      names: { edit: 'edit application', renew: 'renew secret', remove: 'delete application' },
      find: found,
      update,
      renew,
      remove,
      variables: (id, input) => ({ id, ...(input && { input }) }),
      shown,
      forms,
    }),
  ];
}
