import { Project, type ProjectData } from '../projects/record.ts';
import { objectSchema, type JsonSchema, type Record } from '../../engine/record.ts';

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
}

/** The fields that operations select for the record. */
export const groupFields =
  'id: databaseId webUrl name path description visibility avatarUrl fullName fullPath createdAt parentId: parentDatabaseId';

const text = { type: 'string' };
const properties: { [name: string]: JsonSchema } = {
  id: { type: 'integer' },
  web_url: { type: 'string', format: 'uri' },
  name: text,
  path: text,
  description: text,
  visibility: { type: 'string', enum: ['private', 'internal', 'public'] },
  avatar_url: { type: ['string', 'null'], format: 'uri' },
  full_name: { type: 'string', description: 'Names from the top level, as in `Demo / Platform`.' },
  full_path: text,
  created_at: { type: 'string', format: 'date-time' },
  parent_id: { type: ['integer', 'null'] },
};

export const Group: Record<GroupData> = {
  name: 'Group',
  schema: objectSchema(properties),
  present: (group) => ({
    id: group.id,
    web_url: group.webUrl,
    name: group.name,
    path: group.path,
    description: group.description,
    visibility: group.visibility,
    avatar_url: group.avatarUrl,
    full_name: group.fullName,
    full_path: group.fullPath,
    created_at: group.createdAt,
    parent_id: group.parentId,
  }),
};

export interface GroupDetailData {
  readonly group: GroupData;
  /** Undefined if not requested. */
  readonly projects?: { readonly nodes: readonly ProjectData[] };
}

/** A group with its projects, the newest first. */
export const GroupDetail: Record<GroupDetailData> = {
  name: 'GroupDetail',
  schema: objectSchema(
    { ...properties, projects: { type: 'array', items: { $ref: '#/components/schemas/Project' } } },
    ['projects'],
  ),
  present: ({ group, projects }) => ({
    ...(Group.present(group) as object),
    ...(projects && { projects: projects.nodes.map(Project.present) }),
  }),
};
