import type { PipelineSource } from '../../../values/ci/pipeline-sources.ts';
import { holds } from '../expressions/evaluate.ts';
import type { KnownFacts } from './facts.ts';
import { splitRef, type Policy } from './only.ts';
import type { Changes, Rule } from './read.ts';
import type { Scope } from './scope.ts';

function changesHold({ paths, compareTo }: Changes, { changed, matcher }: KnownFacts, scope: Scope): boolean {
  const found = changed.get(compareTo ?? '') ?? null;
  const globs = paths.map((path) => scope.expand(path));
  return found === null || matcher.anyPath(globs, found);
}

function existsHolds(paths: readonly string[], known: KnownFacts, scope: Scope): boolean {
  const globs = paths.map((path) => scope.expand(path));
  return known.matcher.anyPath(globs, known.paths);
}

/** Whether all conditions of a rule hold. */
const ruleHolds = (rule: Rule, known: KnownFacts, scope: Scope): boolean =>
  (!rule.if || holds(rule.if, scope, known.matcher)) &&
  (!rule.changes || changesHold(rule.changes, known, scope)) &&
  (!rule.exists || existsHolds(rule.exists, known, scope));

/** The first rule that holds; undefined if none does. */
export const firstRule = (rules: readonly Rule[], known: KnownFacts, scope: Scope): Rule | undefined =>
  rules.find((rule) => ruleHolds(rule, known, scope));

/** The words of `only` and `except` for the sources of pipelines. */
const sourceWords: Partial<Record<PipelineSource, string>> = {
  api: 'api',
  chat: 'chat',
  external: 'external',
  external_pull_request_event: 'external_pull_requests',
  merge_request_event: 'merge_requests',
  pipeline: 'pipelines',
  push: 'pushes',
  schedule: 'schedules',
  trigger: 'triggers',
  web: 'web',
};

function refHolds(text: string, { facts, matcher }: KnownFacts): boolean {
  const { ref, tag, source, mergeRequest = false, projectPath } = facts;
  const [name, project] = splitRef(text);
  if (project !== undefined && project !== projectPath) return false;
  if (name === 'tags') return tag;
  if (name === 'branches') return !tag && !mergeRequest;
  if (name === sourceWords[source]) return true;
  if (mergeRequest) return false;
  return name.startsWith('/') ? (matcher.find(name, ref) ?? false) : name === ref;
}

/** What each condition of a policy says; conditions that aren't there say nothing. */
function conditions(policy: Policy, known: KnownFacts, scope: Scope): boolean[] {
  const { refs, variables, changes } = policy;
  return [
    ...(refs ? [refs.some((ref) => refHolds(ref, known))] : []),
    ...(variables ? [variables.some((expression) => holds(expression, scope, known.matcher))] : []),
    ...(changes ? [changesHold({ paths: changes }, known, scope)] : []),
  ];
}

/** Whether `only`, of which all conditions must hold, and `except`, of which none may, let a job in. */
export const policyHolds = (only: Policy, except: Policy | undefined, known: KnownFacts, scope: Scope): boolean =>
  conditions(only, known, scope).every(Boolean) && !(except && conditions(except, known, scope).some(Boolean));
