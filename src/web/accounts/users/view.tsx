import { Day } from '../../site/day.tsx';
import { carryShown } from '../../site/fields.ts';
import { Form, NotSaved, SelectField, TextField } from '../../site/forms.tsx';
import { Layout, type Site } from '../../site/layout.tsx';
import type { ProjectPage } from '../../places/projects/list.ts';
import { Badge, Facts } from '../../site/records.tsx';
import { AccountLayout } from '../../site/sections.tsx';
import { Avatar, type Pictured } from '../../places/avatars/avatar.tsx';
import { AvatarForm } from '../../places/avatars/form.tsx';
import { Projects } from '../../places/place/view.tsx';

/** What signed-in people see of each other. */
export interface Profiled extends Pictured {
  readonly username: string;
  readonly publicEmail: string | null;
  readonly createdAt: string;
}

interface ProfileProps {
  readonly site: Site;
  readonly person: Profiled;
  /** Projects in the person's own namespace. */
  readonly projects: ProjectPage;
}

export function Profile({ site, person, projects }: ProfileProps) {
  const { name, username, publicEmail, createdAt } = person;
  const isOwn = username === site.visitor?.username;
  return (
    <Layout site={site} title={name}>
      <div class="named">
        <Avatar of={person} large />
        <div>
          <p class="kind">{isOwn ? 'You' : 'User'}</p>
          <h1>
            <bdi>{name}</bdi>
          </h1>
        </div>
      </div>
      <Facts
        facts={[
          ['Username', <code>{username}</code>],
          publicEmail !== null && ['E-mail', <a href={`mailto:${publicEmail}`}>{publicEmail}</a>],
          ['Member since', <Day at={createdAt} />],
        ]}
      />
      {isOwn && (
        <p class="decision">
          <a class="button" href={profilePath}>
            Edit your profile
          </a>
        </p>
      )}
      <Projects page={projects} empty={isOwn ? 'You have no projects.' : 'No projects to show.'} />
    </Layout>
  );
}

export const profilePath = '/profile';
export const ownAvatarPath = `${profilePath}/avatar`;

/** What the viewer sees of their own account. */
export interface OwnAccount extends Profiled {
  readonly email: string | null;
  readonly confirmedAt: string | null;
  readonly isAdministrator: boolean;
  readonly emails: { readonly nodes: readonly { readonly email: string; readonly confirmedAt: string | null }[] };
}

interface OwnProfileProps {
  readonly site: Site;
  readonly account: OwnAccount;
  /** What the person typed, if the form has errors. */
  readonly draft?: { readonly name: string; readonly publicEmail: string };
  /** Errors in sentences. */
  readonly errors?: { readonly name: readonly string[]; readonly publicEmail: readonly string[] };
  /** Why the picture was refused. */
  readonly pictureErrors?: readonly string[] | undefined;
}

/** The form for the viewer's own profile. */
export function OwnProfile({ site, account, draft, errors, pictureErrors }: OwnProfileProps) {
  const { name, username, publicEmail, createdAt, email, confirmedAt, isAdministrator, emails } = account;
  const confirmed = emails.nodes.filter((address) => address.confirmedAt !== null);
  return (
    <AccountLayout site={site} title={`${errors || pictureErrors ? 'Error: ' : ''}Profile`} current={profilePath}>
      <h1>Profile</h1>
      <p class="lead">
        What others see on <a href={`/${username}`}>your public page</a>.
      </p>
      {(errors || pictureErrors) && <NotSaved />}
      <Form
        csrf={site.visitor!.csrf}
        action={profilePath}
        carries={carryShown({ name, public_email: publicEmail ?? '' })}
      >
        <TextField
          name="name"
          label="Name"
          value={draft?.name ?? name}
          errors={errors?.name}
          autocomplete="name"
          required
        />
        <SelectField
          name="public_email"
          label="Public e-mail"
          hint="One of your confirmed addresses."
          options={[
            { value: '', label: 'None' },
            ...confirmed.map((address) => ({ value: address.email, label: address.email })),
          ]}
          value={draft?.publicEmail ?? publicEmail ?? ''}
          errors={errors?.publicEmail}
        />
        <div class="decision">
          <button class="button primary">Save changes</button>
        </div>
      </Form>
      <h2>Your picture</h2>
      <AvatarForm site={site} action={ownAvatarPath} of={account} kind="user" errors={pictureErrors} />
      <h2>Your account</h2>
      <Facts
        facts={[
          ['Username', <code>{username}</code>],
          email !== null && [
            'Primary e-mail',
            <>
              {email} {confirmedAt === null && <Badge tone="caution">Not confirmed</Badge>}
            </>,
          ],
          isAdministrator && ['Role', 'Administrator of this instance'],
          ['Member since', <Day at={createdAt} />],
        ]}
      />
    </AccountLayout>
  );
}
