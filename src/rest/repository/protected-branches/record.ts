import { objectSchema, type Record } from '../../engine/record.ts';
import { text } from '../../engine/schemas.ts';

export interface LevelData {
  readonly id: number;
  readonly accessLevel: number;
  readonly accessLevelDescription: string;
}

interface LevelsData {
  readonly nodes: readonly LevelData[];
}

export interface ProtectedBranchData {
  readonly id: number;
  readonly name: string;
  readonly branchProtection: {
    readonly allowForcePush: boolean;
    readonly pushAccessLevels: LevelsData;
    readonly mergeAccessLevels: LevelsData;
  };
}

/** The fields that operations select for a level. */
export const levelFields = 'id: databaseId accessLevel accessLevelDescription';

const levelsFields = `nodes { ${levelFields} }`;

/** The fields that operations select for the record. */
export const protectedBranchFields = `id: databaseId name branchProtection {
    allowForcePush pushAccessLevels { ${levelsFields} } mergeAccessLevels { ${levelsFields} }
  }`;

const integer = { type: 'integer' };

export const levelSchema = objectSchema({
  id: integer,
  access_level: { ...integer, description: 'The least role: 0 (no one), 30, 40, or 60 (administrators).' },
  access_level_description: text,
  deploy_key_id: { type: 'null' },
});

export const presentLevels = (levels: readonly LevelData[]) =>
  levels.map(({ id, accessLevel, accessLevelDescription }) => ({
    id,
    access_level: accessLevel,
    access_level_description: accessLevelDescription,
    deploy_key_id: null,
  }));

/** A rule that protects branches. */
export const ProtectedBranch: Record<ProtectedBranchData> = {
  name: 'ProtectedBranch',
  schema: objectSchema({
    id: integer,
    name: { ...text, description: 'A branch, or a pattern with `*` for any text.' },
    push_access_levels: { type: 'array', items: levelSchema },
    merge_access_levels: { type: 'array', items: levelSchema },
    allow_force_push: { type: 'boolean', description: 'Whether who pushes may remove commits.' },
  }),
  present: ({ id, name, branchProtection }) => ({
    id,
    name,
    push_access_levels: presentLevels(branchProtection.pushAccessLevels.nodes),
    merge_access_levels: presentLevels(branchProtection.mergeAccessLevels.nodes),
    allow_force_push: branchProtection.allowForcePush,
  }),
};
