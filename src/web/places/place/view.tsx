import { Day } from '../../site/records/day.tsx';
import { Form } from '../../site/forms/forms.tsx';
import { CodePanel } from '../../repository/overview/view.tsx';
import type { CodeOverview } from '../../repository/overview/read.ts';
import { Curl, type Site } from '../../site/layout/layout.tsx';
import { keyOf } from '../../settings/notification-settings/form.ts';
import { EventGrid, LevelField, type Setting } from '../../settings/notification-settings/setting.tsx';
import type { ListedPlace, ProjectPage } from '../projects/list.ts';
import type { PagesAround } from '../../site/records/paging.ts';
import { Badge, Facts, Pager, PersonName } from '../../site/records/records.tsx';
import { OwnAccessRequest } from '../access-requests/view.tsx';
import { PlaceLayout } from './layout.tsx';
import {
  errorTrackingPath,
  membersPath,
  placePath,
  settingsPath,
  sharingPath,
  visibilities,
  type Kind,
  type Place,
  writesTo,
} from './place.ts';
import { newGroupPath, newProjectPath } from '../creation/view.tsx';
import { Avatar } from '../avatars/avatar.tsx';
import { AvatarForm } from '../avatars/form.tsx';
import { comingBackTo, signInPath } from '../../site/return-to.ts';
import type { ErrorTrackingSettings } from '../../settings/error-tracking-settings/view.tsx';
import { notificationsPath } from '../../settings/notification-settings/view.tsx';

/** A group or a project as the viewer may see it. */
export interface PlaceData {
  readonly place: Place | null;
  /** The viewer's notification setting; absent for visitors who aren't signed in. */
  readonly setting?: Setting;
}

/** A page of the groups in a group, with the addresses of the pages before and after it. */
interface SubgroupPage {
  readonly groups: readonly ListedPlace[];
  readonly before: string | null;
  readonly after: string | null;
}

interface PlaceProps {
  readonly site: Site;
  readonly kind: Kind;
  readonly data: PlaceData;
  /** Null while nothing is configured, undefined for viewers who may not see it. */
  readonly errorTracking: ErrorTrackingSettings | null | undefined;
  /** The groups directly in this group; undefined for a project. */
  readonly subgroups: SubgroupPage | undefined;
  /** What is shared with this group; undefined for a project. */
  readonly shared: Shared | undefined;
  /** The projects of this group; undefined for a project. */
  readonly projects: ProjectPage | undefined;
  /** The repository of a project; undefined for those who don't read it. */
  readonly code?: CodeOverview | undefined;
  /** Why a picture was refused, in sentences. */
  readonly pictureErrors?: readonly string[] | undefined;
}

/** A page of a list of groups or projects. */
interface PlacePart extends PagesAround {
  readonly nodes: readonly ListedPlace[];
}

/** The groups and projects that are shared with a group, as far as the viewer sees them. */
interface Shared {
  readonly groups: PlacePart;
  readonly projects: PlacePart;
}

/** The page of a group or a project: the target of `web_url` in its record. */
export function PlacePage({
  site,
  kind,
  data: { place, setting },
  errorTracking,
  subgroups,
  shared,
  projects,
  code,
  pictureErrors,
}: PlaceProps) {
  const { id, name, fullPath, description, visibility, createdAt, members, shares, userPermissions } = place!;
  const api = `${site.baseUrl}/api/v4/${kind}s/${encodeURIComponent(fullPath)}`;
  return (
    <PlaceLayout
      site={site}
      place={{ issuesEnabled: true, mergeRequestsEnabled: true, ...place!, kind }}
      title={name}
      current="overview"
      load={['copy.js']}
    >
      <p class="kind">{kind === 'group' ? 'Group' : 'Project'}</p>
      <div class="named">
        <Avatar of={place!} kind={kind} large />
        <h1>
          <bdi>{name}</bdi>
        </h1>
      </div>
      {description && <p class="lead">{description}</p>}
      <Facts
        facts={[
          ['ID', <code class="copyable">{String(id)}</code>],
          ['Full path', <code class="copyable">{fullPath}</code>],
          ['Visibility', visibilities[visibility]],
          ['Created', <Day at={createdAt} />],
          errorTracking !== undefined && [
            'Error tracking',
            <ErrorTrackingState project={fullPath} tracked={errorTracking} />,
          ],
        ]}
      />

      <OwnAccessRequest site={site} place={{ ...place!, kind }} />
      {userPermissions.edits && site.visitor && (
        <p class="decision">
          <a class="button" href={settingsPath(kind, fullPath)}>
            Settings
          </a>
          <a class="button" href={sharingPath(kind, fullPath)}>
            Sharing
          </a>
        </p>
      )}
      {(userPermissions.createProjects || userPermissions.createSubgroup) && site.visitor && (
        <p class="decision">
          {userPermissions.createProjects && (
            <a class="button" href={`${newProjectPath}?in=${encodeURIComponent(fullPath)}`}>
              New project
            </a>
          )}
          {userPermissions.createSubgroup && (
            <a class="button" href={`${newGroupPath}?in=${encodeURIComponent(fullPath)}`}>
              New subgroup
            </a>
          )}
        </p>
      )}

      {code && <CodePanel site={site} place={place!} code={code} writes={writesTo(place!)} />}

      <section class="panel" aria-labelledby="hear">
        <h2 id="hear">Your notifications</h2>
        {setting && site.visitor ? (
          <Form csrf={site.visitor.csrf} action={notificationsPath} carries={{ return_to: placePath(kind, fullPath) }}>
            <OwnLevel kind={kind} id={id} setting={setting} name={name} />
            <div class="decision">
              <button class="button primary">Save</button>
              <a href={notificationsPath}>All your notification settings</a>
            </div>
          </Form>
        ) : (
          <p>
            <a href={comingBackTo(signInPath, site.path)}>Sign in</a> to choose your notification level for this {kind}.
          </p>
        )}
      </section>

      {subgroups && (subgroups.groups.length > 0 || subgroups.before !== null) && (
        <>
          <h2>Groups</h2>
          <Places kind="group" places={subgroups.groups} />
          <Pager of="groups" before={subgroups.before} after={subgroups.after} labels={['Before', 'More']} />
        </>
      )}
      {projects && <Projects page={projects} empty="This group has no projects that you can see." />}

      {shared && <SharedWithIt shared={shared} />}

      <Members members={members} all={site.visitor && membersPath(kind, fullPath)} />
      {shares.length > 0 && (
        <Shares shares={shares} all={site.visitor && userPermissions.edits && sharingPath(kind, fullPath)} />
      )}

      {userPermissions.edits && site.visitor && (
        <details class="more" open={pictureErrors !== undefined}>
          <summary>Picture of this {kind}</summary>
          <AvatarForm site={site} action={placePath(kind, fullPath)} of={place!} kind={kind} errors={pictureErrors} />
        </details>
      )}

      <details class="more">
        <summary>In the API</summary>
        <p>Your notification settings for this {kind}:</p>
        <Curl url={`${api}/notification_settings`} />
        {kind === 'project' && (
          <>
            <p>Its error tracking settings, for maintainers:</p>
            <Curl url={`${api}/error_tracking/settings`} />
          </>
        )}
      </details>
    </PlaceLayout>
  );
}

interface ProjectsProps {
  readonly page: ProjectPage;
  /** Shown when there are no projects. */
  readonly empty: string;
}

/** The projects of a group or of a person. */
export function Projects({ page: { projects, before, after }, empty }: ProjectsProps) {
  return (
    <>
      <h2>Projects</h2>
      {projects.length === 0 ? <p class="empty">{empty}</p> : <Places kind="project" places={projects} />}
      <Pager of="projects" before={before} after={after} labels={['Before', 'More']} />
    </>
  );
}

/** What others share with a group: its members have a role there. */
function SharedWithIt({ shared }: { readonly shared: Shared }) {
  const kinds = (['group', 'project'] as const)
    .map((kind) => ({ kind, part: shared[`${kind}s`] }))
    .filter(({ part }) => part.nodes.length > 0 || part.before !== null);
  if (kinds.length === 0) return null;
  return (
    <>
      <h2>Shared with this group</h2>
      {kinds.map(({ kind, part: { nodes, before, after } }) => (
        <>
          <Places kind={kind} places={nodes} />
          <Pager of={`shared ${kind}s`} before={before} after={after} labels={['Before', 'More']} />
        </>
      ))}
    </>
  );
}

function Places({ kind, places }: { readonly kind: Kind; readonly places: readonly ListedPlace[] }) {
  return (
    <ul class="records">
      {places.map(({ fullPath, description, visibility, ...place }) => (
        <li class="line">
          <Avatar of={place} kind={kind} />
          <div>
            <a href={placePath(kind, fullPath)}>
              <bdi>{place.name}</bdi>
            </a>
            <p>{description || fullPath}</p>
          </div>
          <Badge>{visibilities[visibility].split(':')[0]}</Badge>
        </li>
      ))}
    </ul>
  );
}

interface MembersProps extends Pick<Place, 'members'> {
  /** The page that lists all; null for visitors who aren’t signed in: it is for people. */
  readonly all: string | null;
}

/** The members that the viewer may see, with those inherited from groups above. */
function Members({ members: { nodes, pageInfo }, all }: MembersProps) {
  return (
    <>
      <h2>Members</h2>
      {nodes.length === 0 ? (
        <p class="empty">No members that you can see.</p>
      ) : (
        <ul class="records">
          {nodes.map(({ accessLevel: { stringValue: role }, user }) => (
            <li class="line">
              <Avatar of={user} />
              <div>
                <PersonName person={user} />
                <p>{user.username}</p>
              </div>
              <Badge>{role[0] + role.slice(1).toLowerCase()}</Badge>
            </li>
          ))}
        </ul>
      )}
      {pageInfo.hasNextPage && <p>There are more members. {all && <a href={all}>All members</a>}</p>}
    </>
  );
}

/** How many groups with which a place is shared its page shows. */
const maxShares = 20;

interface SharesProps extends Pick<Place, 'shares'> {
  /** The page that lists all, for those who may open it. */
  readonly all: string | false | null;
}

/** The groups with which the place is shared, and the highest role that their members get. */
function Shares({ shares, all }: SharesProps) {
  return (
    <>
      <h2>Shared with groups</h2>
      <ul class="records">
        {shares.slice(0, maxShares).map(({ groupName, groupFullPath, accessLevel: { stringValue: role } }) => (
          <li class="line">
            <div>
              <a href={placePath('group', groupFullPath)}>
                <bdi>{groupName}</bdi>
              </a>
              <p>{groupFullPath}</p>
            </div>
            <Badge>{role[0] + role.slice(1).toLowerCase()}</Badge>
          </li>
        ))}
      </ul>
      {shares.length > maxShares && <p>It is shared with more groups. {all && <a href={all}>All of them</a>}</p>}
    </>
  );
}

interface OwnLevelProps {
  readonly kind: Kind;
  readonly id: number;
  readonly name: string;
  readonly setting: Setting;
}

function OwnLevel({ kind, id, name, setting }: OwnLevelProps) {
  const field = { name: keyOf(kind, id), setting };
  return (
    <div class="place">
      <div class="place-row">
        <p class="place-name">Notification level for this {kind}</p>
        <LevelField {...field} label={`Notification level for ${name}`} />
      </div>
      <EventGrid {...field} label={name} />
    </div>
  );
}

function ErrorTrackingState({
  project,
  tracked,
}: {
  readonly project: string;
  readonly tracked: ErrorTrackingSettings | null;
}) {
  return (
    <>
      {tracked ? (
        <Badge tone={tracked.active ? 'good' : undefined}>{tracked.active ? 'On' : 'Off'}</Badge>
      ) : (
        'Not configured'
      )}{' '}
      <a href={errorTrackingPath(project)}>
        {tracked ? 'Change' : 'Configure'}
        <span class="hidden"> error tracking</span>
      </a>
    </>
  );
}
