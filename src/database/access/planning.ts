import type { Reading } from '../list.ts';

/** The columns that are shown of labels and milestones, everywhere: in a list, inside an issue, or alone. */

export interface LabelRecord {
  readonly id: number;
  readonly projectId: number | null;
  readonly groupId: number | null;
  readonly title: string;
  /** `#rrggbb`. */
  readonly color: string;
  readonly description: string | null;
  readonly archived: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export const labelReading: Reading<LabelRecord> = {
  columns: `l.id, l.project_id as "projectId", l.group_id as "groupId", l.title, l.color, l.description, l.archived,
    l.created_at as "createdAt", l.updated_at as "updatedAt"`,
  from: 'labels l',
  id: 'l.id',
};

export interface MilestoneRecord {
  readonly id: number;
  readonly projectId: number | null;
  readonly groupId: number | null;
  readonly iid: number;
  readonly title: string;
  readonly description: string | null;
  readonly state: 'ACTIVE' | 'CLOSED';
  /** Days, as in `2026-06-28`. */
  readonly startDate: string | null;
  readonly dueDate: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** The full path of its project or group. */
  readonly placePath: string;
}

export const milestoneReading: Reading<MilestoneRecord> = {
  columns: `ms.id, ms.project_id as "projectId", ms.group_id as "groupId", ms.iid, ms.title, ms.description, ms.state,
    ms.start_date::text as "startDate", ms.due_date::text as "dueDate", ms.created_at as "createdAt", ms.updated_at as "updatedAt",
    coalesce(mp.full_path, mg.full_path) as "placePath"`,
  from: `milestones ms left join projects mp on mp.id = ms.project_id left join namespaces mg on mg.id = ms.group_id`,
  id: 'ms.id',
};
