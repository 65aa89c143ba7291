import type { GraphQLSchema } from 'graphql';
import { domainError } from '../../../context.ts';
import { Moved } from '../../../errors.ts';
import { compileOperation } from '../../../operation.ts';
import { overviewReader } from '../../repository/overview/read.ts';
import { settingFields } from '../../settings/notification-settings/setting.tsx';
import { readQuery } from '../../site/forms/fields.ts';
import { nameSegments } from '../../site/paths.ts';
import {
  furtherCursor,
  pageInfoFields,
  pagesAround,
  type FurtherCursor,
  type Paged,
} from '../../site/records/paging.ts';
import type { Visit } from '../../site/visit.ts';
import { picturedFields } from '../avatars/avatar.tsx';
import { projectLister, type ListedPlace } from '../projects/list.ts';
import { placePath, type Kind } from './place.ts';
import { navigated } from './route.ts';
import type { PlaceData } from './view.tsx';

/** The number of entries that a page shows of a long list. */
const maxMembers = 20;
const subgroupsOnPage = 20;
const sharedOnPage = 20;
/** The cursors of the lists below a group: the usual one is that of its projects. */
const ofSubgroups = furtherCursor('groups');
const ofSharedGroups = furtherCursor('shared_groups');
const ofSharedProjects = furtherCursor('shared_projects');

/** What the pages of groups and projects show of the place itself. */
const shownFields = {
  group: `userPermissions { ${navigated.group} requestAccess edits: viewEditPage createProjects createSubgroup }`,
  project: `issuesEnabled mergeRequestsEnabled jobsEnabled snippetsEnabled openMergeRequests: mergeRequests(state: opened, first: 1) { count }
    archived userPermissions { ${navigated.project} requestAccess edits: adminProject }`,
} as const;

const listed = `nodes { ${picturedFields} fullPath description visibility }`;

/** What the pages of groups and projects read and change. */
export function placeOperations(schema: GraphQLSchema) {
  const each = <Operation>(compile: (kind: Kind) => Operation) => ({
    group: compile('group'),
    project: compile('project'),
  });
  const find = each((kind) =>
    compileOperation<PlaceData>(
      schema,
      `query ($path: ID!, $signedIn: Boolean!) {
        place: ${kind}(fullPath: $path) {
          ${picturedFields} fullPath description visibility createdAt ${shownFields[kind]}
          members: ${kind}Members(first: ${maxMembers}) { nodes { accessLevel { stringValue } user { ${picturedFields} username } } pageInfo { hasNextPage } }
          shares: sharedWithGroups { groupName groupFullPath accessLevel { stringValue } }
          currentUserAccessRequest @include(if: $signedIn) { requestedAt }
        }
        setting: notificationSettings(${kind}: $path) @include(if: $signedIn) { ${settingFields} }
      }`,
    ),
  );
  const locate = each((kind) =>
    compileOperation<{ place: { fullPath: string } | null }>(
      schema,
      `query ($id: ID!) { place: ${kind}(fullPath: $id) { fullPath } }`,
    ),
  );
  const below = compileOperation<{
    groups: Paged<ListedPlace>;
    group: Record<'sharedGroups' | 'sharedProjects', Paged<ListedPlace>> | null;
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

  return {
    projectsIn: projectLister(schema),
    codeOf: overviewReader(schema),

    /** The place with that path; null if the viewer may not see it. */
    async found({ context, site }: Visit, kind: Kind, path: string): Promise<PlaceData | null> {
      const segments = nameSegments(path);
      if (!segments) return null;
      const variables = { path: segments.join('/'), signedIn: site.visitor !== null };
      const data = await find[kind].execute(context, variables);
      return data.place && data;
    },

    /** The page of a place that had a path formerly; null if there is none. */
    async movedFrom({ context }: Visit, kind: Kind, path: string): Promise<string | null> {
      try {
        await locate[kind].execute(context, { id: path });
      } catch (thrown) {
        const problem = domainError(thrown);
        if (!(problem instanceof Moved)) throw thrown;
        const { place } = await locate[kind].execute(context, { id: String(problem.id) });
        return place && placePath(kind, place.fullPath);
      }
      return null;
    },

    /** The subgroups of a group, and what is shared with it. */
    async aroundOf({ context, exchange }: Visit, parent: string) {
      const query = readQuery(exchange);
      const { groups, group } = await below.execute(context, {
        parent,
        ...ofSubgroups.variables(query, subgroupsOnPage),
        ...ofSharedGroups.variables(query, sharedOnPage),
        ...ofSharedProjects.variables(query, sharedOnPage),
      });
      const part = ({ nodes, pageInfo }: Paged<ListedPlace>, { names }: FurtherCursor) => ({
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
    },

    setPicture: {
      group: compileOperation<object>(
        schema,
        'mutation ($place: ID!, $avatar: AvatarInput) { groupUpdate(input: { fullPath: $place, avatar: $avatar }) { group { id } } }',
      ),
      project: compileOperation<object>(
        schema,
        'mutation ($place: ID!, $avatar: AvatarInput) { updateProject(input: { project: $place, avatar: $avatar }) { project { id } } }',
      ),
    },
  };
}

export type PlaceOperations = ReturnType<typeof placeOperations>;
