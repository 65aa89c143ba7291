import { carryShown } from '../../site/fields.ts';
import { Choices, Form, NotSaved, SelectField, TextField } from '../../site/forms.tsx';
import type { Site } from '../../site/layout.tsx';
import { AdminLayout } from '../../site/sections.tsx';
import { grantName, grantSays } from '../../site/words.ts';
import type { Mistakes } from '../../accounts/users/administration-view.tsx';

export const settingsPath = '/admin/settings';

export interface Settings {
  readonly signUp: boolean;
  readonly grants: readonly string[];
  readonly newApplicationScopes: readonly string[];
  readonly newApplicationGrants: readonly string[];
  readonly impliedGrants: readonly string[];
  readonly guardAdministrators: boolean;
  readonly keepPasswordGrant: boolean;
  readonly projectVisibility: string;
  readonly greeting: string;
}

export const settingsFields =
  'signUp grants newApplicationScopes newApplicationGrants impliedGrants guardAdministrators keepPasswordGrant projectVisibility greeting';

/** A setting as one text, to compare it with what the page showed. Lists in no particular order. */
export const asText = (value: Settings[keyof Settings]): string =>
  typeof value === 'object' ? value.toSorted().join(' ') : String(value);

interface SettingsFormProps {
  readonly site: Site;
  readonly settings: Settings;
  /** What the page showed before the form came back; the settings themselves otherwise. */
  readonly shown?: Settings;
  /** What there is to choose from, and whether mail is sent. */
  readonly offer: { readonly scopes: readonly string[]; readonly grants: readonly string[]; readonly mail: boolean };
  readonly errors?: Mistakes;
}

const noMail = 'no mail server is named (CAUSEWAY_SMTP_URL), so that no address could be confirmed.';

/** Without mail it can't be switched on; one that is on can be switched off. */
function signUpSwitch(on: boolean, mail: boolean): { readonly says: string; readonly disabled?: boolean } {
  if (mail) return { says: 'They confirm their address by a link that is mailed to them.' };
  return on ? { says: `Without effect: ${noMail}` } : { says: `Can’t be switched on: ${noMail}`, disabled: true };
}

export function SettingsForm({ site, settings, shown = settings, offer, errors = {} }: SettingsFormProps) {
  const wrong = Object.keys(errors).length > 0;
  return (
    <AdminLayout site={site} title={wrong ? 'Error: Settings' : 'Settings'} current={settingsPath}>
      <h1>Settings</h1>
      <p class="lead">They hold for everyone, everywhere within a second. What the environment sets isn’t here.</p>
      {wrong && <NotSaved />}
      <Form
        csrf={site.visitor!.csrf}
        action={settingsPath}
        carries={carryShown(Object.fromEntries(Object.entries(shown).map(([name, value]) => [name, asText(value)])))}
      >
        <TextField
          name="greeting"
          label="Greeting"
          hint="Shown to those who come to sign in, as in: “Ask in room 12 for an account.”"
          value={settings.greeting}
          errors={errors.greeting}
          lines={3}
        />
        <Choices
          name="entrance"
          label="Signing up"
          errors={errors.signUp}
          choices={[
            {
              name: 'sign_up',
              label: 'Strangers may make accounts',
              ...signUpSwitch(shown.signUp, offer.mail),
              chosen: settings.signUp,
            },
          ]}
        />
        <SelectField
          name="project_visibility"
          label="Visibility of new projects"
          hint="Where nobody says another."
          value={settings.projectVisibility}
          options={[
            { value: 'PRIVATE', label: 'Private: their members' },
            { value: 'INTERNAL', label: 'Internal: everyone who is signed in' },
            { value: 'PUBLIC', label: 'Public: everyone' },
          ]}
        />
        <Choices
          name="grants"
          label="Grants"
          hint="The ways in which applications get tokens. Without its tick a way is closed to every application."
          errors={errors.grants}
          choices={offer.grants.map((grant) => ({
            name: `grants.${grant}`,
            label: grantName(grant),
            says: grantSays(grant),
            chosen: settings.grants.includes(grant),
          }))}
        />
        <Choices
          name="new_grants"
          label="Grants of new applications"
          hint="Ticked already where a person registers one on a page."
          errors={errors.newApplicationGrants}
          grid
          choices={offer.grants.map((grant) => ({
            name: `new_grants.${grant}`,
            label: grantName(grant),
            chosen: settings.newApplicationGrants.includes(grant),
          }))}
        />
        <Choices
          name="implied_grants"
          label="Grants of applications registered over the API"
          hint="For a registration that names none. A public application gets only those that it can use."
          errors={errors.impliedGrants}
          grid
          choices={offer.grants.map((grant) => ({
            name: `implied_grants.${grant}`,
            label: grantName(grant),
            chosen: settings.impliedGrants.includes(grant),
          }))}
        />
        <Choices
          name="new_scopes"
          label="Scopes of new applications"
          hint="Ticked already where a person registers one on a page."
          errors={errors.newApplicationScopes}
          grid
          choices={offer.scopes.map((scope) => ({
            name: `new_scopes.${scope}`,
            label: <code>{scope}</code>,
            chosen: settings.newApplicationScopes.includes(scope),
          }))}
        />
        <Choices
          name="guard"
          label="Administrators"
          choices={[
            {
              name: 'guard_administrators',
              label: 'Keep their power from applications',
              says: 'Administrators can give api and sudo only to applications of the instance, which administrators registered over the API. What they gave before stays.',
              chosen: settings.guardAdministrators,
            },
          ]}
        />
        <Choices
          name="passwords"
          label="Passwords"
          choices={[
            {
              name: 'keep_password_grant',
              label: 'Keep the password grant for applications of the instance',
              says: 'Applications that people registered can’t exchange a name and password for tokens. The tokens they have stay.',
              chosen: settings.keepPasswordGrant,
            },
          ]}
        />
        <div class="decision">
          <button class="button primary">Save changes</button>
        </div>
      </Form>
    </AdminLayout>
  );
}
