import { unescapedPath } from '../engine/unescaped-path.ts';
import { fits, isRouted, isServed, parseCall, pathOf, type Call } from './calls.ts';
import type { Change, Migration } from './change.ts';
import { changes } from './changes.ts';

/** Whether a request has a parameter. */
export type Sent = (name: string) => boolean;

/** A parsed line of the table. */
interface Line {
  readonly migration: Migration;
  readonly old: readonly Call[];
  readonly now: readonly Call[];
}

const lines: readonly Line[] = changes.map((change) => {
  const now = change.now.map(parseCall);
  const old = change.old.map(parseCall);
  const served = now.every(isServed);
  return {
    migration: { ...change, old: old.map(({ written }) => written), served, hint: hintOf(change, served) },
    old,
    now,
  };
});

/** The hint of a change. It names new calls only if this gateway serves them. */
function hintOf({ now, says, title }: Change, served: boolean): string {
  if (!served) return `${title}. This server doesn’t serve that yet: see /docs/migration.`;
  return says ?? `Use ${now.map((call) => call.replace(' ', ' /api/v4')).join(' or ')}.`;
}

/** The whole table of changes. Each line says whether this gateway serves the new calls. */
export const migrations: readonly Migration[] = lines.map(({ migration }) => migration);

const aboutCall = (method: string, path: string): readonly Line[] =>
  lines.filter(({ old }) => old.some((call) => fits(call, method, path)));

const joinHints = (found: readonly Line[]): string | undefined =>
  found.length === 0 ? undefined : found.map(({ migration }) => migration.hint).join(' ');

/** The hint for a call of version 3. @param path below `/api/v3` */
export function hintForVersion3(method: string, path: string): string | undefined {
  return joinHints(aboutCall(method, path)) ?? unescapedPath(method, path)?.hint;
}

/**
 * The successor of a call of version 3, as a path below `/api/v4`; empty if this gateway has none. It is the first new
 * call whose path the old call can fill, otherwise the same path. The hint names it too.
 * @param path below `/api/v3`
 */
export function successorOf(method: string, path: string): string {
  const found = aboutCall(method, path);
  for (const { migration, old, now } of found) {
    if (migration.parameters || !migration.served) continue;
    const at = old.findIndex((call) => fits(call, method, path));
    const values = old[at]!.path.exec(path)!.groups ?? {};
    const candidates = old.length === now.length ? [now[at]!] : now;
    for (const call of candidates) {
      const target = pathOf(call, values);
      if (target !== undefined) return target;
    }
  }
  const isGone = found.some(
    ({ migration }) => migration.refused !== undefined && !migration.parameters && !migration.required,
  );
  const same = path.replace(/\/$/, '');
  if (!isGone && isRouted(same)) return same;
  return found.length === 0 ? (unescapedPath(method, path)?.path ?? '') : '';
}

/** Whether a change applies to a request with these parameters. */
function concerns({ parameters, required }: Change, sent: Sent): boolean {
  if (parameters) return parameters.some(sent);
  return !required?.some(sent);
}

/**
 * The hint for a call that version 4 refused because the call, or one of its parameters, is from version 3.
 * @param path below `/api/v4`
 */
export function hintForRefusal(method: string, path: string, status: number, sent: Sent): string | undefined {
  const found = aboutCall(method, path).filter(({ migration }) => {
    const { parameters, refused, served } = migration;
    if (!concerns(migration, sent)) return false;
    // If the successor isn't served yet, the path is unknown: 404 instead of the final status.
    return (
      (parameters !== undefined && status < 500) ||
      (refused !== undefined && (refused === status || (status === 404 && !served)))
    );
  });
  return joinHints(found);
}

/** Whether the hint for a call depends on its parameters. @param path below `/api/v4` */
export const dependsOnParameters = (method: string, path: string): boolean =>
  aboutCall(method, path).some(
    ({ migration: { parameters, required } }) => parameters !== undefined || required !== undefined,
  );

/** The changes that removed parameters of a route. @param path of the route, below `/api/v4` */
export const removedParameters = (method: string, path: string): readonly Migration[] =>
  aboutCall(method, path).flatMap(({ migration }) => (migration.parameters ? [migration] : []));

/** The hint header of an answer to a request with removed parameters. Headers are ASCII. */
export function hintForAnswer(removed: readonly Migration[], sent: Sent): string | undefined {
  const found = removed.filter((migration) => concerns(migration, sent));
  return found.length === 0
    ? undefined
    : found
        .map(({ hint }) => hint)
        .join(' ')
        .replaceAll('’', "'");
}
