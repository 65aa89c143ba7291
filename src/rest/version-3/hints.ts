import { unescapedPath } from '../engine/unescaped-path.ts';
import { fits, isRouted, isServed, parseCall, pathOf, type Call } from './calls.ts';
import type { Change, Migration } from './change.ts';
import { changes } from './changes.ts';

/** Whether a request carries a parameter. */
export type Sent = (name: string) => boolean;

/** A line of the table, read. */
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

/** What a change comes to for a client. It names new calls only where they are served: a client would make them. */
function hintOf({ now, says, title }: Change, served: boolean): string {
  if (!served) return `${title}. This server doesn’t serve that yet: see /docs/migration.`;
  return says ?? `Use ${now.map((call) => call.replace(' ', ' /api/v4')).join(' or ')}.`;
}

/** The whole table, with what this gateway serves of it. */
export const migrations: readonly Migration[] = lines.map(({ migration }) => migration);

const aboutCall = (method: string, path: string): readonly Line[] =>
  lines.filter(({ old }) => old.some((call) => fits(call, method, path)));

const together = (found: readonly Line[]): string | undefined =>
  found.length === 0 ? undefined : found.map(({ migration }) => migration.hint).join(' ');

/** What to do in place of a call of version 3. @param path below `/api/v3` */
export function hintForVersion3(method: string, path: string): string | undefined {
  return together(aboutCall(method, path)) ?? unescapedPath(method, path)?.hint;
}

/**
 * The path below `/api/v4` of what took the place of a call of version 3; empty where nothing here did. It is the one
 * that the hint names: the first new call that the old one says all of, else the same path.
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

/** Whether a request carries what a change is about, where it is about parameters. */
function concerns({ parameters, required }: Change, sent: Sent): boolean {
  if (parameters) return parameters.some(sent);
  return !required?.some(sent);
}

/**
 * What to do in place of a call that version 4 refused with a status: where it is refused because it is one of version 3,
 * or carries a parameter of version 3. @param path below `/api/v4`
 */
export function hintForRefusal(method: string, path: string, status: number, sent: Sent): string | undefined {
  const found = aboutCall(method, path).filter(({ migration }) => {
    const { parameters, refused, served } = migration;
    if (!concerns(migration, sent)) return false;
    // Where nothing is served yet, the path is unknown, whatever the status will be.
    return (
      (parameters !== undefined && status < 500) ||
      (refused !== undefined && (refused === status || (status === 404 && !served)))
    );
  });
  return together(found);
}

/** Whether the hint for such a call depends on what it carries. @param path below `/api/v4` */
export const dependsOnParameters = (method: string, path: string): boolean =>
  aboutCall(method, path).some(
    ({ migration: { parameters, required } }) => parameters !== undefined || required !== undefined,
  );

/** The changes that a route's answers may be about: those of its parameters. @param path of the route, below `/api/v4` */
export const removedParameters = (method: string, path: string): readonly Migration[] =>
  aboutCall(method, path).flatMap(({ migration }) => (migration.parameters ? [migration] : []));

/** The header of an answer to a request that carries removed parameters: ASCII, as headers are. */
export function hintForAnswer(removed: readonly Migration[], sent: Sent): string | undefined {
  const found = removed.filter((migration) => concerns(migration, sent));
  return found.length === 0
    ? undefined
    : found
        .map(({ hint }) => hint)
        .join(' ')
        .replaceAll('’', "'");
}
