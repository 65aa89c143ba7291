import type { Attributes } from '../../../values/attributes/attributes.ts';
import { groupAttributes, type GroupAttributes } from '../../../values/attributes/group-attributes.ts';
import { projectAttributes, type ProjectAttributes } from '../../../values/attributes/project-attributes.ts';
import {
  AttributeFields,
  namesOf,
  typedValues,
  type AttributeSection,
  type Mistakes,
  type Typed,
} from '../../site/forms/attributes.tsx';
import { carryShown } from '../../site/forms/fields.ts';
import { Form, NotSaved, SelectField, TextField } from '../../site/forms/forms.tsx';
import type { Site } from '../../site/layout/layout.tsx';
import { DangerZone } from '../../site/records/records.tsx';
import { PlaceLayout } from '../place/layout.tsx';
import {
  placePath,
  removalPath,
  settingsPath,
  sharingPath,
  transferPath,
  visibilities,
  type Kind,
} from '../place/place.ts';
import type { PlaceHead } from '../place/route.ts';

/** What the settings page shows of a group or a project. */
export interface Configured {
  readonly name: string;
  readonly path: string;
  readonly fullPath: string;
  readonly description: string | null;
  readonly visibility: keyof typeof visibilities;
  readonly topics?: readonly string[];
  readonly archived?: boolean;
  /** Null for those who don’t read it. */
  readonly repository?: { readonly rootRef: string | null; readonly branchNames: readonly string[] | null } | null;
  readonly permissions: { readonly edits: boolean; readonly owns: boolean };
  /** The attributes of a project, by name. A group has them as properties. */
  readonly attributes?: Readonly<Record<string, unknown>>;
}

/** The attributes that the gateway obeys, in the order of the page. */
const groupSections: readonly AttributeSection<keyof GroupAttributes>[] = [
  {
    title: 'Permissions',
    names: [
      'projectCreationLevel',
      'subgroupCreationLevel',
      'requestAccessEnabled',
      'shareWithGroupLock',
      'preventSharingGroupsOutsideHierarchy',
    ],
  },
  { title: 'Two-factor authentication', names: ['twoFactorGracePeriod', 'requireTwoFactorAuthentication'] },
  { title: 'Notifications', names: ['emailsEnabled', 'mentionsDisabled'] },
  { title: 'New projects', names: ['defaultBranch', 'defaultBranchProtection'], folded: true },
  { title: 'Runners', names: ['sharedRunnersSetting'], folded: true },
];

const projectSections: readonly AttributeSection<keyof ProjectAttributes>[] = [
  {
    title: 'Features',
    names: [
      'issuesAccessLevel',
      'repositoryAccessLevel',
      'mergeRequestsAccessLevel',
      'forkingAccessLevel',
      'buildsAccessLevel',
      'environmentsAccessLevel',
      'snippetsAccessLevel',
      'monitorAccessLevel',
      'requestAccessEnabled',
    ],
  },
  {
    title: 'Merge requests',
    names: [
      'mergeMethod',
      'squashOption',
      'mergeCommitTemplate',
      'squashCommitTemplate',
      'onlyAllowMergeIfPipelineSucceeds',
      'allowMergeOnSkippedPipeline',
      'onlyAllowMergeIfAllDiscussionsAreResolved',
      'resolveOutdatedDiffDiscussions',
      'removeSourceBranchAfterMerge',
      'autocloseReferencedIssues',
      'printingMergeRequestLinkEnabled',
    ],
    folded: true,
  },
  {
    title: 'Pipelines',
    names: [
      'ciConfigPath',
      'buildTimeout',
      'ciDefaultGitDepth',
      'buildGitStrategy',
      'autoCancelPendingPipelines',
      'ciPipelineVariablesMinimumOverrideRole',
      'buildCoverageRegex',
      'maxArtifactsSize',
      'keepLatestArtifact',
      'ciSeparatedCaches',
      'ciForwardDeploymentEnabled',
      'ciForwardDeploymentRollbackAllowed',
      'publicJobs',
      'sharedRunnersEnabled',
      'groupRunnersEnabled',
    ],
    folded: true,
  },
  { title: 'Notifications', names: ['emailsEnabled'], folded: true },
];

/** Hints where the description of an attribute speaks to those who call the API or says too little; none where it repeats the label. */
const ownHints: Readonly<Record<Kind, Readonly<Record<string, string>>>> = {
  group: {
    projectCreationLevel: '',
    subgroupCreationLevel: '',
    defaultBranch: 'The name of the first branch of a new project. Empty: main.',
    defaultBranchProtection: 'Who pushes to that branch, and who merges into it.',
  },
  project: {
    issuesAccessLevel: '',
    repositoryAccessLevel: '',
    mergeRequestsAccessLevel: '',
    forkingAccessLevel: '',
    buildsAccessLevel: '',
    environmentsAccessLevel: 'With their deployments.',
    snippetsAccessLevel: '',
    monitorAccessLevel: '',
    mergeMethod: '',
    mergeCommitTemplate:
      'Empty: the usual one. %{title}, %{description}, %{issues}, %{reference}, %{local_reference}, %{source_branch} and %{target_branch} are filled in.',
    squashOption: 'Whether a merge makes one commit of all.',
    squashCommitTemplate: 'Empty: the title of the merge request. The same are filled in.',
    ciConfigPath: 'Of the configuration of its pipelines. Empty: .gitlab-ci.yml.',
    buildTimeout: 'In seconds, from 10 minutes to less than a month. A configuration may say less for a job.',
    ciDefaultGitDepth: '0: all of them.',
    buildGitStrategy: 'A clone takes longer, and has nothing of earlier jobs.',
    ciPipelineVariablesMinimumOverrideRole: 'The least role that starts a pipeline with variables of its own.',
    buildCoverageRegex: 'A regular expression that finds the coverage in a log, if the configuration has none.',
    autoCancelPendingPipelines: 'Those of the same branch.',
    maxArtifactsSize: '',
    publicJobs: 'Otherwise its members only.',
    emailsEnabled: 'Whether notifications of it are mailed.',
  },
};

const hintsOf = (kind: Kind, { table, sections }: ReturnType<typeof attributesOf>): Readonly<Record<string, string>> =>
  Object.fromEntries(namesOf(sections).map((name) => [name, ownHints[kind][name] ?? table[name]!.description]));

/** The attributes of a form, without those that only groups at the root have, or only owners write. */
export function attributesOf(
  kind: Kind,
  place: Pick<Configured, 'fullPath' | 'permissions'>,
): { readonly table: Attributes; readonly sections: readonly AttributeSection[] } {
  const table: Attributes = kind === 'project' ? projectAttributes : groupAttributes;
  const isOffered = (name: string) =>
    name === 'preventSharingGroupsOutsideHierarchy'
      ? !place.fullPath.includes('/')
      : place.permissions.owns || table[name]!.writtenBy !== 'owners';
  const every: readonly AttributeSection[] = kind === 'project' ? projectSections : groupSections;
  const sections = every
    .map((section) => ({ ...section, names: section.names.filter(isOffered) }))
    .filter(({ names }) => names.length > 0);
  return { table, sections };
}

/** The names of all attributes that the form of a group may have. */
export const groupAttributeNames = namesOf(groupSections);

/** The fields that aren’t attributes. */
export const ownFields = ['name', 'path', 'description', 'visibility', 'topics', 'rootRef'] as const;

/** What the form shows. */
const typedSettings = (kind: Kind, place: Configured): Typed => ({
  name: place.name,
  path: place.path,
  description: place.description ?? '',
  visibility: place.visibility,
  topics: (place.topics ?? []).join(', '),
  rootRef: place.repository?.rootRef ?? '',
  ...typedAttributes(attributesOf(kind, place), place),
});

const typedAttributes = ({ table, sections }: ReturnType<typeof attributesOf>, place: Configured): Typed =>
  typedValues(table, namesOf(sections), place.attributes ?? { ...place });

interface SettingsProps {
  readonly site: Site;
  readonly head: PlaceHead;
  readonly place: Configured;
  /** What was typed, if the form has errors. */
  readonly typed?: Typed;
  readonly mistakes?: Mistakes;
}

/** The form for the settings of a group or a project. */
export function PlaceSettings({ site, head, place, typed: given, mistakes = {} }: SettingsProps) {
  const { kind } = head;
  const { name, fullPath, permissions } = place;
  const shown = typedSettings(kind, place);
  const typed = given ?? shown;
  const offered = attributesOf(kind, place);
  const { table, sections } = offered;
  const hints = hintsOf(kind, offered);
  const wrong = given !== undefined;
  const title = `Settings of ${name}`;
  return (
    <PlaceLayout site={site} place={head} title={wrong ? `Error: ${title}` : title} current="settings">
      <h1>
        <bdi>{title}</bdi>
      </h1>
      {wrong && <NotSaved />}
      <Form csrf={site.visitor!.csrf} action={settingsPath(kind, fullPath)} carries={carryShown(shown)}>
        <TextField name="name" label="Name" value={typed.name ?? ''} errors={mistakes.name} required />
        <TextField
          name="path"
          label="Path"
          hint="The last part of the address. The former address redirects until another group or project takes it."
          value={typed.path ?? ''}
          errors={mistakes.path}
          technical
          required
        />
        <TextField
          name="description"
          label="Description"
          value={typed.description ?? ''}
          errors={mistakes.description}
          lines={3}
        />
        {kind === 'project' && (
          <TextField
            name="topics"
            label="Topics"
            hint="Separated by commas."
            value={typed.topics ?? ''}
            errors={mistakes.topics}
          />
        )}
        {place.repository?.rootRef != null && (
          <TextField
            name="rootRef"
            label="Default branch"
            hint="Clones check it out, and merge requests go into it. The branch must exist."
            value={typed.rootRef ?? ''}
            errors={mistakes.rootRef}
            suggestions={place.repository.branchNames ?? []}
            technical
            required
          />
        )}
        {permissions.owns ? (
          <SelectField
            name="visibility"
            label="Visibility"
            value={typed.visibility ?? ''}
            errors={mistakes.visibility ?? mistakes.visibilityLevel}
            options={Object.entries(visibilities).map(([value, label]) => ({ value, label }))}
          />
        ) : (
          <p class="hint">{visibilities[place.visibility]}. Only owners change the visibility.</p>
        )}
        {sections.map((section) => (
          <AttributeFields table={table} section={section} typed={typed} mistakes={mistakes} hints={hints} />
        ))}
        <div class="decision">
          <button class="button primary">Save changes</button>
          <a href={placePath(kind, fullPath)}>Cancel</a>
        </div>
      </Form>
      <h2>Sharing</h2>
      <p>
        <a href={sharingPath(kind, fullPath)}>Share this {kind} with a group</a>
      </p>
      {kind === 'project' && permissions.owns && <Archive site={site} place={place} />}
      <DangerZone title="Transfer">
        {permissions.owns ? (
          <>
            <p>
              Moves this {kind}
              {kind === 'group' && ' with everything in it'} to another{' '}
              {kind === 'group' ? 'parent group' : 'namespace'}.
            </p>
            <p>
              <a class="button danger" href={transferPath(kind, fullPath)}>
                Transfer this {kind}
              </a>
            </p>
          </>
        ) : (
          <p>Only owners transfer this {kind}.</p>
        )}
      </DangerZone>
      {permissions.owns && (
        <DangerZone title="Remove">
          <p>Removes this {kind} with everything in it.</p>
          <p>
            <a class="button danger" href={removalPath(kind, fullPath)}>
              Remove this {kind}
            </a>
          </p>
        </DangerZone>
      )}
    </PlaceLayout>
  );
}

/** Whether the project is archived, with the button that changes it. */
function Archive({ site, place: { fullPath, archived } }: Pick<SettingsProps, 'site' | 'place'>) {
  return (
    <>
      <h2>Archive</h2>
      <p>
        {archived
          ? 'This project is archived. It stays readable, but nothing in it can be changed.'
          : 'An archived project stays readable, but nothing in it can be changed. You can unarchive it later.'}
      </p>
      <Form
        csrf={site.visitor!.csrf}
        action={`${placePath('project', fullPath)}/-/archive`}
        carries={{ archived: archived ? '' : 'on' }}
      >
        <button class="button">{archived ? 'Unarchive this project' : 'Archive this project'}</button>
      </Form>
    </>
  );
}
