import type { ComponentChildren } from 'preact';
import type { AssetName } from '../../site/layout/assets.ts';
import type { Site } from '../../site/layout/layout.tsx';
import { SectionLayout } from '../../site/layout/sections.tsx';
import { Crumbs } from './crumbs.tsx';
import { placePath, settingsPath } from './place.ts';
import type { PlaceHead } from './route.ts';

/** The pages in the navigation of a place. */
export type PlaceSection =
  | 'overview'
  | 'members'
  | 'activity'
  | 'code'
  | 'commits'
  | 'pipelines'
  | 'environments'
  | 'settings'
  | 'protection'
  | 'deploy-keys'
  | 'variables'
  | 'triggers'
  | 'runners'
  | 'schedules'
  | 'issues'
  | 'merge-requests'
  | 'labels'
  | 'milestones'
  | 'snippets'
  | 'epics';

interface PlaceLayoutProps {
  readonly site: Site;
  readonly place: Pick<
    PlaceHead,
    'kind' | 'name' | 'fullPath' | 'issuesEnabled' | 'mergeRequestsEnabled' | 'jobsEnabled' | 'snippetsEnabled'
  > & {
    readonly openMergeRequests?: PlaceHead['openMergeRequests'];
    readonly userPermissions?: Readonly<Record<string, boolean | undefined>>;
  };
  readonly title: string;
  readonly current: PlaceSection;
  /** Assets that the page needs besides the common stylesheet. */
  readonly load?: readonly AssetName[];
  readonly children: ComponentChildren;
}

/** The address of a page of a place. @param below begins with a slash: `/issues` */
export const below = ({ kind, fullPath }: Pick<PlaceHead, 'kind' | 'fullPath'>, path: string): string =>
  `${placePath(kind, fullPath)}/-${path}`;

/** The layout of the pages of a group or a project, with their navigation. */
export function PlaceLayout({ site, place, title, current, load = [], children }: PlaceLayoutProps) {
  const { kind, name, fullPath, issuesEnabled, mergeRequestsEnabled, jobsEnabled, openMergeRequests } = place;
  const paths: Readonly<Record<PlaceSection, string>> = {
    overview: placePath(kind, fullPath),
    members: below(place, '/members'),
    activity: below(place, '/activity'),
    code: below(place, '/tree'),
    commits: below(place, '/commits'),
    pipelines: below(place, '/pipelines'),
    environments: below(place, '/environments'),
    settings: settingsPath(kind, fullPath),
    protection: below(place, '/settings/repository'),
    'deploy-keys': below(place, '/deploy_keys'),
    variables: below(place, '/variables'),
    triggers: below(place, '/triggers'),
    runners: below(place, '/runners'),
    schedules: below(place, '/pipeline_schedules'),
    issues: below(place, '/issues'),
    'merge-requests': below(place, '/merge_requests'),
    labels: below(place, '/labels'),
    milestones: below(place, '/milestones'),
    snippets: below(place, '/snippets'),
    epics: below(place, '/epics'),
  };
  return (
    <SectionLayout
      site={site}
      title={title}
      current={paths[current]}
      load={load}
      name={name}
      sections={[
        { path: paths.overview, label: kind === 'group' ? 'Group overview' : 'Project overview' },
        ...(site.visitor ? [{ path: paths.members, label: 'Members' }] : []),
        { path: paths.activity, label: 'Activity' },
        ...(place.userPermissions?.downloadCode
          ? [
              { path: paths.code, label: 'Code' },
              { path: paths.commits, label: 'Commits' },
            ]
          : []),
        ...(place.userPermissions?.readPipeline
          ? [
              { path: paths.pipelines, label: 'Pipelines' },
              ...(jobsEnabled ? [{ path: paths.schedules, label: 'Schedules' }] : []),
            ]
          : []),
        ...(place.userPermissions?.readEnvironment ? [{ path: paths.environments, label: 'Environments' }] : []),
        ...(issuesEnabled ? [{ path: paths.issues, label: 'Issues' }] : []),
        ...(mergeRequestsEnabled
          ? [
              {
                path: paths['merge-requests'],
                label: 'Merge requests',
                ...(openMergeRequests && { count: openMergeRequests.count }),
              },
            ]
          : []),
        { path: paths.labels, label: 'Labels' },
        { path: paths.milestones, label: 'Milestones' },
        ...(place.snippetsEnabled ? [{ path: paths.snippets, label: 'Snippets' }] : []),
        ...(place.kind === 'project' && place.userPermissions?.adminProject
          ? [
              { path: paths.settings, label: 'Settings' },
              ...(place.userPermissions.downloadCode ? [{ path: paths.protection, label: 'Protection' }] : []),
              { path: paths['deploy-keys'], label: 'Deploy keys' },
              { path: paths.variables, label: 'CI variables' },
              { path: paths.triggers, label: 'Triggers' },
              { path: paths.runners, label: 'Runners' },
            ]
          : []),
        ...(place.kind === 'group' && place.userPermissions?.viewEditPage
          ? [
              { path: paths.settings, label: 'Settings' },
              { path: paths.variables, label: 'CI variables' },
              { path: paths.runners, label: 'Runners' },
            ]
          : []),
        ...(place.userPermissions?.readEpic ? [{ path: paths.epics, label: 'Epics' }] : []),
      ]}
    >
      <Crumbs kind={kind} place={place} isHere={current === 'overview'} />
      {children}
    </SectionLayout>
  );
}
