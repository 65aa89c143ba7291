import type { ComponentChildren } from 'preact';
import type { FormProof } from './proof.ts';

interface FormProps {
  readonly proof: FormProof;
  /** The path that it is sent to. */
  readonly action: string;
  /** What the page says in it, where that must come back unchanged. */
  readonly shown?: string;
  /** What it carries besides what a person fills in. */
  readonly carries?: Readonly<Record<string, string | undefined>>;
  readonly children: ComponentChildren;
}

/** A form of ours, with the token that proves it. */
export function Form({ proof, action, shown, carries = {}, children }: FormProps) {
  return (
    <form method="post" action={action}>
      <input type="hidden" name="form_token" value={proof(action, shown)} />
      {Object.entries(carries).map(([name, value]) => value !== undefined && <input type="hidden" name={name} value={value} />)}
      {children}
    </form>
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
  readonly type?: 'text' | 'password';
  readonly autocomplete?: string;
  readonly required?: boolean;
  /** The first thing that a person does on this page is to fill this in. */
  readonly focused?: boolean;
  /** Several lines. */
  readonly lines?: number;
  /** A code, an address: nothing that a dictionary knows. */
  readonly technical?: boolean;
}

/** A field for text, with its label, a hint, and what is wrong with it. */
export function TextField(props: TextFieldProps) {
  const { name, label, hint, errors = [], value = '', type = 'text', autocomplete, required, focused, lines, technical } = props;
  const described = [hint && `${name}-hint`, errors.length > 0 && `${name}-error`].filter(Boolean).join(' ');
  const common = {
    name,
    required,
    autoFocus: focused,
    class: technical ? 'technical' : undefined,
    spellcheck: technical ? false : undefined,
    autocapitalize: technical ? ('none' as const) : undefined,
    'aria-invalid': errors.length > 0 ? ('true' as const) : undefined,
    'aria-describedby': described || undefined,
  };
  return (
    <div class="field">
      <label>
        <span>{label}</span>
        {lines ? (
          <textarea {...common} rows={lines}>
            {value}
          </textarea>
        ) : (
          <input {...common} type={type} value={value} autocomplete={autocomplete} />
        )}
      </label>
      <Errors field={name} errors={errors} />
      {hint && (
        <p class="hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

export interface Choice {
  /** The name of the field, or the value of a `single` one. */
  readonly name: string;
  readonly label: ComponentChildren;
  readonly says: string;
  readonly chosen: boolean;
}

interface ChoicesProps extends FieldProps {
  readonly choices: readonly Choice[];
  /** Whether just one can be chosen. */
  readonly single?: boolean;
}

/** Boxes to tick, each with its meaning; or, of several, one. */
export function Choices({ name, label, hint, errors = [], choices, single = false }: ChoicesProps) {
  return (
    <fieldset class="field" aria-describedby={errors.length > 0 ? `${name}-error` : undefined}>
      <legend>{label}</legend>
      {hint && <p class="hint">{hint}</p>}
      <Errors field={name} errors={errors} />
      {choices.map((choice) => (
        <label class="choice">
          {single ? (
            <input type="radio" name={name} value={choice.name} checked={choice.chosen} />
          ) : (
            <input type="checkbox" name={choice.name} value="on" checked={choice.chosen} />
          )}
          <span>
            <b>{choice.label}</b>
            <span>{choice.says}</span>
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
