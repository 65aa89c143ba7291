import type { GraphQLSchema } from 'graphql';
import { Moved, NotFound } from '../../../errors.ts';
import { compileOperation } from '../../../operation.ts';
import { domainError } from '../../../context.ts';
import { settingFields } from '../../settings/notification-settings/setting.tsx';
import { toAnswer } from '../../site/layout/page.ts';
import { errorTrackingPages } from '../../settings/error-tracking-settings/controller.tsx';
import { settingsPage } from '../settings/controller.tsx';
import { accessRequestForm } from '../access-requests/controller.tsx';
import { membersPage } from '../members/controller.tsx';
import { removalPages } from '../removal/controller.tsx';
import { sharingPage } from '../sharing/controller.tsx';
import { transferPage } from '../transfer/controller.tsx';
import { overviewReader } from '../../repository/overview/read.ts';
import { picturedFields } from '../avatars/avatar.tsx';
import { avatarMistakes, avatarNotice, avatarOf, nothingChosen } from '../avatars/form.tsx';
import { placePath, type Kind } from './place.ts';
import { navigated, type PlaceRoute } from './route.ts';
import { PlacePage, type PlaceData } from './view.tsx';
import { readQuery } from '../../site/forms/fields.ts';
import {
  furtherCursor,
  pageInfoFields,
  pagesAround,
  type FurtherCursor,
  type PageInfo,
} from '../../site/records/paging.ts';
import { nameSegments } from '../../site/paths.ts';
import { projectLister, type ListedPlace } from '../projects/list.ts';
import { seeOther, seeOtherSaying, type PageRoute, type Visit } from '../../site/visit.ts';

/** The number of entries that a page shows of a long list. */
const maxMembers = 20;
const subgroupsOnPage = 20;
const sharedOnPage = 20;
/** The cursors of the lists below a group: the usual one is that of its projects. */
const ofSubgroups = furtherCursor('groups');
const ofSharedGroups = furtherCursor('shared_groups');
const ofSharedProjects = furtherCursor('shared_projects');

/** The pages of groups and projects. Their addresses are full paths. */
export interface PlacePages {
  /** @param path the full path, as in the address */
  place(kind: Kind, path: string): PageRoute;
  /** The pages of their settings. */
  readonly below: readonly PlaceRoute[];
}

export function placePages(schema: GraphQLSchema): PlacePages {
  const finder = (kind: Kind) =>
    compileOperation<PlaceData>(
      schema,
      `query ($path: ID!, $signedIn: Boolean!) {
        place: ${kind}(fullPath: $path) {
          ${picturedFields} fullPath description visibility createdAt ${kind === 'project' ? 'issuesEnabled mergeRequestsEnabled jobsEnabled snippetsEnabled openMergeRequests: mergeRequests(state: opened, first: 1) { count } archived' : ''} userPermissions { ${navigated[kind]} requestAccess ${kind === 'group' ? 'edits: viewEditPage createProjects createSubgroup' : 'edits: adminProject'} }
          members: ${kind}Members(first: ${maxMembers}) { nodes { accessLevel { stringValue } user { ${picturedFields} username } } pageInfo { hasNextPage } }
          shares: sharedWithGroups { groupName groupFullPath accessLevel { stringValue } }
          currentUserAccessRequest @include(if: $signedIn) { requestedAt }
        }
        setting: notificationSettings(${kind}: $path) @include(if: $signedIn) { ${settingFields} }
      }`,
    );
  const listed = `nodes { ${picturedFields} fullPath description visibility }`;
  const below = compileOperation<{
    groups: { nodes: ListedPlace[]; pageInfo: PageInfo };
    group: Record<'sharedGroups' | 'sharedProjects', { nodes: ListedPlace[]; pageInfo: PageInfo }> | null;
  }>(
    schema,
    `query ($parent: ID!, ${ofSubgroups.declared}, ${ofSharedGroups.declared}, ${ofSharedProjects.declared}) {
      groups(parentPath: $parent, ${ofSubgroups.given}) { ${listed} ${pageInfoFields} }
      group(fullPath: $parent) {
        sharedGroups(${ofSharedGroups.given}) { ${listed} ${pageInfoFields} }
        sharedProjects(${ofSharedProjects.given}) { ${listed} ${pageInfoFields} }
      }
    }`,
  );

  const find = { group: finder('group'), project: finder('project') };
  const setPicture = {
    group: compileOperation<object>(
      schema,
      'mutation ($place: ID!, $avatar: AvatarInput) { groupUpdate(input: { fullPath: $place, avatar: $avatar }) { group { id } } }',
    ),
    project: compileOperation<object>(
      schema,
      'mutation ($place: ID!, $avatar: AvatarInput) { updateProject(input: { project: $place, avatar: $avatar }) { project { id } } }',
    ),
  };

  const locator = (kind: Kind) =>
    compileOperation<{ place: { fullPath: string } | null }>(
      schema,
      `query ($id: ID!) { place: ${kind}(fullPath: $id) { fullPath } }`,
    );
  const locate = { group: locator('group'), project: locator('project') };
  const projectsIn = projectLister(schema);
  const errorTracking = errorTrackingPages(schema);
  const codeOf = overviewReader(schema);

  /** The page, or the page again with what is wrong with a picture; null if the viewer may not see the place. */
  async function show(visit: Visit, kind: Kind, path: string, pictureErrors?: readonly string[]) {
    const data = await found(visit, kind, path);
    if (!data) return null;
    const { fullPath, userPermissions } = data.place!;
    const code = userPermissions.downloadCode ? await codeOf(visit, fullPath) : undefined;
    const tracked = kind === 'project' ? await errorTracking.trackedForMaintainers(visit, fullPath) : undefined;
    const projects = kind === 'group' ? await projectsIn(visit, { group: fullPath }) : undefined;
    const around = kind === 'group' ? await aroundOf(visit, fullPath) : undefined;
    return toAnswer(
      <PlacePage
        site={visit.site}
        kind={kind}
        data={data}
        errorTracking={tracked}
        subgroups={around?.subgroups}
        shared={around?.shared}
        projects={projects}
        code={code}
        pictureErrors={pictureErrors}
      />,
      pictureErrors ? 422 : 200,
      { scripts: true },
    );
  }

  /** The subgroups of a group, and what is shared with it. */
  async function aroundOf({ context, exchange }: Visit, parent: string) {
    const query = readQuery(exchange);
    const { groups, group } = await below.execute(context, {
      parent,
      ...ofSubgroups.variables(query, subgroupsOnPage),
      ...ofSharedGroups.variables(query, sharedOnPage),
      ...ofSharedProjects.variables(query, sharedOnPage),
    });
    const part = ({ nodes, pageInfo }: { nodes: ListedPlace[]; pageInfo: PageInfo }, { names }: FurtherCursor) => ({
      nodes,
      ...pagesAround(exchange.path, query, pageInfo, names),
    });
    const { nodes, ...pages } = part(groups, ofSubgroups);
    return {
      subgroups: { groups: nodes, ...pages },
      shared: group
        ? { groups: part(group.sharedGroups, ofSharedGroups), projects: part(group.sharedProjects, ofSharedProjects) }
        : undefined,
    };
  }

  async function found({ context, site }: Visit, kind: Kind, path: string): Promise<PlaceData | null> {
    const segments = nameSegments(path);
    if (!segments) return null;
    const data = await find[kind].execute(context, {
      path: segments.join('/'),
      signedIn: site.visitor !== null,
    });
    return data.place && data;
  }

  /** The page of a place that had a path formerly; null if there is none. */
  async function movedFrom({ context }: Visit, kind: Kind, path: string): Promise<string | null> {
    try {
      await locate[kind].execute(context, { id: path });
    } catch (thrown) {
      const problem = domainError(thrown);
      if (!(problem instanceof Moved)) throw thrown;
      const { place } = await locate[kind].execute(context, { id: String(problem.id) });
      return place && placePath(kind, place.fullPath);
    }
    return null;
  }

  return {
    place: (kind, path) => ({
      path,
      name: kind,
      files: true,
      async get(visit) {
        try {
          return await show(visit, kind, path);
        } catch (thrown) {
          const problem = domainError(thrown);
          // A signed-in visitor also asks for settings there, which are missing with the place.
          if (problem instanceof NotFound && !(problem instanceof Moved)) return null;
          // Of the place, or of a group above it.
          if (!(problem instanceof Moved)) throw thrown;
          const now = await movedFrom(visit, kind, path);
          return now === null ? null : seeOther(now);
        }
      },
      /** The form of the picture. */
      async post(visit, form, files) {
        const data = await found(visit, kind, path);
        if (!data) return null;
        const { fullPath } = data.place!;
        const avatar = avatarOf(form, files);
        if (avatar === undefined) return await show(visit, kind, path, nothingChosen);
        try {
          await setPicture[kind].execute(visit.context, { place: fullPath, avatar });
        } catch (problem) {
          return await show(visit, kind, path, avatarMistakes(problem));
        }
        return seeOtherSaying(avatarNotice(avatar), placePath(kind, fullPath), visit);
      },
    }),

    below: [
      errorTracking.page,
      settingsPage(schema),
      membersPage(schema),
      accessRequestForm(schema),
      sharingPage(schema),
      transferPage(schema),
      ...removalPages(schema),
    ],
  };
}
