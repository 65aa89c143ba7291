import type { Record } from '../../engine/record.ts';
import { GroupBasic, type GroupBasicData } from '../groups/basic.ts';

/** A group to which something can be transferred: the short record of a group. */
export const TransferLocation: Record<GroupBasicData> = { ...GroupBasic, name: 'TransferLocation' };
