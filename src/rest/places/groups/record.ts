import { someOf } from '../../../values/attributes/attributes.ts';
import { groupAttributes } from '../../../values/attributes/group-attributes.ts';
import { blankOf } from '../../../values/blank.ts';
import { groupSizes, rootSizes } from '../../../values/attributes/group-sizes.ts';
import { attributeSchemas, attributeSelection, presentAttributes } from '../../engine/attributes.ts';
import { presentShares, shareFields, sharesSchema, type ShareData } from '../sharing/record.ts';
import { objectSchema, type JsonSchema, type Record } from '../../engine/record.ts';
import { text } from '../../engine/schemas.ts';
import { snakeCase } from '../../../values/text/snake-case.ts';
import { Project, projectFields, type ProjectData } from '../projects/record.ts';

/** The attributes that every record shows, in three parts: other members come between them. */
const rights = someOf(groupAttributes, [
  'shareWithGroupLock',
  'requireTwoFactorAuthentication',
  'twoFactorGracePeriod',
  'projectCreationLevel',
  'autoDevopsEnabled',
  'subgroupCreationLevel',
  'emailsEnabled',
  'showDiffPreviewInEmail',
  'mentionsDisabled',
  'lfsEnabled',
]);
const contents = someOf(groupAttributes, [
  'mathRenderingLimitsEnabled',
  'lockMathRenderingLimitsEnabled',
  'defaultBranch',
  'defaultBranchProtection',
  'defaultBranchProtectionDefaults',
]);
const requests = someOf(groupAttributes, ['requestAccessEnabled']);
const runners = someOf(groupAttributes, ['sharedRunnersSetting', 'maxArtifactsSize']);
/** The attributes that only groups at the root have. */
const ofRoots = someOf(groupAttributes, ['preventSharingGroupsOutsideHierarchy']);
/** Among them, those that only owners see. */
const ofRootsForOwners = someOf(groupAttributes, ['enabledGitAccessProtocol']);

const [presentRights, presentContents, presentRequests, presentRunners, presentOfRoots, presentForOwners] = [
  rights,
  contents,
  requests,
  runners,
  ofRoots,
  ofRootsForOwners,
].map(presentAttributes) as [Present, Present, Present, Present, Present, Present];
type Present = ReturnType<typeof presentAttributes>;

export interface GroupData {
  readonly id: number;
  readonly webUrl: string;
  readonly name: string;
  readonly path: string;
  readonly description: string;
  readonly visibility: string;
  readonly avatarUrl: string | null;
  readonly fullName: string;
  readonly fullPath: string;
  readonly createdAt: string;
  readonly parentId: number | null;
  /** Undefined if not requested; null for those who aren't administrators. */
  readonly statistics?: { readonly [size: string]: number } | null;
  /** The same, and null below the root. */
  readonly rootStorageStatistics?: { readonly [size: string]: number | boolean } | null;
}

/** The fields that operations select for the record. */
export const groupFields = `id: databaseId webUrl name path description visibility avatarUrl fullName fullPath createdAt
  parentId: parentDatabaseId ${[rights, contents, requests, runners].map(attributeSelection).join(' ')}`;

/** The members of the statistics of a group at the root, in their order. */
const ofRoot = rootSizes.flatMap((name) =>
  name === 'containerRegistrySize' ? [name, 'containerRegistrySizeIsEstimated' as const] : [name],
);

export const statisticsFields = `statistics @include(if: $statistics) { ${groupSizes.join(' ')} }
  rootStorageStatistics @include(if: $statistics) { ${ofRoot.join(' ')} }`;

const properties: { [name: string]: JsonSchema } = {
  id: { type: 'integer' },
  web_url: { type: 'string', format: 'uri' },
  name: text,
  path: text,
  description: text,
  visibility: { type: 'string', enum: ['private', 'internal', 'public'] },
  ...attributeSchemas(rights),
  archived: { type: 'boolean', const: false, description: 'Always false: groups aren’t archived.' },
  ...attributeSchemas(contents),
  avatar_url: { type: ['string', 'null'], format: 'uri' },
  ...attributeSchemas(requests),
  full_name: { type: 'string', description: 'Names from the top level, as in `Demo / Platform`.' },
  full_path: text,
  created_at: { type: 'string', format: 'date-time' },
  parent_id: { type: ['integer', 'null'] },
  organization_id: { type: 'integer', const: 1, description: 'Always 1: there is one organization.' },
  ...attributeSchemas(runners),
  statistics: {
    ...objectSchema(Object.fromEntries(groupSizes.map((name) => [snakeCase(name), { type: 'integer' }]))),
    description: 'In bytes. Only for administrators, with `statistics=true`.',
  },
  root_storage_statistics: {
    ...objectSchema(
      Object.fromEntries(
        ofRoot.map((name) => [snakeCase(name), { type: name.endsWith('Estimated') ? 'boolean' : 'integer' }]),
      ),
    ),
    description: 'In bytes. Only for administrators, with `statistics=true`, of groups at the top level.',
  },
  marked_for_deletion_on: { type: 'null', description: 'Always null: a group that is being deleted isn’t shown.' },
};

const blankGroup = blankOf(Object.keys(properties));

export const Group: Record<GroupData> = {
  name: 'Group',
  schema: objectSchema(properties, ['statistics', 'root_storage_statistics']),
  present(group) {
    const record = presentRights(
      Object.assign(blankGroup(), {
        id: group.id,
        web_url: group.webUrl,
        name: group.name,
        path: group.path,
        description: group.description,
        visibility: group.visibility,
      }),
      group,
    );
    presentContents(Object.assign(record, { archived: false }), group);
    presentRequests(Object.assign(record, { avatar_url: group.avatarUrl }), group);
    Object.assign(record, {
      full_name: group.fullName,
      full_path: group.fullPath,
      created_at: group.createdAt,
      parent_id: group.parentId,
      organization_id: 1,
    });
    presentRunners(record, group);
    const { statistics, rootStorageStatistics: root } = group;
    if (statistics)
      Object.assign(record, {
        statistics: Object.fromEntries(groupSizes.map((name) => [snakeCase(name), statistics[name]])),
      });
    if (root)
      Object.assign(record, {
        root_storage_statistics: Object.fromEntries(ofRoot.map((name) => [snakeCase(name), root[name]])),
      });
    return Object.assign(record, { marked_for_deletion_on: null });
  },
};

export interface SingleGroupData extends GroupData {
  readonly sharedWithGroups: readonly ShareData[];
  /** Null for those who aren't owners. */
  readonly enabledGitAccessProtocol: string | null;
  /** Undefined if not requested; null for those who aren't owners. */
  readonly runnersToken?: string | null;
  /** Undefined if not requested. */
  readonly projects?: { readonly nodes: readonly ProjectData[] };
  readonly sharedProjects?: { readonly nodes: readonly ProjectData[] };
}

/** The fields that a single group has besides. */
export const groupDetailFields = `${groupFields} sharedWithGroups { ${shareFields} } ${[ofRoots, ofRootsForOwners].map(attributeSelection).join(' ')}`;
export const projectsOfGroup = `projects(first: 100) { nodes { ${projectFields} } }
  sharedProjects(first: 100) { nodes { ${projectFields} } }`;

export interface GroupDetailData {
  readonly group: SingleGroupData;
}

const listOfProjects = { type: 'array', items: { $ref: '#/components/schemas/Project' } };

/** A group with what it is shared with, and up to 100 of its projects and of those shared with it. */
export const GroupDetail: Record<GroupDetailData> = {
  name: 'GroupDetail',
  schema: objectSchema(
    {
      ...properties,
      shared_with_groups: sharesSchema,
      runners_token: { ...text, description: 'What its runners register with. For owners.' },
      ...attributeSchemas(ofRootsForOwners),
      ...attributeSchemas(ofRoots),
      projects: listOfProjects,
      shared_projects: listOfProjects,
    },
    [
      'statistics',
      'root_storage_statistics',
      'runners_token',
      ...Object.keys(attributeSchemas({ ...ofRoots, ...ofRootsForOwners })),
      'projects',
      'shared_projects',
    ],
  ),
  present({ group }) {
    const record = Object.assign(Group.present(group) as object, {
      shared_with_groups: presentShares(group.sharedWithGroups),
    });
    if (group.runnersToken != null) Object.assign(record, { runners_token: group.runnersToken });
    if (group.parentId === null) {
      if (group.enabledGitAccessProtocol !== null) presentForOwners(record, group);
      presentOfRoots(record, group);
    }
    const { projects, sharedProjects } = group;
    return Object.assign(
      record,
      projects && { projects: projects.nodes.map(Project.present) },
      sharedProjects && { shared_projects: sharedProjects.nodes.map(Project.present) },
    );
  },
};
