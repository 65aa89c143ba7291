import { objectSchema, type JsonSchema, type Record } from '../../engine/record.ts';
import { moment } from '../../engine/schemas.ts';

export interface EnvironmentBasicData {
  readonly id: number;
  readonly name: string;
  readonly slug: string;
  readonly externalUrl: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** The fields that operations select for the record. */
export const environmentBasicFields = 'id: databaseId name slug externalUrl createdAt updatedAt';

export const environmentBasicSchema: { readonly [name: string]: JsonSchema } = {
  id: { type: 'integer' },
  name: { type: 'string' },
  slug: { type: 'string' },
  external_url: { type: ['string', 'null'], format: 'uri' },
  created_at: moment,
  updated_at: moment,
};

/** An environment inside another record. */
export const EnvironmentBasic: Record<EnvironmentBasicData> = {
  name: 'EnvironmentBasic',
  schema: objectSchema(environmentBasicSchema),
  present: (one) => ({
    id: one.id,
    name: one.name,
    slug: one.slug,
    external_url: one.externalUrl,
    created_at: one.createdAt,
    updated_at: one.updatedAt,
  }),
};
