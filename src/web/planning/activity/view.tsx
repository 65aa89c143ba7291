import type { ComponentChildren } from 'preact';
import { Avatar } from '../../places/avatars/avatar.tsx';
import { below, PlaceLayout } from '../../places/place/layout.tsx';
import { placePath } from '../../places/place/place.ts';
import type { PlaceHead } from '../../places/place/route.ts';
import { codePath, commitPath, comparePath } from '../../repository/code/addresses.ts';
import { Layout, type Site } from '../../site/layout/layout.tsx';
import { withQuery } from '../../site/forms/fields.ts';
import { Ago } from '../../site/records/day.tsx';
import type { PagesAround } from '../../site/records/paging.ts';
import { Nothing, Pager, PersonName } from '../../site/records/records.tsx';
import { filters, type FilterName, type Happening } from './happenings.ts';

/** The page of what everybody did in one's projects. */
export const aroundPath = '/dashboard/activity';

/** The page of all that a person did. */
export const personActivityPath = (username: string): string => `/users/${username}/activity`;

interface HappeningsProps {
  readonly happenings: readonly Happening[];
  /** Whether they are all in one project, which the page names. */
  readonly inProject?: true;
}

/** What people did, each with a picture, a sentence and its time. */
export function Happenings({ happenings, inProject }: HappeningsProps) {
  return (
    <ul class="records happenings">
      {happenings.map((one) => (
        <li>
          <Avatar of={one.author} />
          <div>
            <p class="did">
              <PersonName person={one.author} /> <Deed of={one} />
              {!inProject && !one.isOfProject && !isOfMember(one) && one.project && (
                <>
                  {' '}
                  in <ProjectName project={one.project} />
                </>
              )}
            </p>
            <Said of={one} />
            <p>
              <Ago at={one.createdAt} />
            </p>
          </div>
        </li>
      ))}
    </ul>
  );
}

interface HappeningProps {
  readonly of: Happening;
}

const isOfMember = ({ action }: Happening) => ['JOINED', 'LEFT', 'EXPIRED'].includes(action);

const ProjectName = ({ project: { name, fullPath } }: { readonly project: NonNullable<Happening['project']> }) => (
  <a href={`/${fullPath}`}>
    <bdi>{name}</bdi>
  </a>
);

/** What a person does to an issue, a merge request or a milestone. */
const verbs: Readonly<Record<string, string>> = {
  CREATED: 'opened',
  CLOSED: 'closed',
  REOPENED: 'reopened',
  MERGED: 'merged',
  APPROVED: 'approved',
  DESTROYED: 'deleted',
};

/** What a person did, without who and where. */
function Deed({ of }: HappeningProps) {
  const { action, isOfProject, project, pushData, note, targetTitle } = of;
  const there = project ? <ProjectName project={project} /> : 'a project';
  if (pushData) return <Push of={of} push={pushData} />;
  if (note)
    return (
      <>
        commented on{' '}
        <Target
          type={note.noteableType}
          number={note.noteableIid ?? note.noteableDatabaseId}
          title={targetTitle}
          // The path alone: a page may be open under another host name than the gateway's own.
          path={pathOf(note.url)}
        />
      </>
    );
  if (isOfProject) return <>created {there}</>;
  if (action === 'JOINED') return <>joined {there}</>;
  if (action === 'LEFT') return <>left {there}</>;
  if (action === 'EXPIRED') return <>left {there}, because their membership expired</>;
  const { targetType, targetIid } = of;
  return (
    <>
      {verbs[action] ?? 'changed'}{' '}
      <Target
        type={targetType}
        number={targetIid}
        title={targetTitle}
        path={
          project && isTarget(targetType)
            ? below({ kind: 'project', ...project }, `${targets[targetType].path}/${targetIid}`)
            : null
        }
      />
    </>
  );
}

const pathOf = (url: string) => url.slice(new URL(url).origin.length);

const targets = {
  Issue: { name: 'issue', sign: '#', path: '/issues' },
  MergeRequest: { name: 'merge request', sign: '!', path: '/merge_requests' },
  Milestone: { name: 'milestone', sign: '%', path: '/milestones' },
  Snippet: { name: 'snippet', sign: '$', path: '/snippets' },
} as const;

const isTarget = (type: string | null): type is keyof typeof targets => type !== null && Object.hasOwn(targets, type);

interface TargetProps {
  readonly type: string | null;
  /** Null if it was removed. */
  readonly number: number | null;
  readonly title: string | null;
  readonly path: string | null;
}

/** What was changed or commented on, with a link to it while it is there. */
function Target({ type, number, title, path }: TargetProps) {
  if (!isTarget(type)) return <>something</>;
  const { name, sign } = targets[type];
  // Milestones go by their titles.
  const called = type === 'Milestone' ? name : `${name} ${sign}${number}`;
  if (number === null || path === null) return <>{type === 'Milestone' ? 'a milestone' : `an item that is gone`}</>;
  return (
    <a href={path}>
      {called}
      {title !== null && (
        <>
          {' '}
          <bdi>{title}</bdi>
        </>
      )}
    </a>
  );
}

interface PushProps extends HappeningProps {
  readonly push: NonNullable<Happening['pushData']>;
}

/** What a push did: to which branch or tag, and how many commits it brought. */
function Push({ of: { project }, push: { action, refType, ref, commitFrom, commitTo, commitCount } }: PushProps) {
  const shown =
    project && action !== 'removed' ? (
      <a class="ref" href={codePath(project, 'tree', ref)}>
        <bdi>{ref}</bdi>
      </a>
    ) : (
      <bdi class="ref">{ref}</bdi>
    );
  if (action === 'removed')
    return (
      <>
        deleted the {refType} {shown}
      </>
    );
  if (action === 'created')
    return (
      <>
        created the {refType} {shown}
      </>
    );
  // They are counted in the background.
  if (commitCount === 0) return <>pushed to {shown}</>;
  const commits = commitCount === 1 ? '1 commit' : `${commitCount.toLocaleString('en')} commits`;
  return (
    <>
      pushed{' '}
      {project && commitFrom && commitTo ? (
        <a href={comparePath(project, [commitFrom, commitTo])}>{commits}</a>
      ) : (
        commits
      )}{' '}
      to {shown}
    </>
  );
}

/** Characters of a comment that are shown. */
const longest = 200;

/** The beginning of a comment, or the title of the last commit of a push. */
function Said({ of: { note, project, pushData } }: HappeningProps) {
  if (note) {
    const [line = ''] = note.body.trim().split('\n', 1);
    const letters = [...line.trim()];
    return (
      <p class="said" dir="auto">
        {letters.length > longest ? `${letters.slice(0, longest).join('')}…` : letters.join('')}
      </p>
    );
  }
  if (!pushData?.commitTitle || !pushData.commitTo || !project) return null;
  return (
    <p class="said">
      <a href={commitPath(project, pushData.commitTo)}>
        <code>{pushData.commitTo.slice(0, 8)}</code>
      </a>{' '}
      <bdi>{pushData.commitTitle}</bdi>
    </p>
  );
}

interface ListProps extends HappeningsProps {
  readonly path: string;
  readonly filter: FilterName;
  readonly pages: PagesAround;
  /** What an empty list says, and what leads on. */
  readonly empty: string;
  readonly begin?: ComponentChildren;
}

/** A list of activity with its filters and pages. */
function ActivityList({ path, filter, pages, empty, begin, ...shown }: ListProps) {
  return (
    <>
      <nav class="tabs" aria-label="Kinds of activity">
        {(Object.keys(filters) as FilterName[]).map((name) => (
          <a
            href={withQuery(path, { event_filter: name === 'all' ? undefined : name })}
            aria-current={name === filter ? 'page' : undefined}
          >
            {filters[name].label}
          </a>
        ))}
      </nav>
      {shown.happenings.length === 0 ? (
        <Nothing
          says={filter === 'all' ? empty : 'No activity of this kind.'}
          all={filter === 'all' ? undefined : path}
        >
          {begin}
        </Nothing>
      ) : (
        <Happenings {...shown} />
      )}
      <Pager of="activity" {...pages} />
    </>
  );
}

export type ShownList = Pick<ListProps, 'path' | 'filter' | 'pages' | 'happenings'>;

interface PlaceActivityProps {
  readonly site: Site;
  readonly place: PlaceHead;
  readonly list: ShownList;
}

/** What happened in a project. */
export function ProjectActivity({ site, place, list }: PlaceActivityProps) {
  return (
    <PlaceLayout site={site} place={place} title={`Activity · ${place.name}`} current="activity">
      <h1>Activity</h1>
      <p class="lead">What people did in this project, the newest first.</p>
      <ActivityList
        {...list}
        inProject
        empty="Nothing has happened here yet."
        begin={
          place.issuesEnabled && place.userPermissions.createIssue && !place.archived ? (
            <a href={below(place, '/issues/new')}>Open an issue</a>
          ) : (
            <a href={`/${place.fullPath}`}>Look at the project</a>
          )
        }
      />
    </PlaceLayout>
  );
}

/** What happened in the projects of a group. */
export function GroupActivity({ site, place, list }: PlaceActivityProps) {
  return (
    <PlaceLayout site={site} place={place} title={`Activity · ${place.name}`} current="activity">
      <h1>Activity</h1>
      <p class="lead">What people did in the projects of this group and of its subgroups, the newest first.</p>
      <ActivityList
        {...list}
        empty="Nothing has happened in its projects yet."
        begin={<a href={placePath('group', place.fullPath)}>Look at the group</a>}
      />
    </PlaceLayout>
  );
}

interface PersonActivityProps {
  readonly site: Site;
  readonly person: { readonly name: string; readonly username: string; readonly isPrivate: boolean };
  readonly list: ShownList;
}

/** What a person's list says where it is empty. */
export const emptyOf = (isOwn: boolean, isPrivate: boolean): string => {
  if (isOwn) return 'You have done nothing in a project yet.';
  return isPrivate ? 'This profile is private.' : 'No activity to show.';
};

/** What a person did. */
export function PersonActivity({ site, person: { name, username, isPrivate }, list }: PersonActivityProps) {
  const isOwn = username === site.visitor?.username;
  return (
    <Layout site={site} title={`Activity · ${name}`}>
      <p class="kind">
        <a href={`/${username}`}>
          <bdi>{name}</bdi>
        </a>
      </p>
      <h1>Activity</h1>
      <p class="lead">
        {isOwn ? (
          <>
            What you did in projects. Elsewhere: <a href={aroundPath}>activity in your projects</a>,{' '}
            <a href="/profile/activity">activity of your account</a>.
          </>
        ) : (
          <>
            What <bdi>{name}</bdi> did in projects that you can see.
          </>
        )}
      </p>
      <ActivityList
        {...list}
        empty={emptyOf(isOwn, isPrivate)}
        begin={
          isOwn ? (
            <a href="/explore/projects?scope=mine">Find one of your projects</a>
          ) : (
            <a href={`/${username}`}>Back to the profile</a>
          )
        }
      />
    </Layout>
  );
}

/** What everybody did in the projects of the visitor. */
export function ActivityAround({ site, list }: { readonly site: Site; readonly list: ShownList }) {
  return (
    <Layout site={site} title="Activity">
      <h1>Activity</h1>
      <p class="lead">
        What everybody did in your projects. Elsewhere:{' '}
        <a href={personActivityPath(site.visitor!.username)}>what you did</a>,{' '}
        <a href="/profile/activity">activity of your account</a>.
      </p>
      <ActivityList
        {...list}
        empty="Nothing has happened in your projects yet."
        begin={<a href="/explore/projects">Find a project</a>}
      />
    </Layout>
  );
}
