import { causes, rankOf } from '../../../../notify/causes.ts';
import type { Occurrence } from '../../../../notify/occurrence.ts';
import { notificationEvents } from '../../../../values/kinds/notification-events.ts';

/** The parameters $1 to $18 of the statements that find who is notified of an occurrence. @param zone that of the instance */
export function candidateValues(occurrence: Occurrence, zone: string): readonly unknown[] {
  const { cause, projectId, groupId, subject, ownId, candidates, labelIds, internal } = occurrence;
  const { event, also = null, everyone, role = null, quiet = false, own = false } = causes[cause];
  return [
    projectId ?? groupId,
    subject.id,
    event,
    event !== null && notificationEvents[event].unset === 'on',
    also,
    ownId,
    everyone,
    candidates.map(({ userId }) => userId),
    candidates.map(({ via }) => via),
    candidates.map(({ reason }) => rankOf(reason)),
    labelIds,
    // A label that was added is no reason by itself, as in GitLab.
    rankOf(cause === 'RELABELLED' ? null : 'SUBSCRIBED'),
    internal,
    quiet,
    own,
    role,
    occurrence.zone,
    zone,
  ];
}
