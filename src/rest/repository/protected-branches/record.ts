import { objectSchema, type Record } from '../../engine/record.ts';
import { text } from '../../engine/schemas.ts';

interface LevelsData {
  readonly nodes: readonly {
    readonly id: number;
    readonly accessLevel: number;
    readonly accessLevelDescription: string;
  }[];
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

const levelFields = 'nodes { id: databaseId accessLevel accessLevelDescription }';

/** The fields that operations select for the record. */
export const protectedBranchFields = `id: databaseId name branchProtection {
    allowForcePush pushAccessLevels { ${levelFields} } mergeAccessLevels { ${levelFields} }
  }`;

const integer = { type: 'integer' };

const levelSchema = objectSchema({
  id: integer,
  access_level: { ...integer, description: 'The least role: 0 (nobody), 30, 40, or 60 (administrators).' },
  access_level_description: text,
  deploy_key_id: { type: 'null' },
});

const presentLevels = ({ nodes }: LevelsData) =>
  nodes.map(({ id, accessLevel, accessLevelDescription }) => ({
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
    push_access_levels: presentLevels(branchProtection.pushAccessLevels),
    merge_access_levels: presentLevels(branchProtection.mergeAccessLevels),
    allow_force_push: branchProtection.allowForcePush,
  }),
};
