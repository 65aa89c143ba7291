import { isLevel, type Level } from '../../../values/kinds/notification-levels.ts';
import type { Fields } from '../../site/forms/fields.ts';

/** One setting in a form. */
export interface Draft {
  readonly level: Level;
  /** The events that are on, by their names in the schema. */
  readonly events: ReadonlySet<string>;
}

/** A setting as the page showed it, and as the person sent it. */
interface Edited {
  readonly shown: Draft;
  readonly chosen: Draft;
}

/**
 * The name of a setting in a form: `global`, or a letter and a number for a group or a project. Its level is in
 * `level.<key>`, each event that is on in `on.<key>.<event>`, and what the page showed in `was.<key>`. Only differences
 * from what the page showed are saved, so that changes made elsewhere in the meantime stay. `below.<key>` gives a setting
 * to everything below it.
 */
export type SettingKey = string;

export const keyOf = (kind: 'group' | 'project', id: number): SettingKey => `${kind === 'group' ? 'g' : 'p'}${id}`;

/** The value of the field `was.<key>`. */
export const toShownValue = ({ level, events }: Draft): string => [level, ...events].join(' ');

const settingKey = /^(?:global|[gp]\d{1,10})$/;

/** The settings in a form, by key. Malformed fields are ignored: no page sends them. */
export function readEdited(form: Fields): Map<SettingKey, Edited> {
  const edited = new Map<SettingKey, Edited>();
  for (const [name, text] of Object.entries(form)) {
    if (!name.startsWith('was.')) continue;
    const key = name.slice('was.'.length);
    const [was, ...on] = text!.split(' ');
    const level = form[`level.${key}`];
    if (!settingKey.test(key) || !isLevel(was) || !isLevel(level)) continue;
    edited.set(key, { shown: { level: was, events: new Set(on) }, chosen: { level, events: switchedOn(form, key) } });
  }
  return edited;
}

/** Applies the changes of a form to the stored setting, to show the form again with a problem. */
export function applyEdit(stored: Draft, { shown, chosen }: Edited): Draft {
  const events = new Set(stored.events);
  for (const event of chosen.events) if (!shown.events.has(event)) events.add(event);
  for (const event of shown.events) if (!chosen.events.has(event)) events.delete(event);
  return { level: chosen.level === shown.level ? stored.level : chosen.level, events };
}

function switchedOn(form: Fields, key: SettingKey): Set<string> {
  const start = `on.${key}.`;
  return new Set(Object.keys(form).flatMap((name) => (name.startsWith(start) ? [name.slice(start.length)] : [])));
}

/** The input of the operation that changes several settings at once. */
export interface Changes {
  readonly settings: object[];
  readonly reset: object[];
}

/**
 * The changes in a form. Level `GLOBAL` for a place deletes everything that was set there.
 * @param known the events that the person can be notified of
 */
export function changesOf(form: Fields, known: readonly string[]): Changes {
  const changes: Changes = { settings: [], reset: [] };
  for (const [key, { shown, chosen }] of readEdited(form)) {
    const place = placeOf(key);
    const below = form[`below.${key}`] === 'on' && { applyBelow: true };
    if (key !== 'global' && chosen.level === 'GLOBAL' && shown.level !== 'GLOBAL') {
      changes.reset.push({ ...place, ...below });
      continue;
    }
    const events = known
      .filter((event) => shown.events.has(event) !== chosen.events.has(event))
      .map((event) => ({ event, enabled: chosen.events.has(event) }));
    const change = {
      ...(chosen.level !== shown.level && { level: chosen.level }),
      ...(events.length > 0 && { events }),
      ...below,
      ...(key === 'global' && form.email !== form['was.email'] && { notificationEmail: form.email || null }),
    };
    if (Object.keys(change).length > 0) changes.settings.push({ ...place, ...change });
  }
  return changes;
}

function placeOf(key: SettingKey): object {
  if (key === 'global') return {};
  return key.startsWith('g') ? { group: key.slice(1) } : { project: key.slice(1) };
}
