import { Day } from '../day.tsx';
import { Curl, Layout, type Site } from '../layout.tsx';

/** What a page shows of a group or a project. */
export interface Place {
  readonly name: string;
  readonly fullPath: string;
  readonly description: string;
  readonly visibility: keyof typeof visibilities;
  readonly createdAt: string;
}

/** The group that a place is in, as a link. */
export interface Parent {
  readonly name: string;
  readonly fullPath: string;
}

interface PlaceProps {
  readonly site: Site;
  readonly kind: 'group' | 'project';
  readonly place: Place;
  /** Null where there is none that the viewer may see. */
  readonly parent: Parent | null;
}

const visibilities = {
  PUBLIC: 'Public: everyone can see it',
  INTERNAL: 'Internal: everyone who is signed in can see it',
  PRIVATE: 'Private: its members can see it',
};

/** The page of a group or a project, where the `web_url` of its record leads. */
export function PlacePage({ site, kind, place, parent }: PlaceProps) {
  const { name, fullPath, description, visibility, createdAt } = place;
  const api = `${site.baseUrl}/api/v4/${kind}s/${encodeURIComponent(fullPath)}`;
  return (
    <Layout site={site} title={name}>
      <p class="kind">{kind === 'group' ? 'Group' : 'Project'}</p>
      <h1>{name}</h1>
      {description && <p class="lead">{description}</p>}
      <dl class="facts">
        <dt>Full path</dt>
        <dd>
          <code>{fullPath}</code>
        </dd>
        {parent && (
          <>
            <dt>In the group</dt>
            <dd>
              <a href={`/groups/${parent.fullPath}`}>{parent.name}</a>
            </dd>
          </>
        )}
        <dt>Visibility</dt>
        <dd>{visibilities[visibility]}</dd>
        <dt>Since</dt>
        <dd>
          <Day at={createdAt} />
        </dd>
      </dl>

      <h2>Over the API</h2>
      <p>How much you hear of this {kind}:</p>
      <Curl url={`${api}/notification_settings`} />
      {kind === 'project' && (
        <>
          <p>For its maintainers, how it is tied to its error tracker:</p>
          <Curl url={`${api}/error_tracking/settings`} />
        </>
      )}
    </Layout>
  );
}
