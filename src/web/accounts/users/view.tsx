import { profileAttributes } from '../../../values/attributes/user-attributes.ts';
import {
  AttributeFields,
  namesOf,
  typedValues,
  type AttributeSection,
  type Mistakes,
  type Typed,
} from '../../site/forms/attributes.tsx';
import { StatusForm, statusFields, StatusLine, type Status, type StatusDraft } from '../status/view.tsx';
import { Day } from '../../site/records/day.tsx';
import { carryShown } from '../../site/forms/fields.ts';
import { Form, NotSaved, SelectField, TextField } from '../../site/forms/forms.tsx';
import { Layout, type Site } from '../../site/layout/layout.tsx';
import type { ProjectPage } from '../../places/projects/list.ts';
import { Badge, Facts, Nothing } from '../../site/records/records.tsx';
import { AccountLayout } from '../../site/layout/sections.tsx';
import { Avatar, picturedFields, type Pictured } from '../../places/avatars/avatar.tsx';
import type { Happening } from '../../planning/activity/happenings.ts';
import { emptyOf, Happenings, personActivityPath } from '../../planning/activity/view.tsx';
import { AvatarForm } from '../../places/avatars/form.tsx';
import { Projects } from '../../places/place/view.tsx';

/** What signed-in people see of each other. */
export interface Profiled extends Pictured {
  readonly username: string;
  readonly publicEmail: string | null;
  /** Null if the profile is private. */
  readonly createdAt: string | null;
  readonly status: Status | null;
  readonly pronouns: string | null;
  readonly jobTitle: string;
  readonly organization: string;
  readonly location: string;
  readonly bio: string;
  readonly websiteUrl: string;
  readonly linkedin: string;
  readonly twitter: string;
  readonly discord: string;
  readonly github: string;
}

/** The fields of a person that operations select for their page. */
export const profiledFields = `${picturedFields} username publicEmail createdAt ${statusFields} pronouns jobTitle organization location bio websiteUrl linkedin twitter discord github`;

interface ProfileProps {
  readonly site: Site;
  readonly person: Profiled;
  /** The emoji of the status. */
  readonly symbol: string | undefined;
  /** Projects in the person's own namespace. */
  readonly projects: ProjectPage;
  /** What the person did, the latest first; not all of it. */
  readonly happenings: readonly Happening[];
}

export function Profile({ site, person, symbol, projects, happenings }: ProfileProps) {
  const { id, name, username, publicEmail, createdAt, status, pronouns, bio, websiteUrl } = person;
  const isOwn = username === site.visitor?.username;
  const work = [person.jobTitle, person.organization].filter(Boolean).join(' at ');
  return (
    <Layout site={site} title={name} load={['copy.js']}>
      <div class="named">
        <Avatar of={person} large />
        <div>
          <p class="kind">{isOwn ? 'You' : 'User'}</p>
          <h1>
            <bdi>{name}</bdi>
          </h1>
        </div>
      </div>
      {status && <StatusLine status={status} symbol={symbol} />}
      {bio && <p>{bio}</p>}
      <Facts
        facts={[
          ['ID', <code class="copyable">{String(id)}</code>],
          ['Username', <code class="copyable">{username}</code>],
          pronouns !== null && ['Pronouns', pronouns],
          publicEmail !== null && ['E-mail', <a href={`mailto:${publicEmail}`}>{publicEmail}</a>],
          work !== '' && ['Work', work],
          person.location !== '' && ['Location', person.location],
          // The schema takes http and https only.
          websiteUrl !== '' && [
            'Website',
            <a href={websiteUrl} rel="nofollow noopener noreferrer me">
              {websiteUrl}
            </a>,
          ],
          person.linkedin !== '' && ['LinkedIn', person.linkedin],
          person.twitter !== '' && ['Twitter', person.twitter],
          person.discord !== '' && ['Discord', person.discord],
          person.github !== '' && ['GitHub', person.github],
          createdAt !== null && ['Member since', <Day at={createdAt} />],
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
      <div class="panel-head">
        <h2>Activity</h2>
        {happenings.length > 0 && <a href={personActivityPath(username)}>All activity</a>}
      </div>
      {happenings.length === 0 ? (
        <Nothing says={emptyOf(isOwn, createdAt === null)}>
          {isOwn && <a href="/explore/projects?scope=mine">Find one of your projects</a>}
        </Nothing>
      ) : (
        <Happenings happenings={happenings} />
      )}
    </Layout>
  );
}

export const profilePath = '/profile';
export const ownAvatarPath = `${profilePath}/avatar`;

/** What the viewer sees of their own account. */
export interface OwnAccount extends Profiled {
  readonly createdAt: string;
  readonly privateProfile: boolean;
  readonly email: string | null;
  readonly confirmedAt: string | null;
  readonly isAdministrator: boolean;
  readonly emails: { readonly nodes: readonly { readonly email: string; readonly confirmedAt: string | null }[] };
}

/** The attributes on the page of one's own profile. */
export const profileSections: readonly AttributeSection<keyof typeof profileAttributes>[] = [
  { title: 'About you', names: ['pronouns', 'jobTitle', 'organization', 'location', 'bio'] },
  { title: 'Elsewhere', names: ['websiteUrl', 'linkedin', 'twitter', 'discord', 'github'] },
  { title: 'Privacy', names: ['privateProfile'] },
];

const profileHints = {
  bio: 'At most 255 characters.',
  websiteUrl: 'With http or https.',
  discord: 'The number of your account.',
  privateProfile: 'Others don’t see since when you have your account, and what you do.',
};

/** What the page shows, and what was typed into its forms if they have errors. */
interface OwnProfileProps {
  readonly site: Site;
  readonly account: OwnAccount;
  readonly typed?: Typed;
  readonly mistakes?: Mistakes;
  readonly statusDraft?: StatusDraft;
  readonly statusMistakes?: Mistakes;
  /** Why the picture was refused. */
  readonly pictureErrors?: readonly string[];
}

/** What the form of the profile shows. */
const typedProfile = (account: OwnAccount): Typed => ({
  name: account.name,
  public_email: account.publicEmail ?? '',
  ...typedValues(profileAttributes, namesOf(profileSections), { ...account }),
});

/** The forms for the viewer's own profile. */
export function OwnProfile(props: OwnProfileProps) {
  const { site, account, mistakes, statusMistakes, pictureErrors } = props;
  const { username, createdAt, email, confirmedAt, isAdministrator, emails } = account;
  const confirmed = emails.nodes.filter((address) => address.confirmedAt !== null);
  const shown = typedProfile(account);
  const typed = props.typed ?? shown;
  const wrong = mistakes ?? statusMistakes ?? pictureErrors;
  return (
    <AccountLayout site={site} title={`${wrong ? 'Error: ' : ''}Profile`} current={profilePath}>
      <h1>Profile</h1>
      <p class="lead">
        What others see on <a href={`/${username}`}>your public page</a>.
      </p>
      {wrong && <NotSaved />}
      <h2>Your status</h2>
      <StatusForm site={site} status={account.status} draft={props.statusDraft} mistakes={statusMistakes} />
      <h2>Your profile</h2>
      <Form csrf={site.visitor!.csrf} action={profilePath} carries={carryShown(shown)}>
        <TextField
          name="name"
          label="Name"
          value={typed.name ?? ''}
          errors={mistakes?.name}
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
          value={typed.public_email ?? ''}
          errors={mistakes?.publicEmail}
        />
        {profileSections.map((section) => (
          <AttributeFields
            table={profileAttributes}
            section={section}
            typed={typed}
            mistakes={mistakes ?? {}}
            hints={profileHints}
          />
        ))}
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
