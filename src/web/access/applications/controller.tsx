import type { GraphQLSchema } from 'graphql';
import { InvalidFields } from '../../../errors.ts';
import type { Answer } from '../../../http/index.ts';
import { compileOperation } from '../../../operation.ts';
import { confirmPage } from '../../site/confirm.tsx';
import { ticked, type Fields } from '../../site/fields.ts';
import { toAnswer } from '../../site/page.ts';
import {
  addressOf,
  ApplicationForm,
  ApplicationList,
  ApplicationPage,
  applicationsPath,
  NewSecret,
  type NewSecretData,
  type Application,
  type Draft,
  type Offer,
} from './view.tsx';
import { shownOnce } from '../../site/shown-once.tsx';
import { seeOther, seeOtherSaying, type PageRoute, type Visit } from '../../site/visit.ts';
import { sentences } from '../../site/words.ts';

interface SavedApplication {
  readonly application: Application;
  readonly secret: string | null;
}

/** Labels of the fields, for error messages. */
const labels: Readonly<Record<string, string>> = {
  name: 'Name',
  redirectUris: 'Redirect URI',
  scopes: 'Scopes',
  grants: 'Grants',
};

const blank: Draft = { name: '', redirectUris: '', scopes: [], grants: [], confidential: true };

/** A person's own applications: registering, changing and removing them. */
export function applicationPages(schema: GraphQLSchema): PageRoute[] {
  const fields = 'id: databaseId name clientId confidential redirectUris scopes grants createdAt authorizers';
  const saved = `{ application { ${fields} } secret }`;
  const compile = <Data,>(source: string) => compileOperation<Data>(schema, source);
  const list = compile<{ applications: Application[] }>(`query { applications { ${fields} } }`);
  const find = compile<{ application: Application }>(`query ($id: ID!) { application(id: $id) { ${fields} } }`);
  const offered = compile<{ authorizationServer: Offer }>(
    'query { authorizationServer { scopes: scopesSupported grants: grantTypesSupported } }',
  );
  const defaults = compile<{ newApplication: Pick<Draft, 'scopes' | 'grants'> }>(
    'query { newApplication { scopes grants } }',
  );
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

  /**
   * The scopes and grants to choose from. They include those that the application has but the server no longer offers:
   * saving the form must not remove them.
   */
  async function offer({ context }: Visit, had: Pick<Draft, 'scopes' | 'grants'>): Promise<Offer> {
    const { scopes, grants } = (await offered.execute(context, {})).authorizationServer;
    return { scopes: [...new Set([...scopes, ...had.scopes])], grants: [...new Set([...grants, ...had.grants])] };
  }

  const shown = shownOnce<NewSecretData>({
    path: `${applicationsPath}/made`,
    name: 'new client secret',
    section: applicationsPath,
    what: 'The client secret',
    onward: { path: applicationsPath, label: 'Go to your applications' },
    show: (site, data) => <NewSecret site={site} {...data} />,
  });

  /** Saves a form, or shows it again with error messages. */
  async function save(
    visit: Visit,
    form: Fields,
    application: Application | null,
    write: (input: object) => Promise<{ saved: SavedApplication }>,
    answer: (saved: SavedApplication) => Answer | Promise<Answer>,
  ): Promise<Answer> {
    const draft = toDraft(form);
    try {
      const { redirectUris, ...others } = draft;
      const input = { ...others, redirectUris: redirectUris.split(/\s+/).filter((uri) => uri !== '') };
      return await answer((await write(input)).saved);
    } catch (problem) {
      if (!(problem instanceof InvalidFields)) throw problem;
      const errors = Object.fromEntries(
        Object.entries(problem.fields).map(([field, messages]) => [field, sentences(labels[field] ?? field, messages)]),
      );
      const had = await offer(visit, application ?? blank);
      return toAnswer(
        <ApplicationForm site={visit.site} application={application} draft={draft} offer={had} errors={errors} />,
        422,
      );
    }
  }

  return [
    shown.page,
    {
      path: applicationsPath,
      name: 'applications',
      get: async ({ site, context }) =>
        toAnswer(<ApplicationList site={site} applications={(await list.execute(context, {})).applications} />),
    },
    {
      path: `${applicationsPath}/new`,
      name: 'new application',
      once: shown.path,
      async get(visit) {
        const { site, context } = visit;
        register.admit(context);
        const { newApplication: preset } = await defaults.execute(context, {});
        return toAnswer(
          <ApplicationForm
            site={site}
            application={null}
            draft={{ ...blank, ...preset }}
            offer={await offer(visit, blank)}
          />,
        );
      },
      post: (visit, form) =>
        save(
          visit,
          form,
          null,
          (input) => register.execute(visit.context, { input }),
          ({ application, secret }) =>
            secret
              ? shown.keep(visit, form, { title: 'Your application is registered', application, secret })
              : seeOtherSaying('application_registered', addressOf(application), visit),
        ),
    },
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
        const { site, context } = visit;
        update.admit(context);
        const application = await found(visit);
        const draft = { ...application, redirectUris: application.redirectUris.join('\n') };
        return toAnswer(
          <ApplicationForm
            site={site}
            application={application}
            draft={draft}
            offer={await offer(visit, application)}
          />,
        );
      },
      async post(visit, form) {
        const { context, named } = visit;
        const before = await found(visit);
        return await save(
          visit,
          form,
          before,
          (input) => update.execute(context, { id: named.id, input }),
          ({ application, secret }) =>
            secret
              ? shown.keep(visit, {}, { title: 'Your application is now confidential', application, secret })
              : seeOtherSaying('application_saved', addressOf(application), visit),
        );
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

function toDraft(form: Fields): Draft {
  return {
    name: form.name ?? '',
    redirectUris: form.redirect_uris ?? '',
    scopes: ticked(form, 'scope.'),
    grants: ticked(form, 'grant.'),
    confidential: form.confidential !== 'no',
  };
}
