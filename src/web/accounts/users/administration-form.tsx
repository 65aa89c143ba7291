import { Conflict, InvalidFields } from '../../../errors.ts';
import { userAttributes, type UserAttributes } from '../../../values/attributes/user-attributes.ts';
import {
  AttributeFields,
  mistakesIn,
  namesOf,
  typedIn,
  typedValues,
  type AttributeSection,
  type Mistakes,
  type Typed,
} from '../../site/forms/attributes.tsx';
import { carryShown, type Fields } from '../../site/forms/fields.ts';
import { Choices, Form, NotSaved, SelectField, TextField } from '../../site/forms/forms.tsx';
import type { Site } from '../../site/layout/layout.tsx';
import { AdminLayout } from '../../site/layout/sections.tsx';
import { userPath, usersPath, type ShownUser } from './administration-view.tsx';

/** The form of an account, for administrators. */

const sections: readonly AttributeSection<keyof UserAttributes>[] = [
  { title: 'Limits', names: ['projectsLimit', 'external', 'canCreateGroup'] },
  { title: 'Profile', names: ['note', 'privateProfile'] },
];

/** The attributes that administrators write here. */
export const attributeNames = namesOf(sections);

const hints = {
  projectsLimit: 'How many projects of their own they may have. 0: none. Empty: as many as usual.',
  external:
    'Sees only what is public, and where they have a role. A change to external takes away groups and personal projects, a change back gives them, unless you say otherwise here.',
  canCreateGroup: 'Creates groups that are in no other group. External users never do.',
  note: 'Only administrators see it.',
  privateProfile: 'Others don’t see since when they have their account, nor what they starred.',
};

/** What the form holds. */
export interface UserDraft {
  readonly name: string;
  readonly username: string;
  readonly administrator: boolean;
  readonly tier: 'FREE' | 'PREMIUM';
  /** Only for a new account. */
  readonly email: string;
  readonly emailVerified: boolean;
}

const blank: UserDraft = {
  name: '',
  username: '',
  email: '',
  emailVerified: false,
  administrator: false,
  tier: 'FREE',
};

/** An account as the form shows it. */
export type EditedUser = Pick<ShownUser, 'id' | 'name' | 'username' | 'tier' | 'isAdministrator'> & {
  readonly [Name in (typeof attributeNames)[number]]: unknown;
};

/** The fields of an account that the form shows besides those of its page. */
export const editedFields = attributeNames.join(' ');

const labels: Readonly<Record<string, string>> = {
  name: 'Name',
  username: 'Username',
  email: 'E-mail',
  password: 'Password',
};

/** What was refused in a form about a user, in sentences, by field. @throws other errors */
export function mistakesOf(problem: unknown): Mistakes {
  if (problem instanceof Conflict && problem.field) return { [problem.field]: [`${problem.message}.`] };
  if (!(problem instanceof InvalidFields)) throw problem;
  return mistakesIn(problem.fields, labels);
}

export const toDraft = (form: Fields): UserDraft => ({
  name: form.name ?? '',
  username: form.username ?? '',
  email: form.email ?? '',
  emailVerified: form.verified === 'on',
  administrator: form.administrator === 'on',
  tier: form.tier === 'PREMIUM' ? 'PREMIUM' : 'FREE',
});

/** The attributes of an account as the form shows them; those of a new one have their defaults. */
const typedAttributes = (user: EditedUser | null): Typed =>
  typedValues(
    userAttributes,
    attributeNames,
    user ?? Object.fromEntries(attributeNames.map((name) => [name, userAttributes[name].unset])),
  );

interface UserFormProps {
  readonly site: Site;
  /** Null for a new account. */
  readonly user: EditedUser | null;
  /** What was sent, if it has errors. */
  readonly form?: Fields;
  readonly errors?: Mistakes;
}

export function UserForm({ site, user, form, errors = {} }: UserFormProps) {
  const title = user ? `Edit ${user.name}` : 'New user';
  const wrong = Object.keys(errors).length > 0;
  const draft = form ? toDraft(form) : user ? { ...blank, ...user, administrator: user.isAdministrator } : blank;
  const shown = typedAttributes(user);
  const typed = form ? typedIn(attributeNames, form) : shown;
  const carried = user ? { name: user.name, username: user.username, tier: user.tier, ...shown } : shown;
  return (
    <AdminLayout
      site={site}
      title={wrong ? `Error: ${title}` : title}
      current={usersPath}
      load={user ? [] : ['password.js']}
    >
      <h1>
        <bdi>{title}</bdi>
      </h1>
      {wrong && <NotSaved />}
      <Form
        csrf={site.visitor!.csrf}
        action={user ? `${userPath(user)}/edit` : `${usersPath}/new`}
        carries={carryShown(carried)}
      >
        <TextField name="name" label="Name" value={draft.name} errors={errors.name} required />
        <TextField
          name="username"
          label="Username"
          hint={
            user
              ? 'The addresses of their page and projects change with it.'
              : 'Part of the address of their page. Letters, digits, “_”, “-” and “.”.'
          }
          value={draft.username}
          errors={errors.username}
          technical
          required
        />
        {!user && (
          <>
            <TextField name="email" label="E-mail" type="email" value={draft.email} errors={errors.email} required />
            <Choices
              name="verification"
              label="Verification"
              choices={[
                {
                  name: 'verified',
                  label: 'Skip confirmation',
                  says: 'They can sign in at once. Otherwise they have to verify the address first.',
                  chosen: draft.emailVerified,
                },
              ]}
            />
            <TextField
              name="password"
              label="Password"
              type="password"
              autocomplete="new-password"
              hint="At least 8 characters, and no common password. Leave it empty to set one later: the user can’t sign in until then."
              errors={errors.password}
            />
          </>
        )}
        <Choices
          name="rights"
          label="Access level"
          errors={errors.administrator}
          choices={[
            {
              name: 'administrator',
              label: 'Administrator',
              says: 'Sees everything, and manages users and the instance.',
              chosen: draft.administrator,
            },
          ]}
        />
        <SelectField
          name="tier"
          label="Tier"
          value={draft.tier}
          options={[
            { value: 'FREE', label: 'Free' },
            { value: 'PREMIUM', label: 'Premium, which has epics' },
          ]}
        />
        {sections.map((section) => (
          <AttributeFields table={userAttributes} section={section} typed={typed} mistakes={errors} hints={hints} />
        ))}
        <div class="decision">
          <button class="button primary">{user ? 'Save changes' : 'Create user'}</button>
          <a href={user ? userPath(user) : usersPath}>Cancel</a>
        </div>
      </Form>
    </AdminLayout>
  );
}
