import { objectSchema, type Record } from '../../engine/record.ts';
import { levelFields, levelSchema, presentLevels, type LevelData } from '../protected-branches/record.ts';

export interface ProtectedTagData {
  readonly name: string;
  readonly createAccessLevels: readonly LevelData[];
}

/** The fields that operations select for the record. */
export const protectedTagFields = `name createAccessLevels { ${levelFields} }`;

/** A rule that protects tags. */
export const ProtectedTag: Record<ProtectedTagData> = {
  name: 'ProtectedTag',
  schema: objectSchema({
    name: { type: 'string', description: 'A tag, or a pattern with `*` for any text.' },
    create_access_levels: { type: 'array', items: levelSchema },
  }),
  present: ({ name, createAccessLevels }) => ({ name, create_access_levels: presentLevels(createAccessLevels) }),
};
