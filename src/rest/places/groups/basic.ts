import { objectSchema, type Record } from '../../engine/record.ts';
import { text } from '../../engine/schemas.ts';

export interface GroupBasicData {
  readonly id: number;
  readonly webUrl: string;
  readonly name: string;
  readonly avatarUrl: string | null;
  readonly fullName: string;
  readonly fullPath: string;
}

/** The fields that operations select for the record. */
export const groupBasicFields = 'id: databaseId webUrl name avatarUrl fullName fullPath';

/** A group, with what identifies it. */
export const GroupBasic: Record<GroupBasicData> = {
  name: 'GroupBasic',
  schema: objectSchema({
    id: { type: 'integer' },
    web_url: { type: 'string', format: 'uri' },
    name: text,
    avatar_url: { type: ['string', 'null'], format: 'uri', description: 'Its picture, if it has one.' },
    full_name: { ...text, description: 'Names from the top level, as in `Demo / Platform`.' },
    full_path: text,
  }),
  present: ({ id, webUrl, name, avatarUrl, fullName, fullPath }) => ({
    id,
    web_url: webUrl,
    name,
    avatar_url: avatarUrl,
    full_name: fullName,
    full_path: fullPath,
  }),
};
