import { useContext } from 'preact/hooks';
import { notificationEvents, type EventName } from '../../../values/notification-events.ts';
import {
  defaultLevel,
  isLevel,
  levelChoices,
  notificationLevels,
  type Level,
} from '../../../values/notification-levels.ts';
import { InForm } from '../../site/restored-form.ts';
import { asShown, type Draft, type SettingKey } from './form.ts';

/** What the schema tells of a setting. */
export interface Setting {
  readonly level: Level;
  readonly effective: {
    readonly level: Level;
    readonly source: 'PROJECT' | 'GROUP' | 'GLOBAL' | 'DEFAULT';
    readonly sourceGroup: { readonly name: string; readonly fullPath: string } | null;
  };
  readonly events: readonly { readonly event: EventName; readonly enabled: boolean }[];
}

export const settingFields = 'level effective { level source sourceGroup { name fullPath } } events { event enabled }';

export const draftOf = ({ level, events }: Setting): Draft => ({
  level,
  events: new Set(events.filter(({ enabled }) => enabled).map(({ event }) => event)),
});

interface SettingProps {
  /** How the form names the setting. */
  readonly name: SettingKey;
  readonly setting: Setting;
  /** As it stands in the form; what is stored unless the form came back. */
  readonly draft?: Draft | undefined;
}

interface LevelFieldProps extends SettingProps {
  /** What the level is of, for those who don't see what stands beside it. */
  readonly label: string;
}

/** The level of a setting to choose, and what applies at present. */
export function LevelField({ name, setting, draft = draftOf(setting), label }: LevelFieldProps) {
  const restored = useContext(InForm)?.[`level.${name}`];
  const chosen = isLevel(restored) ? restored : draft.level;
  const choices = choicesOf(name, [setting.level, chosen]);
  const why = appliesSince(name, setting);
  return (
    <div class="level">
      <input type="hidden" name={`was.${name}`} value={asShown(draftOf(setting))} />
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
 * The levels to choose among. `GLOBAL` as the global level means the default: the API accepts it, so the page shows it
 * where it is the state, and doesn't offer it otherwise.
 */
function choicesOf(name: SettingKey, shown: readonly Level[]): [Level, string][] {
  const all = levelChoices.map((level): [Level, string] => [level, notificationLevels[level].label]);
  if (name !== 'global') return all;
  return all.flatMap(([level, label]): [Level, string][] => {
    if (level !== 'GLOBAL') return [[level, label]];
    return shown.includes(level) ? [[level, `Default (${notificationLevels[defaultLevel.GLOBAL].label})`]] : [];
  });
}

/** What applies where it isn't what was chosen, and where that comes from. */
function appliesSince(name: SettingKey, { level, effective }: Setting): string | null {
  if (name === 'global' || level !== 'GLOBAL') return null;
  const { source, sourceGroup } = effective;
  const from = {
    PROJECT: 'set here',
    GROUP: sourceGroup ? `from ${sourceGroup.name}` : 'from a group above',
    GLOBAL: 'from everywhere',
    DEFAULT: 'by default',
  }[source];
  return `${notificationLevels[effective.level].label}, ${from}`;
}

/** The events of the level Custom. The stylesheet shows them where that is chosen. */
export function EventGrid({ name, setting, draft = draftOf(setting), label }: LevelFieldProps) {
  const restored = useContext(InForm);
  // A setting that wasn't on the form that comes back stays as it is.
  const isOn = (event: string) =>
    restored?.[`level.${name}`] === undefined ? draft.events.has(event) : restored[`on.${name}.${event}`] === 'on';
  return (
    <fieldset class="events">
      <legend>
        Custom<span class="hidden"> for {label}</span>: what you take part in, and
      </legend>
      {setting.events.map(({ event }) => (
        <label>
          <input type="checkbox" name={`on.${name}.${event}`} checked={isOn(event)} />
          {notificationEvents[event].label}
        </label>
      ))}
    </fieldset>
  );
}
