import type { FieldsOf } from '../../engine/mutation.ts';
import type { Member } from './member.ts';
import { MemberInterface } from './types.ts';

/** The payload of a mutation of a membership: the membership after it; if it ended, as it was. */
export const memberPayload = (t: FieldsOf<{ member: Member }>) => ({
  member: t.field({ type: MemberInterface, resolve: ({ member }) => member }),
});
