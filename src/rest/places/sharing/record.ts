import { objectSchema, type JsonSchema } from '../../engine/record.ts';

/** A share with a group, as the records of groups and projects have it. */
export interface ShareData {
  readonly groupId: number;
  readonly groupName: string;
  readonly groupFullPath: string;
  readonly accessLevel: { readonly integerValue: number };
  /** The start of a day in UTC. */
  readonly expiresAt: string | null;
}

/** The fields that operations select for it. */
export const shareFields = 'groupId: groupDatabaseId groupName groupFullPath accessLevel { integerValue } expiresAt';

export const expiresOn: JsonSchema = { type: ['string', 'null'], format: 'date' };

export const sharesSchema: JsonSchema = {
  type: 'array',
  description: 'The groups with which it is shared.',
  items: objectSchema({
    group_id: { type: 'integer' },
    group_name: { type: 'string' },
    group_full_path: { type: 'string' },
    group_access_level: { type: 'integer' },
    expires_at: expiresOn,
  }),
};

/** The day of a time, as YYYY-MM-DD. */
export const dayOf = (time: string | null) => time && time.slice(0, 10);

export const presentShares = (shares: readonly ShareData[] = []) =>
  shares.map(({ groupId, groupName, groupFullPath, accessLevel, expiresAt }) => ({
    group_id: groupId,
    group_name: groupName,
    group_full_path: groupFullPath,
    group_access_level: accessLevel.integerValue,
    expires_at: dayOf(expiresAt),
  }));
