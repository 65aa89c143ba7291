import { appliedLabel, levelChoices, notificationLevels, type Level } from '../../values/kinds/notification-levels.ts';
import type { PersonalEvent } from '../access/audit/sentences.ts';
import { Ago, Day } from '../site/records/day.tsx';
import { Layout, type Site } from '../site/layout/layout.tsx';
import { Form } from '../site/forms/forms.tsx';
import { activityPath, Sentence } from '../access/audit/activity-view.tsx';
import { applicationsPath } from '../access/applications/view.tsx';
import { authorizedPath, type Authorized } from '../access/authorized-applications/view.tsx';
import type { SettingKey } from '../settings/notification-settings/form.ts';
import { notificationsPath } from '../settings/notification-settings/view.tsx';
import { newGroupPath, newProjectPath } from '../places/creation/view.tsx';
import { Avatar, type Pictured } from '../places/avatars/avatar.tsx';
import { aroundPath } from '../planning/activity/view.tsx';
import { placePath, type Kind } from '../places/place/place.ts';
import { NextSteps, type Standing } from './next.tsx';

/** A group or a project with the level that applies there. */
export interface PlaceWithLevel extends Pictured {
  readonly kind: Kind;
  readonly fullPath: string;
  readonly setting: SettingKey;
  /** As chosen. */
  readonly level: Level;
  readonly effective: Level;
}

interface OverviewProps {
  readonly site: Site;
  readonly name: string;
  readonly standing: Standing;
  readonly places: readonly PlaceWithLevel[];
  readonly hasMorePlaces: boolean;
  readonly applications: readonly Authorized[];
  /** The latest first. */
  readonly events: readonly Recent[];
}

/** An audit event by the viewer or about them. */
export interface Recent extends PersonalEvent {
  readonly at: string;
}

const doors = [
  {
    path: `${applicationsPath}/new`,
    name: 'Register an application',
    says: 'Let people sign in to your application, or let it act for them.',
  },
  {
    path: '/profile/personal_access_tokens',
    name: 'Create an access token',
    says: 'For scripts and tools that call the API as you.',
  },
  { path: '/graphql', name: 'GraphiQL', says: 'Query many settings at once, with the effective level.' },
  { path: '/docs', name: 'API reference', says: 'Every REST call with its parameters and answers.' },
];

/** The start page of a signed-in person. */
export function Overview({ site, name, standing, places, hasMorePlaces, applications, events }: OverviewProps) {
  return (
    <Layout site={site} title="Overview" current="/">
      <h1>
        Hello, <bdi>{name}</bdi>
      </h1>
      <NextSteps standing={standing} />

      <div class="panel-head">
        <h2>Your groups and projects</h2>
        <p class="ways">
          <a href={aroundPath}>Activity in them</a>
          <a href={newProjectPath}>New project</a>
          <a href={newGroupPath}>New group</a>
          <a href={notificationsPath}>{hasMorePlaces ? 'All groups and projects' : 'Notification levels'}</a>
        </p>
      </div>
      {places.length === 0 ? (
        <p class="empty">
          You aren’t a member of a group or project yet. {!site.visitor?.administrator && 'An owner can add you. '}
          <a href={newProjectPath}>Create a project</a> or <a href={newGroupPath}>a group</a>.
        </p>
      ) : (
        <Levels site={site} places={places} />
      )}

      <div class="panel-head">
        <h2>Applications with access</h2>
        <a href={authorizedPath}>Permissions of each</a>
      </div>
      {applications.length === 0 ? (
        <p class="empty">No application has access to your account.</p>
      ) : (
        <ul class="records">
          {applications.map(({ application, authorizedAt }) => (
            <li>
              <b>
                <bdi>{application.name}</bdi>
              </b>
              <p>
                Since <Day at={authorizedAt} />
              </p>
            </li>
          ))}
        </ul>
      )}

      <div class="panel-head">
        <h2>Recent activity</h2>
        <a href={activityPath}>All activity</a>
      </div>
      {events.length === 0 ? (
        <p class="empty">Nothing yet.</p>
      ) : (
        <ul class="records">
          {events.map((event) => (
            <li>
              <Sentence event={event} />
              <p>
                <Ago at={event.at} />
              </p>
            </li>
          ))}
        </ul>
      )}

      <h2>Build something</h2>
      <ul class="doors">
        {doors
          .filter(({ path }) => path === '/graphql' || site.pages.has(path))
          .map(({ path, name: called, says }) => (
            <li>
              <a href={path}>{called}</a>
              <p>{says}</p>
            </li>
          ))}
      </ul>
    </Layout>
  );
}

/** The places of a person, each with its level to choose. */
function Levels({ site, places }: Pick<OverviewProps, 'site' | 'places'>) {
  return (
    <Form csrf={site.visitor!.csrf} action={notificationsPath} carries={{ return_to: '/' }}>
      <ul class="records">
        {places.map(({ kind, fullPath, setting, level, effective, ...place }) => (
          <li class="line">
            <Avatar of={place} kind={kind} />
            <div>
              <a href={placePath(kind, fullPath)}>
                <bdi>{place.name}</bdi>
              </a>
              <p>
                {kind === 'group' ? 'Group' : 'Project'} {fullPath}
              </p>
            </div>
            <input type="hidden" name={`was.${setting}`} value={level} />
            <select name={`level.${setting}`} aria-label={`Notification level for ${fullPath}`}>
              {levelChoices.map((choice) => (
                <option value={choice} selected={choice === level}>
                  {notificationLevels[choice].label}
                  {choice === 'GLOBAL' && level === 'GLOBAL' && ` (${appliedLabel(effective)})`}
                </option>
              ))}
            </select>
          </li>
        ))}
      </ul>
      <button class="button">Save levels</button>
    </Form>
  );
}
