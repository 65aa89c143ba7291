import type { User } from '../../../database/index.ts';
import type { Listed } from '../../../database/list.ts';
import type { MemberRow } from './statements/row.ts';

/** A membership of a person in a group or a project. */
export interface Member {
  /** Different from that of every other member of a group, or of a project. */
  readonly id: number;
  readonly user: User;
  readonly accessLevel: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** The person who added the member; null if unknown, or once that person is removed. */
  readonly createdById: number | null;
  /** The first day (UTC) on which it is no longer valid, as YYYY-MM-DD. */
  readonly expiresOn: string | null;
  /** The group or project that it belongs to: one of the two is set. */
  readonly groupId: number | null;
  readonly projectId: number | null;
  /** Whether it counts by a share with the group: a person who sees the membership may then not see the group. */
  readonly shared: boolean;
}

export type ListedMember = Member & Listed;

/** The membership in a row, which contains its person too. */
export const toMember = (row: MemberRow): ListedMember => ({
  id: row.member_id,
  user: row,
  accessLevel: row.access_level,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  createdById: row.created_by_id,
  expiresOn: row.expires_at,
  groupId: row.group_id,
  projectId: row.project_id,
  shared: row.shared,
  position: row.position,
});
