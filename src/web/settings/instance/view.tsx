import { carryShown } from '../../site/forms/fields.ts';
import { grantChoices, scopeChoices } from '../../site/forms/choices.tsx';
import { Choices, Form, NotSaved, SelectField, TextField } from '../../site/forms/forms.tsx';
import type { Site } from '../../site/layout/layout.tsx';
import { AdminLayout } from '../../site/layout/sections.tsx';
import type { Mistakes } from '../../site/forms/attributes.tsx';

export const settingsPath = '/admin/settings';

export interface Settings {
  readonly signUp: boolean;
  readonly requireAdminApprovalAfterUserSignup: boolean;
  readonly grants: readonly string[];
  readonly newApplicationScopes: readonly string[];
  readonly newApplicationGrants: readonly string[];
  readonly impliedGrants: readonly string[];
  readonly guardAdministrators: boolean;
  readonly keepPasswordGrant: boolean;
  readonly projectVisibility: string;
  readonly timeTrackingLimitToHours: boolean;
  readonly greeting: string;
}

export const settingsFields =
  'signUp requireAdminApprovalAfterUserSignup grants newApplicationScopes newApplicationGrants impliedGrants guardAdministrators keepPasswordGrant projectVisibility timeTrackingLimitToHours greeting';

/** A setting as text, to compare it with what the page showed. Lists are sorted: their order means nothing. */
export const asText = (value: Settings[keyof Settings]): string =>
  typeof value === 'object' ? value.toSorted().join(' ') : String(value);

interface SettingsFormProps {
  readonly site: Site;
  readonly settings: Settings;
  /** The stored settings, when the form is shown again with errors; `settings` otherwise. */
  readonly shown?: Settings;
  /** The scopes and grants to choose from, and whether the instance sends mail. */
  readonly offer: { readonly scopes: readonly string[]; readonly grants: readonly string[]; readonly mail: boolean };
  readonly errors?: Mistakes;
}

const noMail = 'without a mail server (CAUSEWAY_SMTP_URL) no e-mail address can be confirmed.';

/** The switch for signing up. Without mail it can't be switched on, but it can be switched off. */
function signUpSwitch(on: boolean, mail: boolean): { readonly says: string; readonly disabled?: boolean } {
  if (mail) return { says: 'They confirm their e-mail address by a link in a message.' };
  return on ? { says: `No effect: ${noMail}` } : { says: `Can’t be switched on: ${noMail}`, disabled: true };
}

export function SettingsForm({ site, settings, shown = settings, offer, errors = {} }: SettingsFormProps) {
  const wrong = Object.keys(errors).length > 0;
  return (
    <AdminLayout site={site} title={wrong ? 'Error: Settings' : 'Settings'} current={settingsPath}>
      <h1>Settings</h1>
      <p class="lead">
        Settings of the instance, which apply to everyone within a second. Settings from environment variables aren’t
        shown here.
      </p>
      {wrong && <NotSaved />}
      <Form
        csrf={site.visitor!.csrf}
        action={settingsPath}
        carries={carryShown(Object.fromEntries(Object.entries(shown).map(([name, value]) => [name, asText(value)])))}
      >
        <TextField
          name="greeting"
          label="Greeting"
          hint="Shown on the sign-in page, for example “Ask in room 12 for an account.”"
          value={settings.greeting}
          errors={errors.greeting}
          lines={3}
        />
        <Choices
          name="entrance"
          label="Sign-up"
          errors={errors.signUp}
          choices={[
            {
              name: 'sign_up',
              label: 'Anyone can create an account',
              ...signUpSwitch(shown.signUp, offer.mail),
              chosen: settings.signUp,
            },
            {
              name: 'require_approval',
              label: 'Require administrator approval for new sign-ups',
              says: 'Until then they can’t sign in. Accounts that wait are among the users, as pending approval.',
              chosen: settings.requireAdminApprovalAfterUserSignup,
            },
          ]}
        />
        <SelectField
          name="project_visibility"
          label="Visibility of new projects"
          hint="For projects that are created without a visibility."
          value={settings.projectVisibility}
          options={[
            { value: 'private', label: 'Private: only members' },
            { value: 'internal', label: 'Internal: everyone who is signed in' },
            { value: 'public', label: 'Public: everyone' },
          ]}
        />
        <Choices
          name="time_tracking"
          label="Time tracking"
          choices={[
            {
              name: 'limit_to_hours',
              label: 'Show durations in hours and minutes',
              says: 'For example 80h 30m instead of 2w 30m. People go on entering days, weeks and months as they like.',
              chosen: settings.timeTrackingLimitToHours,
            },
          ]}
        />
        <Choices
          name="grants"
          label="Grants"
          hint="The ways in which applications get tokens. No application can use a grant that isn’t ticked."
          errors={errors.grants}
          choices={grantChoices({ prefix: 'grants.', offered: offer.grants, chosen: settings.grants })}
        />
        <Choices
          name="new_grants"
          label="Grants of new applications"
          hint="Ticked by default when a person registers an application on a page."
          errors={errors.newApplicationGrants}
          grid
          choices={grantChoices({
            prefix: 'new_grants.',
            offered: offer.grants,
            chosen: settings.newApplicationGrants,
            described: false,
          })}
        />
        <Choices
          name="implied_grants"
          label="Grants of applications registered over the API"
          hint="For registrations that name no grants. A public application gets only those that it can use."
          errors={errors.impliedGrants}
          grid
          choices={grantChoices({
            prefix: 'implied_grants.',
            offered: offer.grants,
            chosen: settings.impliedGrants,
            described: false,
          })}
        />
        <Choices
          name="new_scopes"
          label="Scopes of new applications"
          hint="Ticked by default when a person registers an application on a page."
          errors={errors.newApplicationScopes}
          grid
          choices={scopeChoices({
            prefix: 'new_scopes.',
            offered: offer.scopes,
            chosen: settings.newApplicationScopes,
            described: false,
          })}
        />
        <Choices
          name="guard"
          label="Administrators"
          choices={[
            {
              name: 'guard_administrators',
              label: 'Protect administrators from applications',
              says: 'Administrators can grant api and sudo only to applications of the instance, which administrators register. Existing authorizations stay.',
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
              says: 'Applications that people registered can’t exchange a username and password for tokens. Existing tokens stay.',
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
