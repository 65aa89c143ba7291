import { objectSchema, type Record } from '../../engine/record.ts';

interface LocationData {
  readonly id: number;
  readonly webUrl: string;
  readonly name: string;
  readonly avatarUrl: string | null;
  readonly fullName: string;
  readonly fullPath: string;
}

export const locationFields = 'id: databaseId webUrl name avatarUrl fullName fullPath';

/** A group to which something can be transferred: the short record of a group. */
export const TransferLocation: Record<LocationData> = {
  name: 'TransferLocation',
  schema: objectSchema({
    id: { type: 'integer' },
    web_url: { type: 'string', format: 'uri' },
    name: { type: 'string' },
    avatar_url: { type: ['string', 'null'] },
    full_name: { type: 'string', description: 'Names from the top level, as in `Demo / Platform`.' },
    full_path: { type: 'string' },
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
