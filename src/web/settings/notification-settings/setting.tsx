import { useContext } from 'preact/hooks';
import { notificationEvents, type EventName } from '../../../values/kinds/notification-events.ts';
import {
  appliedLabel,
  isLevel,
  levelChoices,
  notificationLevels,
  type Level,
} from '../../../values/kinds/notification-levels.ts';
import { InForm } from '../../site/forms/restored-form.ts';
import { toShownValue, type Draft, type SettingKey } from './form.ts';

/** A notification setting, as `settingFields` reads it from the schema. */
export interface Setting {
  readonly level: Level;
  /** What applies without a level of its own; null for the global setting. */
  readonly inherited: {
    readonly level: Level;
    readonly source: 'PROJECT' | 'GROUP' | 'GLOBAL' | 'DEFAULT';
    readonly sourceGroup: { readonly name: string; readonly fullPath: string } | null;
  } | null;
  readonly events: readonly { readonly event: EventName; readonly enabled: boolean }[];
}

export const settingFields = 'level inherited { level source sourceGroup { name fullPath } } events { event enabled }';

export const draftOf = ({ level, events }: Setting): Draft => ({
  level,
  events: new Set(events.filter(({ enabled }) => enabled).map(({ event }) => event)),
});

interface SettingProps {
  /** The setting's name in the form. */
  readonly name: SettingKey;
  readonly setting: Setting;
  /** What the form holds: the stored setting, unless the form is shown again with a problem. */
  readonly draft?: Draft | undefined;
}

interface LevelFieldProps extends SettingProps {
  /** The accessible name (`aria-label`) of the select. */
  readonly label: string;
}

/**
 * The select for the level of a setting, with what it inherits. The stylesheet shows that while Global is chosen, and
 * the page's script keeps it true while levels above are chosen.
 */
export function LevelField({ name, setting, draft = draftOf(setting), label }: LevelFieldProps) {
  const restored = useContext(InForm)?.[`level.${name}`];
  const chosen = isLevel(restored) ? restored : draft.level;
  const choices = choicesOf(name, [setting.level, chosen]);
  const why = inheritedText(setting);
  const { source, sourceGroup } = setting.inherited ?? {};
  return (
    <div class="level" data-setting={name} data-from={source === 'GROUP' ? (sourceGroup?.fullPath ?? '?') : undefined}>
      <input type="hidden" name={`was.${name}`} value={toShownValue(draftOf(setting))} />
      <select name={`level.${name}`} aria-label={label} aria-describedby={why ? `why-${name}` : undefined}>
        {choices.map(([level, text]) => (
          <option value={level} selected={level === chosen}>
            {text}
          </option>
        ))}
      </select>
      {why && <p id={`why-${name}`}>{why}</p>}
    </div>
  );
}

/**
 * The levels to choose from. `GLOBAL` as the global level brings nothing. The API accepts it, so the page offers it if it is set
 * already, and not otherwise.
 */
function choicesOf(name: SettingKey, shown: readonly Level[]): [Level, string][] {
  const all = levelChoices.map((level): [Level, string] => [level, notificationLevels[level].label]);
  if (name !== 'global') return all;
  return all.flatMap(([level, label]): [Level, string][] => {
    if (level !== 'GLOBAL') return [[level, label]];
    return shown.includes(level) ? [[level, appliedLabel(level)]] : [];
  });
}

/** The level that a place inherits, and its source; null for the global setting. */
function inheritedText({ inherited }: Setting): string | null {
  if (inherited === null) return null;
  const { level, source, sourceGroup } = inherited;
  const from = {
    PROJECT: 'set here',
    GROUP: sourceGroup ? `from ${sourceGroup.name}` : 'from a group above',
    GLOBAL: 'your global level',
    DEFAULT: 'your global level',
  }[source];
  return `${appliedLabel(level)}, ${from}`;
}

/**
 * The checkboxes of the level Custom. The stylesheet shows them only when that level is chosen.
 * @param brief whether the events are only named: for many places on one page, which has their descriptions above
 */
export function EventGrid({
  name,
  setting,
  draft = draftOf(setting),
  label,
  brief = false,
}: LevelFieldProps & { readonly brief?: boolean }) {
  const restored = useContext(InForm);
  // A setting that the restored form doesn't have keeps its stored events.
  const isOn = (event: string) =>
    restored?.[`level.${name}`] === undefined ? draft.events.has(event) : restored[`on.${name}.${event}`] === 'on';
  return (
    <fieldset class="events">
      <legend>
        Custom<span class="hidden"> for {label}</span>: e-mail about what you take part in, and about
      </legend>
      {setting.events.map(({ event }) => (
        <label class={brief ? undefined : 'choice'}>
          <input type="checkbox" name={`on.${name}.${event}`} checked={isOn(event)} />
          {brief ? (
            notificationEvents[event].label
          ) : (
            <span>
              <b>{notificationEvents[event].label}</b>
              <span>{notificationEvents[event].description}</span>
            </span>
          )}
        </label>
      ))}
    </fieldset>
  );
}
