import type { Attribute, Attributes } from '../../values/attributes.ts';
import type { Fields } from './fields.ts';
import { edited } from './fields.ts';
import { Choices, SelectField, TextField } from './forms.tsx';
import { sentences } from './words.ts';

/** Forms for attributes: fields, labels and what is sent are made from their tables. */

/** Some attributes of a table, under a title. */
export interface AttributeSection<Name extends string = string> {
  readonly title: string;
  readonly names: readonly Name[];
}

/** What a form shows or a person typed, by name; a ticked box is `on`. */
export type Typed = Readonly<Record<string, string>>;
/** Errors in sentences, by field. */
export type Mistakes = Readonly<Record<string, readonly string[] | undefined>>;

type Values = Readonly<Record<string, unknown>>;

/** The names of all attributes of a form. */
export const namesOf = <Name extends string>(sections: readonly AttributeSection<Name>[]): readonly Name[] =>
  sections.flatMap(({ names }) => names);

/** What a form shows of the values of attributes. */
export const typedValues = (names: readonly string[], values: Values): Typed =>
  Object.fromEntries(
    names.map((name) => {
      const value = values[name];
      return [name, typeof value === 'boolean' ? (value ? 'on' : '') : value == null ? '' : String(value)];
    }),
  );

/** What a person typed into a form. */
export const typedIn = (names: readonly string[], form: Fields): Typed =>
  Object.fromEntries(names.map((name) => [name, form[name] ?? '']));

/** The attributes that a person changed in a form, and which of the values can’t be read. */
export function changedAttributes(table: Attributes, names: readonly string[], form: Fields) {
  const changes = Object.entries(edited(form, names) as Readonly<Record<string, string>>);
  const unread = changes.filter(([name, typed]) => table[name]!.type === 'integer' && !/^-?\d{0,9}$/.test(typed));
  return {
    input: Object.fromEntries(changes.map(([name, typed]) => [name, valueOf(table[name]!, typed)])),
    mistakes: Object.fromEntries(unread.map(([name]) => [name, [`${labelOf(name)} must be a whole number.`]])),
  };
}

function valueOf({ type }: Attribute, typed: string): string | number | boolean | null {
  if (type === 'boolean') return typed === 'on';
  if (type === 'integer') return typed === '' ? null : Number(typed);
  return typed;
}

/** The problems of fields in sentences. @param labels of fields that aren’t attributes */
export const mistakesIn = (
  fields: Readonly<Record<string, readonly string[]>>,
  labels: Readonly<Record<string, string>> = {},
): Mistakes =>
  Object.fromEntries(
    Object.entries(fields).map(([name, problems]) => [name, sentences(labels[name] ?? labelOf(name), problems)]),
  );

/** Labels that don’t follow from the name. */
const labels: Readonly<Record<string, string>> = {
  linkedin: 'LinkedIn',
  github: 'GitHub',
  websiteUrl: 'Website',
  emailsEnabled: 'Mail notifications',
  mentionsDisabled: 'Mentions are disabled',
  requireTwoFactorAuthentication: 'Require two-factor authentication',
  twoFactorGracePeriod: 'Hours to set it up',
  shareWithGroupLock: 'Lock sharing of projects with groups',
  preventSharingGroupsOutsideHierarchy: 'Share only inside this group',
  projectCreationLevel: 'Who creates projects',
  subgroupCreationLevel: 'Who creates subgroups',
  monitorAccessLevel: 'Error tracking',
  buildsAccessLevel: 'Jobs and pipelines',
  maxArtifactsSize: 'Largest artifact, in MB',
  buildTimeout: 'Longest time of a job, in seconds',
  ciConfigPath: 'Configuration file',
};

const labelOf = (name: string): string => {
  const words = name.replace(/AccessLevel$/, '').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return labels[name] ?? words[0]!.toUpperCase() + words.slice(1);
};

/** The values of choices in words. */
const choices: Readonly<Record<string, string>> = {
  noone: 'No one',
  administrator: 'Administrators',
  owner: 'Owners',
  maintainer: 'Maintainers and owners',
  developer: 'Developers and higher roles',
  disabled: 'Nobody',
  private: 'Members only',
  enabled: 'Everyone who sees the project',
  public: 'Everyone',
  merge: 'A merge commit',
  rebase_merge: 'A merge commit, of branches that are up to date',
  ff: 'Fast-forward only',
  never: 'Never',
  always: 'Always',
  default_on: 'Yes, unless one chooses otherwise',
  default_off: 'No, unless one chooses otherwise',
};

interface AttributeFieldsProps {
  readonly table: Attributes;
  readonly section: AttributeSection;
  readonly typed: Typed;
  readonly mistakes: Mistakes;
  /** Hints by name, instead of the descriptions of the table: those speak of somebody else. */
  readonly hints?: Readonly<Record<string, string>>;
}

/** The fields of a section. Switches come last, as boxes in one group. */
export function AttributeFields({ table, section: { title, names }, typed, mistakes, hints }: AttributeFieldsProps) {
  const hintOf = (name: string) => (hints ? hints[name] : table[name]!.description);
  const boxes = names.filter((name) => table[name]!.type === 'boolean');
  return (
    <>
      <h2>{title}</h2>
      {names
        .filter((name) => !boxes.includes(name))
        .map((name) => (
          <AttributeField
            name={name}
            attribute={table[name]!}
            hint={hintOf(name)}
            typed={typed[name] ?? ''}
            errors={mistakes[name]}
          />
        ))}
      {boxes.length > 0 && (
        <Choices
          name={`${boxes[0]}-group`}
          label="Options"
          errors={boxes.flatMap((name) => mistakes[name] ?? [])}
          choices={boxes.map((name) => ({
            name,
            label: labelOf(name),
            ...says(hintOf(name)),
            chosen: typed[name] === 'on',
          }))}
        />
      )}
    </>
  );
}

const says = (hint: string | undefined) => (hint === undefined ? {} : { says: hint });

interface AttributeFieldProps {
  readonly name: string;
  readonly attribute: Attribute;
  readonly hint: string | undefined;
  readonly typed: string;
  readonly errors: readonly string[] | undefined;
}

function AttributeField({ name, attribute, hint, typed, errors }: AttributeFieldProps) {
  const field = { name, label: labelOf(name), hint, errors, value: typed };
  if (attribute.type === 'choice')
    return (
      <SelectField {...field} options={attribute.values.map((value) => ({ value, label: choices[value] ?? value }))} />
    );
  const long = attribute.type === 'text' && name === 'bio';
  return <TextField {...field} type={attribute.type === 'integer' ? 'number' : 'text'} {...(long && { lines: 3 })} />;
}
