import type { GraphQLSchema } from 'graphql';
import { InvalidFields } from '../../../errors.ts';
import { compileOperation } from '../../../operation.ts';
import { ticked, type Fields } from '../../site/forms/fields.ts';
import { toAnswer } from '../../site/layout/page.ts';
import { asText, settingsFields, SettingsForm, settingsPath, type Settings } from './view.tsx';
import { seeOtherSaying, type PageRoute } from '../../site/visit.ts';
import { sentences } from '../../site/words.ts';

interface Read {
  readonly instanceSettings: Settings;
  readonly profileGrants: readonly string[];
  readonly authorizationServer: { readonly scopes: readonly string[] };
  readonly entrance: { readonly mail: boolean };
}

const labels: Readonly<Record<string, string>> = {
  greeting: 'The greeting',
  signUp: 'Sign-up',
  grants: 'Grants',
  newApplicationGrants: 'Grants',
  impliedGrants: 'Grants',
  newApplicationScopes: 'Scopes',
};

/** The page on which administrators change settings of the instance, while it runs. */
export function settingsPages(schema: GraphQLSchema): PageRoute[] {
  const read = compileOperation<Read>(
    schema,
    `query { instanceSettings { ${settingsFields} } profileGrants authorizationServer { scopes: scopesSupported } entrance { mail } }`,
  );
  const update = compileOperation(
    schema,
    'mutation ($input: UpdateInstanceSettingsInput!) { updateInstanceSettings(input: $input) { settings { greeting } } }',
  );
  const offerOf = ({ profileGrants: grants, authorizationServer: { scopes }, entrance: { mail } }: Read) => ({
    scopes,
    grants,
    mail,
  });

  return [
    {
      path: settingsPath,
      name: 'settings of the instance',
      async get({ site, context }) {
        update.admit(context);
        const known = await read.execute(context, {});
        return toAnswer(<SettingsForm site={site} settings={known.instanceSettings} offer={offerOf(known)} />);
      },
      async post(visit, form) {
        const { site, context } = visit;
        const settings = toSettings(form);
        try {
          await update.execute(context, { input: changesOf(settings, form) });
          return seeOtherSaying('settings_saved', settingsPath, visit);
        } catch (problem) {
          if (!(problem instanceof InvalidFields)) throw problem;
          const errors = Object.fromEntries(
            Object.entries(problem.fields).map(([field, messages]) => [
              field,
              sentences(labels[field] ?? field, messages),
            ]),
          );
          const known = await read.execute(context, {});
          return toAnswer(
            <SettingsForm
              site={site}
              settings={settings}
              shown={known.instanceSettings}
              offer={offerOf(known)}
              errors={errors}
            />,
            422,
          );
        }
      },
    },
  ];
}

/** The settings that differ from what the page showed. An unchanged one isn't sent: it keeps following its default. */
const changesOf = (settings: Settings, form: Fields): Partial<Settings> =>
  Object.fromEntries(Object.entries(settings).filter(([name, value]) => asText(value) !== form[`was.${name}`]));

function toSettings(form: Fields): Settings {
  const { project_visibility: visibility = '' } = form;
  return {
    signUp: form.sign_up === 'on',
    requireAdminApprovalAfterUserSignup: form.require_approval === 'on',
    grants: ticked(form, 'grants.'),
    newApplicationScopes: ticked(form, 'new_scopes.'),
    newApplicationGrants: ticked(form, 'new_grants.'),
    impliedGrants: ticked(form, 'implied_grants.'),
    guardAdministrators: form.guard_administrators === 'on',
    keepPasswordGrant: form.keep_password_grant === 'on',
    projectVisibility: ['internal', 'public'].includes(visibility) ? visibility : 'private',
    timeTrackingLimitToHours: form.limit_to_hours === 'on',
    greeting: form.greeting ?? '',
  };
}
