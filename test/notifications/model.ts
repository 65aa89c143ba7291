import type { Person, Setting, World } from './random-world.ts';

/**
 * Who is told of an event: the algorithm that clients know from GitLab, one person at a time, as plainly as possible. It
 * shares nothing with the code that it is a judge of.
 */

/** Something that happens in a world. */
export interface Happening {
  readonly kind:
    | 'new_note'
    | 'new_issue'
    | 'close_issue'
    | 'reopen_issue'
    | 'reassign_issue'
    | 'issue_due'
    | 'milestone'
    | 'moved_issue'
    | 'cloned_issue'
    | 'relabelled'
    | 'new_mention'
    | 'moved_project'
    | 'new_epic';
  readonly actor: number;
  /** Null: it is about the snippet, the epic or the project. */
  readonly issue: World['issues'][number] | null;
  readonly internal: boolean;
  readonly mentioned: readonly number[];
  readonly former: number | null;
  readonly assignee: number | null;
  readonly added: readonly number[];
}

type Type = 'participating' | 'watch' | 'custom' | 'mention' | 'subscription';
type Reason = 'own_activity' | 'assigned' | 'mentioned' | 'subscribed' | null;
const importance: readonly Reason[] = ['own_activity', 'assigned', 'mentioned', 'subscribed', null];
interface Candidate {
  readonly type: Type;
  readonly reason: Reason;
}

const switches: Partial<Record<Happening['kind'], { event: string; unset: boolean }>> = {
  new_note: { event: 'NEW_NOTE', unset: false },
  new_issue: { event: 'NEW_ISSUE', unset: false },
  close_issue: { event: 'CLOSE_ISSUE', unset: false },
  reopen_issue: { event: 'REOPEN_ISSUE', unset: false },
  reassign_issue: { event: 'REASSIGN_ISSUE', unset: false },
  issue_due: { event: 'ISSUE_DUE', unset: false },
  moved_project: { event: 'MOVED_PROJECT', unset: true },
  new_epic: { event: 'NEW_EPIC', unset: false },
};

/** The highest role that somebody has in the project; 0 for none. */
function roleOf(world: World, { id, inProject, inGroups, inInvited }: Person): number {
  const shared = world.shared === null || inInvited === null ? 0 : Math.min(world.shared, inInvited);
  return Math.max(0, inProject ?? 0, ...inGroups.map((role) => role ?? 0), shared, world.ownerId === id ? 50 : 0);
}

/** The highest role that someone has in the lowest group; 0 for none. */
const roleInGroup = ({ inGroups }: Person): number => Math.max(0, ...inGroups.map((role) => role ?? 0));

/** The same in the place that it happens in. */
const roleAt = (world: World, person: Person, { kind }: Happening): number =>
  kind === 'new_epic' ? roleInGroup(person) : roleOf(world, person);

/** Whether somebody can read what it is about. */
function reads(world: World, person: Person, { issue, internal, kind }: Happening): boolean {
  const role = roleOf(world, person);
  const all = person.administrator;
  if (kind === 'new_epic') return person.premium && (all || roleInGroup(person) >= 20);
  const everyone = (visibility: World['visibility']) =>
    visibility === 'PUBLIC' || (visibility === 'INTERNAL' && !person.external);
  if (!all && !everyone(world.visibility) && role < 10) return false;
  if (internal && !all && role < 20) return false;
  if (kind === 'moved_project') return true;
  if (issue === null)
    return all || everyone(world.snippet.visibility) || world.snippet.author === person.id || role >= 10;
  if (world.issuesFor === 'disabled') return false;
  if (world.issuesFor === 'private' && !all && role < 10) return false;
  if (!issue.confidential) return true;
  return all || role >= 20 || issue.author === person.id || issue.assignee === person.id;
}

/** The setting whose level applies: of the project, unless it is about an epic, else of the nearest group, else the global one. */
function effective(
  { ofProject, ofGroups, ofAll }: Person,
  { kind }: Pick<Happening, 'kind'>,
): (Setting & { readonly isGlobal: boolean }) | null {
  for (const setting of [kind === 'new_epic' ? null : ofProject, ...ofGroups.toReversed()])
    if (setting !== null && setting.level !== null && setting.level !== 'GLOBAL')
      return { ...setting, isGlobal: false };
  return ofAll !== null && ofAll.level !== null ? { ...ofAll, isGlobal: true } : null;
}

/** Whether somebody watches the place, or has a level of their own choice there. */
function isLoud(world: World, person: Person, happening: Happening, level: 'WATCH' | 'CUSTOM'): boolean {
  const setting = effective(person, happening);
  if (setting?.level !== level) return false;
  if (!setting.isGlobal) return true;
  // A row without a level of its own, or a membership, which stands in for one.
  const rows = [...person.ofGroups, happening.kind === 'new_epic' ? null : person.ofProject];
  return rows.some((row) => row !== null) || roleAt(world, person, happening) > 0;
}

function candidacies(world: World, person: Person, happening: Happening): Candidate[] {
  const { kind, issue, mentioned, former, assignee, added } = happening;
  const { id } = person;
  const found: Candidate[] = [];
  const add = (when: boolean, type: Type, reason: Reason = null) => void (when && found.push({ type, reason }));
  const subscribes = (labels: readonly number[]) =>
    world.labels.some(
      (label) =>
        labels.includes(label.id) &&
        label.subscribers.some(({ user, here, subscribed }) => user === id && here && subscribed),
    );
  if (kind === 'moved_project') {
    const own = Math.max(
      person.inProject ?? 0,
      ...person.inGroups.map((role) => role ?? 0),
      world.ownerId === id ? 50 : 0,
    );
    add(own >= 40, 'custom');
    return found;
  }
  if (kind === 'relabelled') {
    add(subscribes(added), 'subscription');
    return found;
  }
  if (kind === 'new_mention') {
    add(mentioned.includes(id), 'mention', 'mentioned');
    add(mentioned.includes(id) && issue!.assignee === id, 'participating', 'assigned');
    add(mentioned.includes(id) && issue!.said.get(id) === true, 'subscription', 'subscribed');
    add(mentioned.includes(id) && subscribes(issue!.labels), 'subscription', 'subscribed');
    return found;
  }
  const said = saidOf(world, happening);
  const takesPart =
    kind === 'new_epic'
      ? world.epic!.author === id
      : issue === null
        ? world.snippet.author === id || [...world.snippet.commented, ...world.snippet.mentioned].includes(id)
        : issue.author === id || issue.assignee === id || [...issue.taking, ...issue.changing].includes(id);
  add(takesPart, 'participating');
  add(isLoud(world, person, happening, 'WATCH'), 'watch');
  add(isLoud(world, person, happening, 'CUSTOM'), 'custom');
  add(said?.get(id) === true, 'subscription', 'subscribed');
  if (kind === 'reassign_issue') {
    add(former === id, 'mention');
    add(assignee === id, 'mention', 'assigned');
  }
  if (kind === 'new_note' || kind === 'new_issue' || kind === 'new_epic')
    add(mentioned.includes(id), 'mention', 'mentioned');
  if (kind === 'new_issue') {
    add(issue!.assignee === id, 'participating', 'assigned');
    add(subscribes(issue!.labels), 'subscription', 'subscribed');
  }
  return found;
}

/** Who subscribed to what it is about, or unsubscribed. */
const saidOf = (world: World, { kind, issue }: Happening): ReadonlyMap<number, boolean> | undefined =>
  kind === 'new_epic' ? world.epic!.said : issue?.said;

/** Whether mail is sent from where it happens. */
const sendsMail = ({ silent }: World, { kind }: Happening): boolean =>
  silent === null || (kind === 'new_epic' && silent === 'project');

/** Whose own activity it is. */
function ownerOf({ kind, actor, issue }: Happening): number | null {
  if (kind === 'issue_due' || kind === 'moved_project') return null;
  return kind === 'new_issue' ? issue!.author : actor;
}

function levelPasses(person: Person, type: Type, kind: Happening['kind']): boolean {
  const setting = effective(person, { kind });
  switch (setting?.level ?? 'PARTICIPATING') {
    case 'MENTION':
      return type === 'mention';
    case 'PARTICIPATING':
      return type === 'participating' || type === 'mention' || kind === 'moved_project';
    case 'WATCH':
      return kind !== 'issue_due' || type !== 'watch';
    case 'CUSTOM': {
      if (type === 'participating' || type === 'mention') return true;
      const flag = switches[kind];
      return flag !== undefined && (setting!.events[flag.event] ?? flag.unset);
    }
    // `GLOBAL` as the global level, too: there is nothing else to inherit.
    default:
      return false;
  }
}

/** The address of the nearest group with one, else of all, else the primary one: the first that is confirmed. */
const addressOf = ({ ofGroups, ofAll, primary }: Person) =>
  [...ofGroups.map((setting) => setting?.address).toReversed(), ofAll?.address, primary].find(
    (address) => address && address !== 'unconfirmed',
  );

/** The reason of the message that somebody gets; undefined: they get none. */
export function told(world: World, person: Person, happening: Happening): Reason | undefined {
  const passing = candidacies(world, person, happening).filter(({ type }) => {
    if (person.state !== 'ACTIVE' || person.removed) return false;
    if (!reads(world, person, happening)) return false;
    if (!sendsMail(world, happening)) return false;
    if (ownerOf(happening) === person.id && !person.ofAll?.own) return false;
    if (person.ofAll?.muted) return false;
    if (addressOf(person) === 'bouncing' && type !== 'subscription') return false;
    const unsubscribed = saidOf(world, happening)?.get(person.id) === false;
    if (type === 'subscription') return !unsubscribed;
    if (!levelPasses(person, type, happening.kind)) return false;
    return type === 'mention' || !unsubscribed;
  });
  if (passing.length === 0 || !addressOf(person)) return undefined;
  const own = ownerOf(happening) === person.id;
  return importance[Math.min(...passing.map(({ reason }) => importance.indexOf(own ? 'own_activity' : reason)))];
}
