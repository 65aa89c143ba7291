import type { GraphQLSchema } from 'graphql';
import { compileOperation } from '../../../operation.ts';
import { confirmPage } from '../../site/confirm.tsx';
import { toAnswer } from '../../site/page.ts';
import type { Place } from './form.tsx';
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
import { AccountLayout } from '../../site/sections.tsx';
import { shownOnce } from '../../site/shown-once.tsx';
import { seeOther, seeOtherSaying, type PageRoute, type Visit } from '../../site/visit.ts';

/** A person's own applications: registering, changing and removing them. */
export function applicationPages(schema: GraphQLSchema): PageRoute[] {
  const fields = 'id: databaseId name clientId confidential redirectUris scopes grants createdAt authorizers';
  const saved = `{ application { ${fields} } secret }`;
  const compile = <Data,>(source: string) => compileOperation<Data>(schema, source);
  const list = compile<{ applications: Application[] }>(`query { applications { ${fields} } }`);
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
  const editing = (application: Application): Place => ({
    Frame: AccountLayout,
    section: applicationsPath,
    action: `${addressOf(application)}/edit`,
    back: addressOf(application),
    title: `Edit ${application.name}`,
    isNew: false,
  });

  return [
    shown.page,
    {
      path: applicationsPath,
      name: 'applications',
      get: async ({ site, context }) =>
        toAnswer(<ApplicationList site={site} applications={(await list.execute(context, {})).applications} />),
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
    {
      path: `${applicationsPath}/:id/edit`,
      name: 'edit application',
      async get(visit) {
        update.admit(visit.context);
        const application = await found(visit);
        return await forms.filled(visit, editing(application), application);
      },
      async post(visit, form) {
        const { context, named } = visit;
        const before = await found(visit);
        return await forms.save(visit, form, {
          place: editing(before),
          had: before,
          write: (input) => update.execute(context, { id: named.id, input }),
          answer: ({ application, secret }) =>
            secret
              ? shown.keep(visit, {}, { title: 'Your application is now confidential', application, secret })
              : seeOtherSaying('application_saved', addressOf(application), visit),
        });
      },
    },
    confirmPage({
      path: `${applicationsPath}/:id/renew`,
      name: 'renew secret',
      once: shown.path,
      section: applicationsPath,
      async ask(visit) {
        renew.admit(visit.context);
        const application = await found(visit);
        if (!application.confidential) return null;
        return {
          title: `Renew the secret of ${application.name}?`,
          says: 'The old secret and all tokens issued with it stop working at once. People have to authorize the application again.',
          does: 'Renew the secret',
          back: addressOf(application),
        };
      },
      async act(visit, form) {
        const { application, secret } = (await renew.execute(visit.context, { id: visit.named.id })).saved;
        return await shown.keep(visit, form, { title: 'The secret is renewed', application, secret: secret! });
      },
    }),
    confirmPage({
      path: `${applicationsPath}/:id/delete`,
      name: 'delete application',
      section: applicationsPath,
      async ask(visit) {
        remove.admit(visit.context);
        const application = await found(visit);
        return {
          title: `Delete ${application.name}?`,
          says: 'All its tokens stop working at once. This can’t be undone.',
          does: 'Delete the application',
          back: addressOf(application),
        };
      },
      async act(visit) {
        await remove.execute(visit.context, { id: visit.named.id });
        return seeOtherSaying('application_deleted', applicationsPath, visit);
      },
    }),
    // Redirects from the addresses that newer and older clients and their documentation link to.
    ...['/-/user_settings/applications', '/oauth/applications'].flatMap((elsewhere) =>
      ['', '/new', '/:id', '/:id/edit'].map((rest): PageRoute => ({
        path: elsewhere + rest,
        name: 'applications',
        get: ({ exchange }) => seeOther(exchange.path.replace(elsewhere, applicationsPath)),
      })),
    ),
  ];
}
