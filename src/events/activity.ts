import type { EventName } from './kinds.ts';

/** What is shown of a domain event as activity: GitLab's action. */
interface Shown {
  readonly action:
    | 'APPROVED'
    | 'CLOSED'
    | 'COMMENTED'
    | 'CREATED'
    | 'DESTROYED'
    | 'EXPIRED'
    | 'JOINED'
    | 'LEFT'
    | 'MERGED'
    | 'PUSHED'
    | 'REOPENED';
  /** Whether it is about the place alone, so that it has no target. */
  readonly untargeted?: true;
}

/** The domain events that are activity, as in GitLab: changes of settings and of texts are not. */
const shownKinds = {
  'issue.created': { action: 'CREATED' },
  'issue.closed': { action: 'CLOSED' },
  'issue.reopened': { action: 'REOPENED' },
  'merge_request.created': { action: 'CREATED' },
  'merge_request.closed': { action: 'CLOSED' },
  'merge_request.reopened': { action: 'REOPENED' },
  'merge_request.merged': { action: 'MERGED' },
  'merge_request.approved': { action: 'APPROVED' },
  'note.created': { action: 'COMMENTED' },
  'ref.changed': { action: 'PUSHED', untargeted: true },
  'milestone.created': { action: 'CREATED' },
  'milestone.closed': { action: 'CLOSED' },
  'milestone.reopened': { action: 'REOPENED' },
  'milestone.destroyed': { action: 'DESTROYED' },
  'project.created': { action: 'CREATED', untargeted: true },
  'project.forked': { action: 'CREATED', untargeted: true },
  'member.added': { action: 'JOINED', untargeted: true },
  'member.removed': { action: 'LEFT', untargeted: true },
  'member.expired': { action: 'EXPIRED', untargeted: true },
} as const satisfies { readonly [Name in EventName]?: Shown };

export type ShownKind = keyof typeof shownKinds;

const names = Object.keys(shownKinds) as ShownKind[];

/** Those that count as a contribution to a project: who joins or leaves it may be added and removed by others. */
export const contributions: readonly ShownKind[] = names.filter((name) => !name.startsWith('member.'));

export const shownAs = (kind: ShownKind): Shown => shownKinds[kind];

/** The kinds with some actions and subjects; all of them if neither is given. */
export const kindsOf = (action: string | undefined, subject: string | undefined): readonly ShownKind[] =>
  names.filter(
    (name) =>
      (action === undefined || shownAs(name).action === action) &&
      (subject === undefined ||
        (!shownAs(name).untargeted && name.startsWith(`${subject.toLowerCase()}.`)) ||
        (shownAs(name).untargeted && subject === 'PROJECT' && name.startsWith('project.'))),
  );
