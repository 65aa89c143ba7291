import type { ComponentChildren } from 'preact';
import { useContext } from 'preact/hooks';
import { InForm, OnPage, Sent } from './restored-form.ts';
import { newFormId, type CsrfTokens } from '../csrf.ts';
import type { Fields } from './fields.ts';

interface FormProps {
  readonly csrf: CsrfTokens;
  /** The path that the form is sent to. */
  readonly action: string;
  /** What the page shows in the form, if it must come back unchanged: the CSRF token is bound to it. */
  readonly shown?: string;
  /** Hidden fields. */
  readonly carries?: Readonly<Record<string, string | undefined>>;
  /** Whether the form works only once. Its CSRF token is bound to a form id; the page needs `once` too. */
  readonly once?: boolean;
  /** Whether the form has a field for a file; the page needs `files` too. */
  readonly files?: boolean;
  readonly children: ComponentChildren;
}

/** A form with its CSRF token. */
export function Form({ csrf, action, once = false, files = false, shown, carries, children }: FormProps) {
  const formId = once ? newFormId() : undefined;
  const sent = useContext(Sent);
  const hidden = { ...carries, ...(sent?.action === action && shownAtFirst(carries, sent.fields)), form_id: formId };
  const restored = useContext(OnPage)?.take(action);
  return (
    <form method="post" action={action} enctype={files ? 'multipart/form-data' : undefined}>
      <input type="hidden" name="form_token" value={csrf(action, formId ?? shown)} />
      {Object.entries(hidden).map(
        ([name, value]) => value !== undefined && <input type="hidden" name={name} value={value} />,
      )}
      {restored && <Restored />}
      <InForm.Provider value={restored}>{children}</InForm.Provider>
    </form>
  );
}

/**
 * What a form that is shown again showed when it was opened. What it shows now may be newer: then fields that the person
 * left alone would count as edited, and saving them would undo what others changed.
 */
const shownAtFirst = (carries: FormProps['carries'] = {}, sent: Fields): Fields =>
  Object.fromEntries(
    Object.keys(carries).flatMap((name) =>
      name.startsWith('was.') && sent[name] !== undefined ? [[name, sent[name]]] : [],
    ),
  );

/** The message above a form that shows what the person typed before signing in. */
function Restored() {
  return (
    <p class="warning" role="alert">
      Nothing is saved yet. What you typed is restored, except passwords and codes.
    </p>
  );
}

interface FieldProps {
  readonly name: string;
  readonly label: string;
  /** How to fill it in. */
  readonly hint?: ComponentChildren;
  /** What is wrong with it, in sentences. */
  readonly errors?: readonly string[] | undefined;
}

interface TextFieldProps extends FieldProps {
  readonly value?: string;
  readonly type?: 'text' | 'password' | 'email' | 'url' | 'number' | 'date' | 'datetime-local' | 'search' | 'color';
  /** The smallest number, or the earliest date or time (ISO 8601). */
  readonly min?: string;
  readonly max?: string;
  readonly autocomplete?: string;
  readonly required?: boolean;
  /** Whether the field has the focus when the page opens. */
  readonly focused?: boolean;
  /** The number of lines; 1 by default. */
  readonly lines?: number;
  /** Whether the field holds a code or an address: no spelling check, no automatic capital letters. */
  readonly technical?: boolean;
  /** What its code consists of: phones show a keyboard for it. */
  readonly typed?: 'digits' | 'capitals';
  /** Values to choose from; any other may be typed too. */
  readonly suggestions?: readonly string[] | undefined;
  /** Of a new password: facts about the person that it must not be made of, besides those in the same form. */
  readonly known?: readonly string[] | undefined;
}

/** A text field with its label, hint and errors. */
export function TextField(props: TextFieldProps) {
  const {
    name,
    label,
    hint,
    errors = [],
    type = 'text',
    autocomplete,
    required,
    focused,
    lines,
    technical,
    typed,
    min,
    max,
    suggestions = [],
    known,
  } = props;
  const list = suggestions.length > 0 ? `${name}-suggestions` : undefined;
  const restored = useContext(InForm)?.[name];
  const value = type === 'password' ? '' : (restored ?? props.value ?? '');
  const common = {
    name,
    required,
    // The first of them in the page gets it: someone who can't see the page hears what is wrong at once.
    autoFocus: focused || errors.length > 0,
    class: technical ? 'technical' : undefined,
    spellcheck: technical ? false : undefined,
    autocapitalize: technical ? (typed === 'capitals' ? ('characters' as const) : ('none' as const)) : undefined,
    inputMode: typed === 'digits' ? ('numeric' as const) : undefined,
    'data-known': known?.join('\n'),
    ...described(props),
  };
  return (
    <div class="field">
      <label>
        <span>{label}</span>
        {lines ? (
          <textarea {...common} rows={lines}>
            {/* HTML drops the first line break. */}
            {value.startsWith('\n') ? `\n${value}` : value}
          </textarea>
        ) : (
          <input {...common} type={type} value={value} min={min} max={max} autocomplete={autocomplete} list={list} />
        )}
      </label>
      {list && (
        <datalist id={list}>
          {suggestions.map((suggestion) => (
            <option value={suggestion} />
          ))}
        </datalist>
      )}
      <Errors field={name} errors={errors} />
      <Hint field={name} hint={hint} />
    </div>
  );
}

interface SelectFieldProps extends FieldProps {
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly value: string;
  /** Whether the empty choice is refused. */
  readonly required?: boolean;
}

/** A drop-down list. */
export function SelectField(props: SelectFieldProps) {
  const { name, label, hint, errors = [], options } = props;
  const restored = useContext(InForm)?.[name];
  const chosen = options.some(({ value }) => value === restored) ? restored : props.value;
  return (
    <div class="field">
      <label>
        <span>{label}</span>
        <select name={name} required={props.required} autoFocus={errors.length > 0} {...described(props)}>
          {options.map(({ value, label: says }) => (
            <option value={value} selected={value === chosen}>
              {says}
            </option>
          ))}
        </select>
      </label>
      <Errors field={name} errors={errors} />
      <Hint field={name} hint={hint} />
    </div>
  );
}

/** ARIA attributes that connect a field with its hint and errors. */
function described({ name, hint, errors = [] }: FieldProps) {
  const by = [hint && `${name}-hint`, errors.length > 0 && `${name}-error`].filter(Boolean).join(' ');
  return { 'aria-invalid': errors.length > 0 ? ('true' as const) : undefined, 'aria-describedby': by || undefined };
}

function Hint({ field, hint }: { readonly field: string; readonly hint: ComponentChildren }) {
  if (!hint) return null;
  return (
    <p class="hint" id={`${field}-hint`}>
      {hint}
    </p>
  );
}

/** Says to password managers whose password a form takes. */
export const AccountName = ({ username }: { readonly username: string }) => (
  <input
    class="hidden"
    name="username"
    value={username}
    autocomplete="username"
    tabIndex={-1}
    aria-hidden="true"
    readOnly
  />
);

/** The button that Enter presses in a form where another one comes before its own. */
export const EnterSends = ({ does }: { readonly does: string }) => (
  <button class="hidden" tabIndex={-1} aria-hidden="true">
    {does}
  </button>
);

/** The message above a form with errors. */
export function NotSaved() {
  return (
    <p class="warning" role="alert">
      Nothing is saved yet. The errors are next to their fields.
    </p>
  );
}

interface ObstacleProps {
  /** `error` by default. */
  readonly tone?: 'error' | 'warning';
  readonly children: ComponentChildren;
}

/** Why nothing was done, where no field is wrong. It has the focus, so that a screen reader reads it at once. */
export function Obstacle({ tone = 'error', children }: ObstacleProps) {
  return (
    <p class={tone} role="alert" tabIndex={-1} autoFocus>
      {children}
    </p>
  );
}

export interface Choice {
  /** The name of the check box; with `single`, the value of the radio button. */
  readonly name: string;
  readonly label: ComponentChildren;
  readonly says?: string;
  readonly chosen: boolean;
  /** Whether the choice is unavailable; `says` has the reason. */
  readonly disabled?: boolean;
}

interface ChoicesProps extends FieldProps {
  readonly choices: readonly Choice[];
  /** Whether only one can be chosen. */
  readonly single?: boolean;
  /** Whether to show the choices in columns: for many short ones. */
  readonly grid?: boolean;
}

/** Check boxes, or radio buttons if `single`, each with a description. */
export function Choices({ name, label, hint, errors = [], choices, single = false, grid = false }: ChoicesProps) {
  const restored = useContext(InForm);
  const isChosen = (choice: Choice) =>
    restored ? (single ? restored[name] === choice.name : restored[choice.name] === 'on') : choice.chosen;
  const open = choices.filter(({ disabled }) => !disabled);
  // A group of radio buttons has its focus at the chosen one.
  const focused = errors.length > 0 ? (single && open.find(isChosen)) || open[0] : undefined;
  return (
    <fieldset class={grid ? 'field grid' : 'field'} aria-describedby={errors.length > 0 ? `${name}-error` : undefined}>
      <legend>{label}</legend>
      {hint && <p class="hint">{hint}</p>}
      <Errors field={name} errors={errors} />
      {choices.map((choice) => (
        <label class="choice">
          {single ? (
            <input
              type="radio"
              name={name}
              value={choice.name}
              checked={isChosen(choice)}
              autoFocus={choice === focused}
            />
          ) : (
            <input
              type="checkbox"
              name={choice.name}
              value="on"
              disabled={choice.disabled}
              checked={isChosen(choice)}
              autoFocus={choice === focused}
            />
          )}
          <span>
            <b>{choice.label}</b>
            {choice.says && <span>{choice.says}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}

function Errors({ field, errors }: { readonly field: string; readonly errors: readonly string[] }) {
  if (errors.length === 0) return null;
  return (
    <ul class="mistakes" id={`${field}-error`}>
      {errors.map((error) => (
        <li>{error}</li>
      ))}
    </ul>
  );
}
