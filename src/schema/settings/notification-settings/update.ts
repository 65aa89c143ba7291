import { verifiedAddress } from '../../accounts/emails/addresses-of.ts';
import type { Context } from '../../../context.ts';
import type { Sql, Statement } from '../../../database/index.ts';
import { writeGlobalSetting, writeGroupSettings, writeProjectSettings, type SettingRow } from './statements.ts';
import { InvalidFields } from '../../../errors.ts';
import type { EventName } from '../../../values/kinds/notification-events.ts';
import type { Level, Scope } from '../../../values/kinds/notification-levels.ts';
import { eventsFor } from './events.ts';
import type { Place } from './read.ts';
import { toSetting, type Setting } from './setting.ts';

/** A change as a client asks for it; omitted fields stay as they are. */
export interface Change extends Place {
  readonly level?: Level | null | undefined;
  readonly notificationEmail?: string | null | undefined;
  readonly events?:
    | readonly { readonly event: EventName; readonly enabled?: boolean | null | undefined }[]
    | null
    | undefined;
}

/** A validated change, with the setting that it changes. */
export interface CheckedChange {
  readonly setting: Setting;
  /** Null keeps it. */
  readonly level: Level | null;
  /** Events to set; null unsets one. */
  readonly events: { readonly [E in EventName]?: boolean | null };
  /** Undefined keeps the address; null resets it: to the primary one, or to that of the groups above. */
  readonly emailId: number | null | undefined;
}

/**
 * Validates every value of a change, so that writing can't fail because of one. It checks the address before an empty
 * level, since clients expect the errors in this order.
 * @throws InvalidFields
 */
export async function checkChange(context: Context, setting: Setting, change: Change): Promise<CheckedChange> {
  const emailId = await checkEmail(context, setting, change.notificationEmail);
  if (change.level === null) throw new InvalidFields({ level: ["can't be blank"] });
  const known = new Set(eventsFor(setting.person));
  const events = (change.events ?? []).filter(({ event }) => known.has(event));
  return {
    setting,
    emailId,
    level: change.level ?? null,
    events: Object.fromEntries(events.map(({ event, enabled }) => [event, enabled ?? null])),
  };
}

async function checkEmail(
  context: Context,
  { scope, person }: Setting,
  address: string | null | undefined,
): Promise<number | null | undefined> {
  if (address === undefined) return undefined;
  if (scope === 'PROJECT')
    throw new InvalidFields({ notificationEmail: ['belongs to the global setting or to that of a group'] });
  if (address === null || address === '') return null;
  const problems = /^[^@\s]+@[^@\s]+$/.test(address) ? [] : ['is invalid'];
  const id = await verifiedAddress(context.database, person.id, address.toLowerCase());
  if (id === undefined)
    throw new InvalidFields({ notificationEmail: [...problems, 'must be an email you have verified'] });
  return id;
}

/** Writes a validated change. @returns the setting after the change */
export async function writeChange(sql: Sql, change: CheckedChange): Promise<Setting> {
  const { setting } = change;
  if (!changesAnything(change)) return setting;
  if (setting.scope === 'GLOBAL') return await writeGlobal(sql, change);
  const [[, after]] = (await writePlaces(sql, setting.scope, [change])) as [[Setting, Setting]];
  return after;
}

/**
 * Writes validated changes of one person, one statement for each scope.
 * @returns the settings after the changes, in their order
 */
export async function writeChanges(sql: Sql, changes: readonly CheckedChange[]): Promise<Setting[]> {
  const written = new Map<Setting, Setting>();
  for (const change of ofScope(changes, 'GLOBAL')) written.set(change.setting, await writeGlobal(sql, change));
  for (const scope of ['GROUP', 'PROJECT'] as const) {
    for (const [before, after] of await writePlaces(sql, scope, ofScope(changes, scope))) written.set(before, after);
  }
  return changes.map(({ setting }) => written.get(setting) ?? setting);
}

/** Whether a change contains more than a place. */
export function changesAnything({ level, events, emailId }: CheckedChange): boolean {
  return level !== null || emailId !== undefined || Object.keys(events).length > 0;
}

/** The changes of one scope that contain more than a place. */
function ofScope(changes: readonly CheckedChange[], scope: Scope): CheckedChange[] {
  return changes.filter((change) => change.setting.scope === scope && changesAnything(change));
}

async function writeGlobal(sql: Sql, { setting, level, events, emailId }: CheckedChange): Promise<Setting> {
  const { person, scope, id } = setting;
  const [row] = await sql.rows(writeGlobalSetting, [person.id, level, events, emailId !== undefined, emailId ?? null]);
  return toSetting(person, scope, id, row!);
}

async function writePlaces(
  sql: Sql,
  scope: 'GROUP' | 'PROJECT',
  changes: readonly CheckedChange[],
): Promise<[before: Setting, after: Setting][]> {
  const [first] = changes;
  if (!first) return [];
  // Rows are locked in one order, so that concurrent updates can't deadlock.
  const ordered = changes.toSorted((one, other) => one.setting.id! - other.setting.id!);
  const { person } = first.setting;
  const statement: Statement<SettingRow & { id: number }> =
    scope === 'GROUP' ? writeGroupSettings : writeProjectSettings;
  const rows = await sql.rows(statement, [
    person.id,
    ordered.map(({ setting }) => setting.id),
    ordered.map(({ level }) => level),
    ordered.map(({ events }) => JSON.stringify(events)),
    ...(scope === 'GROUP'
      ? [ordered.map(({ emailId }) => emailId !== undefined), ordered.map(({ emailId }) => emailId ?? null)]
      : []),
  ]);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return changes.map(({ setting }) => [setting, toSetting(person, scope, setting.id, byId.get(setting.id!)!)]);
}
