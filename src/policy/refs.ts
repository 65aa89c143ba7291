import type { Facts } from './condition.ts';
import { mayChange } from './changing.ts';
import { pushCode } from './places.ts';
import { roles } from './roles.ts';
import { isAdministrator, type Viewer } from './viewer.ts';

/**
 * Who may change which branch or tag. A push and a write over the API are checked by the same rules (contract §5.2), with
 * the same sentences; the first that fails is the answer.
 */

/** A rule that protects branches, by a name or a pattern with `*`. Levels: 0 (no one), 30, 40, 60 (administrators). */
export interface BranchRule {
  readonly name: string;
  readonly pushAccessLevel: number;
  readonly mergeAccessLevel: number;
  readonly allowForcePush: boolean;
}

/** A rule that protects tags, by a name or a pattern with `*`. */
export interface TagRule {
  readonly name: string;
  /** Who makes them: a level, as for branches. */
  readonly createAccessLevel: number;
}

/** What protects a branch: of several rules that match, the most permissive. */
export interface Protection {
  readonly pushLevels: readonly number[];
  readonly mergeLevels: readonly number[];
  readonly allowForcePush: boolean;
}

/**
 * Whether a name has the form of a pattern, in which `*` stands for any text. In linear time: a pattern comes from people,
 * and a regular expression of many `.*` would take for ever.
 */
export function matchesPattern(pattern: string, name: string): boolean {
  const parts = pattern.split('*');
  if (parts.length === 1) return pattern === name;
  const first = parts[0]!;
  const last = parts.at(-1)!;
  const end = name.length - last.length;
  if (end < first.length || !name.startsWith(first) || !name.endsWith(last)) return false;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = name.indexOf(part, at);
    if (found < 0 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
}

/** Those of some rules that are about a name; undefined if none is. */
function matching<Rule extends { readonly name: string }>(
  rules: readonly Rule[],
  ref: string,
): readonly Rule[] | undefined {
  const found = rules.filter(({ name }) => matchesPattern(name, ref));
  return found.length > 0 ? found : undefined;
}

/** What protects a branch; undefined if nothing does. */
export function protectionOf(rules: readonly BranchRule[], branch: string): Protection | undefined {
  const found = matching(rules, branch);
  if (!found) return undefined;
  return {
    pushLevels: found.map((rule) => rule.pushAccessLevel),
    mergeLevels: found.map((rule) => rule.mergeAccessLevel),
    allowForcePush: found.some((rule) => rule.allowForcePush),
  };
}

/** The levels that make a tag, any of which does; undefined if no rule protects it. */
export const tagLevelsOf = (rules: readonly TagRule[], tag: string): readonly number[] | undefined =>
  matching(rules, tag)?.map((rule) => rule.createAccessLevel);

/** The rules of a project. */
interface Rules {
  readonly rules: readonly BranchRule[];
  readonly tagRules: readonly TagRule[];
}

/** A branch or a tag by its own name. */
interface NamedRef {
  readonly ref: string;
  readonly tag: boolean;
}

/** Whether a rule protects a branch or tag. */
export const isProtectedRef = ({ rules, tagRules }: Rules, { ref, tag }: NamedRef): boolean =>
  (tag ? tagLevelsOf(tagRules, ref) : protectionOf(rules, ref)) !== undefined;

/**
 * Whether someone reaches one of the levels. 0 is no one's, not even administrators'; 60 is above every role. Levels are those
 * of people: a deploy key reaches none.
 */
export const reaches = (levels: readonly number[], viewer: Viewer, { accessLevel }: Facts): boolean =>
  viewer.credential?.kind !== 'deploy_key' &&
  levels.some((level) => level !== 0 && (isAdministrator(viewer) || accessLevel >= level));

/** The project of a change, and what the viewer is there. */
export interface RefPlace {
  readonly viewer: Viewer;
  readonly facts: Facts;
  readonly archived: boolean;
  readonly fullPath: string;
  /** The page that says who may do what there. */
  readonly membersUrl: string;
  /** Null while there is no branch. */
  readonly defaultBranch: string | null;
  readonly rules: readonly BranchRule[];
  readonly tagRules: readonly TagRule[];
  /** By a push, over the API and pages, or by merging a merge request. */
  readonly via: 'push' | 'web' | 'merge';
  /** Who makes the first branch of an empty repository. */
  readonly firstBranchLevels: readonly number[];
}

/** A change of a branch or tag. */
export interface CheckedChange {
  /** The full name. */
  readonly ref: string;
  readonly isNew: boolean;
  readonly isDeleted: boolean;
  /** Whether a branch or tag may have its name (`isName`). */
  readonly hasValidName: boolean;
  /** Whether commits are lost: no fast-forward. Only looked at where something protects the branch. */
  readonly rewrites: boolean;
  /** Whether the commit is on a protected branch already. Only for a new branch that something protects. */
  readonly isOnProtected: boolean;
}

/** What a person below Maintainer reads who deletes a protected branch. */
export const deletesProtected =
  'You are not allowed to delete protected branches from this project. Only a project maintainer or owner can delete a protected branch.';

/** The refusal for people below Maintainer who delete a protected tag. */
export const deletesProtectedTag =
  'You are not allowed to delete protected tags from this project. Only a project maintainer or owner can delete a protected tag.';

/** Tags that could be taken for objects. */
export const namesObject = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/i;

const hexadecimal = /^[0-9a-f]{40}(?:-?\/|$)/i;

/** Whether a viewer may write to the repository at all. */
export const mayWrite = ({ viewer, facts, archived }: Pick<RefPlace, 'viewer' | 'facts' | 'archived'>): boolean =>
  mayChange(pushCode, viewer, facts, archived);

/** Whether a viewer may commit to a branch: to one that something protects, only who reaches its level. */
export function mayPushTo(place: Pick<RefPlace, 'viewer' | 'facts' | 'archived' | 'rules'>, branch: string): boolean {
  const protection = protectionOf(place.rules, branch);
  return mayWrite(place) && (!protection || reaches(protection.pushLevels, place.viewer, place.facts));
}

/**
 * Whether a viewer may merge into a branch: into one that something protects, who reaches the level of merging or that of
 * pushing.
 */
export function mayMergeInto(
  place: Pick<RefPlace, 'viewer' | 'facts' | 'archived' | 'rules'>,
  branch: string,
): boolean {
  const protection = protectionOf(place.rules, branch);
  if (!mayWrite(place)) return false;
  return !protection || reaches([...protection.mergeLevels, ...protection.pushLevels], place.viewer, place.facts);
}

/** Whether a viewer may make a tag: one that a rule protects, only who reaches its level. */
function mayMakeTag(place: Pick<RefPlace, 'viewer' | 'facts' | 'archived' | 'tagRules'>, tag: string): boolean {
  const levels = tagLevelsOf(place.tagRules, tag);
  return mayWrite(place) && (!levels || reaches(levels, place.viewer, place.facts));
}

/**
 * Whether a viewer may run something on a branch or tag: on a protected branch, only who pushes or merges there; on a
 * protected tag, only who may make it.
 */
export const mayRunOn = (
  place: Pick<RefPlace, 'viewer' | 'facts' | 'archived' | 'rules' | 'tagRules'>,
  { ref, tag }: NamedRef,
): boolean => (tag ? mayMakeTag(place, ref) : mayMergeInto(place, ref));

/** Whether a viewer may delete a tag, over the API and pages. */
export const mayDeleteTag = (
  place: Pick<RefPlace, 'viewer' | 'facts' | 'archived' | 'tagRules'>,
  tag: string,
): boolean =>
  mayMakeTag(place, tag) && (tagLevelsOf(place.tagRules, tag) === undefined || holdsRole(place, roles.maintainer));

/** Why a change is refused; undefined if it is allowed. */
export function refusalOfChange(place: RefPlace, change: CheckedChange): string | undefined {
  if (!mayWrite(place)) return 'You are not allowed to push code to this project.';
  const branch = nameIn(change.ref, 'refs/heads/');
  if (branch !== undefined) return refusalOfBranch(place, change, branch);
  const tag = nameIn(change.ref, 'refs/tags/');
  return tag === undefined ? 'deny updating a hidden ref' : refusalOfTag(place, change, tag);
}

const nameIn = (ref: string, folder: string) => (ref.startsWith(folder) ? ref.slice(folder.length) : undefined);

function refusalOfBranch(place: RefPlace, change: CheckedChange, branch: string): string | undefined {
  const { viewer, facts, defaultBranch, rules, via } = place;
  if (change.isDeleted && branch === defaultBranch) return 'The default branch of a project cannot be deleted.';
  if (!change.isDeleted && hexadecimal.test(branch))
    return 'You cannot create a branch with a 40-character hexadecimal branch name.';
  if (!change.isDeleted && !change.hasValidName) return 'You cannot create a branch with an invalid name.';
  if (defaultBranch === null && change.isNew && !reaches(place.firstBranchLevels, viewer, facts))
    return `A default branch (e.g. main) does not yet exist for ${place.fullPath}\nAsk a project Owner or Maintainer to create a default branch:\n\n  ${place.membersUrl}`;
  const protection = protectionOf(rules, branch);
  if (!protection) return undefined;
  if (via === 'merge')
    return mayMergeInto(place, branch)
      ? undefined
      : 'You are not allowed to merge code into protected branches on this project.';
  const pushes = reaches(protection.pushLevels, viewer, facts);
  if (change.isDeleted) {
    if (!holdsRole(place, roles.maintainer)) return deletesProtected;
    return via === 'push' ? 'You can only delete protected branches using the web interface.' : undefined;
  }
  if (change.isNew) return pushes ? undefined : refusalOfNew(place, change, protection);
  if (change.rewrites && !protection.allowForcePush)
    return 'You are not allowed to force push code to a protected branch on this project.';
  return pushes ? undefined : 'You are not allowed to push code to protected branches on this project.';
}

function refusalOfNew(
  { viewer, facts, via }: RefPlace,
  { isOnProtected }: CheckedChange,
  { mergeLevels }: Protection,
): string | undefined {
  if (!reaches(mergeLevels, viewer, facts)) return 'You are not allowed to create protected branches on this project.';
  if (via === 'push') return 'You can only create protected branches using the web interface and API.';
  if (!isOnProtected)
    return 'You can only use an existing protected branch ref as the basis of a new protected branch.';
  return undefined;
}

function refusalOfTag(place: RefPlace, change: CheckedChange, tag: string): string | undefined {
  if (change.isNew) {
    if (tag === place.defaultBranch) return 'You cannot use default branch name to create a tag';
    if (namesObject.test(tag)) return 'You cannot create a tag with a SHA-1 or SHA-256 tag name.';
    if (!change.hasValidName) return 'You cannot create a tag with a prohibited pattern.';
  }
  const levels = tagLevelsOf(place.tagRules, tag);
  if (!levels) return undefined;
  if (!change.isNew && !change.isDeleted) return 'Protected tags cannot be updated.';
  if (change.isDeleted) {
    if (!holdsRole(place, roles.maintainer)) return deletesProtectedTag;
    if (place.via === 'push') return 'You can only delete protected tags using the web interface.';
  }
  // Also of a deletion: GitLab asks the same of it.
  return reaches(levels, place.viewer, place.facts)
    ? undefined
    : 'You are not allowed to create this tag as it is protected.';
}

const holdsRole = ({ viewer, facts }: Pick<RefPlace, 'viewer' | 'facts'>, level: number) =>
  isAdministrator(viewer) || facts.accessLevel >= level;
