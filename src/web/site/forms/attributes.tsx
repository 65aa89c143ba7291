import type { Attribute, Attributes } from '../../../values/attributes/attributes.ts';
import type { Fields } from './fields.ts';
import { edited } from './fields.ts';
import { Choices, SelectField, TextField } from './forms.tsx';
import { sentences } from '../words.ts';

/** Forms for attributes: fields, labels and what is sent are made from their tables. */

/** Some attributes of a table, under a title. */
export interface AttributeSection<Name extends string = string> {
  readonly title: string;
  readonly names: readonly Name[];
  /** Whether to show only the title, until it is opened or one of its fields has an error. */
  readonly folded?: true;
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
export const typedValues = (table: Attributes, names: readonly string[], values: Values): Typed =>
  Object.fromEntries(
    names.map((name) => {
      const value = values[name];
      const typed = typeof value === 'boolean' ? (value ? 'on' : '') : value == null ? '' : String(value);
      return [name, hasEnum(table[name]!) ? typed.toLowerCase() : typed];
    }),
  );

/** Whether the schema has its values in capital letters. */
const hasEnum = (attribute: Attribute) => attribute.type === 'choice' && attribute.enum !== undefined;

/** What a person typed into a form. */
export const typedIn = (names: readonly string[], form: Fields): Typed =>
  Object.fromEntries(names.map((name) => [name, form[name] ?? '']));

/** The attributes that a person changed in a form, and which of the values can’t be read. */
export function changedAttributes(table: Attributes, names: readonly string[], form: Fields) {
  const changes = Object.entries(edited(form, names) as Readonly<Record<string, string>>);
  const mistakes = changes.flatMap(([name, typed]) => {
    const problem = unreadable(table[name]!, typed);
    return problem === undefined ? [] : [[name, [`${labelOf(name)} ${problem}.`]] as const];
  });
  return {
    input: Object.fromEntries(changes.map(([name, typed]) => [name, valueOf(table[name]!, typed)])),
    mistakes: Object.fromEntries(mistakes),
  };
}

/** Why the schema couldn’t even read what was sent. The schema itself checks all else. */
function unreadable(attribute: Attribute, typed: string): string | undefined {
  if (attribute.type === 'integer') return /^-?\d{0,9}$/.test(typed) ? undefined : 'must be a whole number';
  if (attribute.type !== 'choice' || !hasEnum(attribute)) return undefined;
  return attribute.values.includes(typed) ? undefined : 'must be one of the choices';
}

function valueOf(attribute: Attribute, typed: string): string | number | boolean | null {
  const { type } = attribute;
  // Where nothing means no, an empty box says nothing.
  if (type === 'boolean') return typed === 'on' || (attribute.unset === null ? null : false);
  if (type === 'integer') return typed === '' ? null : Number(typed);
  // Forms end lines as HTTP does.
  return hasEnum(attribute) ? typed.toUpperCase() : typed.replaceAll('\r\n', '\n');
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
  requestAccessEnabled: 'People may request access',
  buildsAccessLevel: 'Pipelines and jobs',
  forkingAccessLevel: 'Forks',
  projectsLimit: 'Limit of personal projects',
  canCreateGroup: 'May create groups',
  external: 'External',
  defaultBranch: 'Default branch',
  defaultBranchProtection: 'Protection of default branches',
  sharedRunnersSetting: 'Runners of the instance',
  sharedRunnersEnabled: 'Runners of the instance',
  groupRunnersEnabled: 'Runners of its groups',
  mergeMethod: 'How to merge',
  squashOption: 'Squashing commits',
  mergeCommitTemplate: 'Message of a merge',
  squashCommitTemplate: 'Message of squashed commits',
  onlyAllowMergeIfPipelineSucceeds: 'Pipelines must succeed',
  allowMergeOnSkippedPipeline: 'Skipped pipelines count as succeeded',
  onlyAllowMergeIfAllDiscussionsAreResolved: 'All threads must be resolved',
  removeSourceBranchAfterMerge: 'Remove the source branch',
  resolveOutdatedDiffDiscussions: 'Resolve outdated threads',
  autocloseReferencedIssues: 'Close mentioned issues',
  maxArtifactsSize: 'Largest artifact, in MB',
  ciConfigPath: 'Configuration file',
  buildTimeout: 'Timeout of jobs',
  ciDefaultGitDepth: 'Commits that a job fetches',
  buildGitStrategy: 'How a job gets the repository',
  autoCancelPendingPipelines: 'Older pipelines that wait',
  ciPipelineVariablesMinimumOverrideRole: 'Who gives variables to a pipeline',
  buildCoverageRegex: 'Coverage in logs',
  publicJobs: 'Everyone who sees the project sees its jobs',
};

const labelOf = (name: string): string => {
  const words = name.replace(/AccessLevel$/, '').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return labels[name] ?? words[0]!.toUpperCase() + words.slice(1);
};

/** The values of choices in words. */
const choices: Readonly<Record<string, string>> = {
  noone: 'No one',
  no_one_allowed: 'No one',
  administrator: 'Administrators',
  owner: 'Owners',
  maintainer: 'Maintainers and owners',
  developer: 'Developers and higher roles',
  disabled: 'No one',
  private: 'Members only',
  enabled: 'Everyone who sees the project',
  public: 'Everyone',
  merge: 'With a merge commit',
  rebase_merge: 'With a merge commit, only if it could be fast-forwarded',
  ff: 'Fast-forward, without a merge commit',
  never: 'Never',
  always: 'Always',
  default_on: 'Offered, and chosen unless one says otherwise',
  default_off: 'Offered, and not chosen unless one says so',
  fetch: 'Fetch what is new',
  clone: 'Clone it afresh',
};

/** Those of some attributes, where the same word says something else, or the value is a number. */
const choicesOf: { readonly [name: string]: Readonly<Record<string, string>> } = {
  defaultBranchProtection: {
    0: 'None: developers push, with force too',
    1: 'Developers push, maintainers merge',
    2: 'Maintainers push and merge',
    3: 'Maintainers push, developers merge',
    4: 'Maintainers push and merge, after a developer’s first push',
  },
  sharedRunnersSetting: {
    enabled: 'Run jobs of its projects',
    disabled_and_overridable: 'Don’t, unless a group below changes that',
    disabled_and_unoverridable: 'Don’t, in groups below neither',
  },
  autoCancelPendingPipelines: { enabled: 'Are canceled by newer ones', disabled: 'Keep waiting' },
};

interface AttributeFieldsProps {
  readonly table: Attributes;
  readonly section: AttributeSection;
  readonly typed: Typed;
  readonly mistakes: Mistakes;
  /** Hints by name, instead of the descriptions of the table: those speak of someone else. */
  readonly hints?: Readonly<Record<string, string>>;
}

/** The fields of a section. Switches come last, as boxes in one group. */
export function AttributeFields(props: AttributeFieldsProps) {
  const { title, names, folded } = props.section;
  if (!folded)
    return (
      <>
        <h2>{title}</h2>
        <SectionFields {...props} />
      </>
    );
  return (
    <details class="advanced" open={names.some((name) => props.mistakes[name] !== undefined)}>
      <summary>
        <h2>{title}</h2>
      </summary>
      <SectionFields {...props} />
    </details>
  );
}

function SectionFields({ table, section: { names }, typed, mistakes, hints }: AttributeFieldsProps) {
  const hintOf = (name: string) => (hints ? hints[name] : table[name]!.description);
  const boxes = names.filter((name) => table[name]!.type === 'boolean');
  return (
    <>
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
  const values = valuesOf(attribute);
  if (values) {
    const words = choicesOf[name] ?? choices;
    return <SelectField {...field} options={values.map((value) => ({ value, label: words[value] ?? value }))} />;
  }
  return (
    <TextField
      {...field}
      type={attribute.type === 'integer' ? 'number' : 'text'}
      {...(long.includes(name) && { lines: 3 })}
      technical={technical.includes(name)}
    />
  );
}

/** Texts of several lines. */
const long: readonly string[] = ['bio', 'note', 'mergeCommitTemplate', 'squashCommitTemplate'];
/** Names and patterns, which no one spells. */
const technical: readonly string[] = ['defaultBranch', 'ciConfigPath', 'buildCoverageRegex'];

/** The values to choose from, without those that only clients of older versions send; undefined if any is accepted. */
function valuesOf(attribute: Attribute): readonly string[] | undefined {
  if (attribute.type === 'choice') {
    const { values, clean } = attribute;
    return values.filter((value) => !clean || clean(value) === value);
  }
  return attribute.type === 'integer' ? attribute.values?.map(String) : undefined;
}
