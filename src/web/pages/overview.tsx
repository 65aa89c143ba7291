import { Day } from '../day.tsx';
import { Layout, type Site } from '../layout.tsx';
import { levels, type Level } from '../notification-words.ts';
import { Badge } from '../records.tsx';
import { authorizedPath, type Authorized } from './authorized-applications.tsx';
import { notificationsPath } from './notifications.tsx';
import { placePath, type Kind } from './place.tsx';

/** A group or a project with the level that applies there. */
export interface PlaceWithLevel {
  readonly kind: Kind;
  readonly name: string;
  readonly fullPath: string;
  readonly level: Level;
}

interface OverviewProps {
  readonly site: Site;
  readonly name: string;
  /** The primary address, while it isn't verified. */
  readonly unverified: string | null;
  readonly places: readonly PlaceWithLevel[];
  readonly hasMorePlaces: boolean;
  readonly applications: readonly Authorized[];
}

/** The start page for whoever is signed in: what is theirs, and what waits for them. */
export function Overview({ site, name, unverified, places, hasMorePlaces, applications }: OverviewProps) {
  return (
    <Layout site={site} title="Overview" current="/">
      <h1>
        Hello, <bdi>{name}</bdi>
      </h1>
      {unverified !== null && (
        <p class="warning">
          <b>{unverified}</b> isn’t verified yet, so nothing is sent there.{' '}
          {site.pages.has('/profile/emails') && <a href="/profile/emails">Verify it</a>}
        </p>
      )}

      <h2>Your groups and projects</h2>
      {places.length === 0 ? (
        <p class="empty">You are in no group and no project yet. Someone who owns one can add you.</p>
      ) : (
        <>
          <ul class="records">
            {places.map(({ kind, name: called, fullPath, level }) => (
              <li class="line">
                <div>
                  <a href={placePath(kind, fullPath)}>
                    <bdi>{called}</bdi>
                  </a>
                  <p>
                    {kind === 'group' ? 'Group' : 'Project'} {fullPath}
                  </p>
                </div>
                <Badge>
                  <span class="hidden">You hear: </span>
                  {levels[level].name}
                </Badge>
              </li>
            ))}
          </ul>
          <p>
            <a href={notificationsPath}>{hasMorePlaces ? 'All of them, and how much you hear of each' : 'How much you hear of each'}</a>
          </p>
        </>
      )}

      <h2>Applications with access</h2>
      {applications.length === 0 ? (
        <p class="empty">No application may act for you.</p>
      ) : (
        <>
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
          <p>
            <a href={authorizedPath}>What each of them can do</a>
          </p>
        </>
      )}
    </Layout>
  );
}
