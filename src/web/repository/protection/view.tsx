import type { ComponentChildren } from 'preact';
import { PlaceLayout } from '../../places/place/layout.tsx';
import type { PlaceHead } from '../../places/place/route.ts';
import { Choices, Form, NotSaved, SelectField, TextField } from '../../site/forms/forms.tsx';
import type { Site } from '../../site/layout/layout.tsx';
import { Facts, type Fact } from '../../site/records/records.tsx';
import { protectionPath, removalPath } from '../code/addresses.ts';

interface Levels {
  readonly nodes: readonly { readonly accessLevelDescription: string }[];
}

export interface ShownBranchRule {
  readonly name: string;
  readonly branchProtection: {
    readonly allowForcePush: boolean;
    readonly pushAccessLevels: Levels;
    readonly mergeAccessLevels: Levels;
  };
}

export interface ShownTagRule {
  readonly name: string;
  readonly createAccessLevels: Levels['nodes'];
}

/** The rules of one kind, as far as the page shows them. */
export interface Shown<Rule> {
  readonly nodes: readonly Rule[];
  readonly pageInfo: { readonly hasNextPage: boolean };
}

/** What a person typed into a form that was refused, and why. */
export interface Draft {
  readonly kind: 'branches' | 'tags';
  readonly name: string;
  readonly push: string;
  readonly merge: string;
  readonly force: boolean;
  readonly create: string;
  readonly error: string;
}

/** Who may do something: the names of levels in a form. */
export const levels = [
  { value: '40', label: 'Maintainers' },
  { value: '30', label: 'Developers and maintainers' },
  { value: '60', label: 'Administrators' },
  { value: '0', label: 'No one' },
] as const;
const usual = '40';

interface Props {
  readonly site: Site;
  readonly place: PlaceHead;
  readonly branches: Shown<ShownBranchRule>;
  readonly tags: Shown<ShownTagRule>;
  readonly draft?: Draft | undefined;
}

/** The rules that protect branches and tags, with the forms that make them. */
export function Protection({ site, place, branches, tags, draft }: Props) {
  const title = `Protection · ${place.name}`;
  const draftOf = (kind: Draft['kind']) => (draft?.kind === kind ? draft : undefined);
  return (
    <PlaceLayout site={site} place={place} title={draft ? `Error: ${title}` : title} current="protection">
      <h1>Protection</h1>
      <p class="lead">
        A rule says who writes to the branches, or makes the tags, that it names. Where several rules name one, the most
        permissive counts. Jobs of protected branches and tags get protected variables and runners.
      </p>
      {draft && <NotSaved />}
      <h2>Protected branches</h2>
      <Rules
        place={place}
        kind="branches"
        rules={branches}
        factsOf={({ branchProtection: of }) => [
          ['Push', namesOf(of.pushAccessLevels.nodes)],
          ['Merge', namesOf(of.mergeAccessLevels.nodes)],
          ['Force push', of.allowForcePush ? 'By those who push' : 'Not allowed'],
        ]}
      />
      {!place.archived && <BranchForm site={site} place={place} draft={draftOf('branches')} />}
      <h2>Protected tags</h2>
      <Rules
        place={place}
        kind="tags"
        rules={tags}
        factsOf={({ createAccessLevels }) => [['Make', namesOf(createAccessLevels)]]}
      />
      {!place.archived && <TagForm site={site} place={place} draft={draftOf('tags')} />}
    </PlaceLayout>
  );
}

const namesOf = (of: Levels['nodes']) => of.map(({ accessLevelDescription }) => accessLevelDescription).join(', ');

interface RulesProps<Rule> {
  readonly place: PlaceHead;
  readonly kind: Draft['kind'];
  readonly rules: Shown<Rule>;
  readonly factsOf: (rule: Rule) => readonly Fact[];
}

function Rules<Rule extends { readonly name: string }>({ place, kind, rules, factsOf }: RulesProps<Rule>) {
  if (rules.nodes.length === 0) return <p class="empty">{`No protected ${kind} yet.`}</p>;
  return (
    <>
      <ul class="records">
        {rules.nodes.map((rule) => (
          <li>
            <h3>
              <bdi>{rule.name}</bdi>
            </h3>
            <Facts facts={factsOf(rule)} />
            {!place.archived && (
              <p class="ways">
                <a href={removalPath(place, kind, rule.name)}>
                  Stop protecting<span class="hidden"> {rule.name}</span>
                </a>
              </p>
            )}
          </li>
        ))}
      </ul>
      {rules.pageInfo.hasNextPage && <p class="hint">There are more: the API has all of them.</p>}
    </>
  );
}

interface FormProps {
  readonly site: Site;
  readonly place: PlaceHead;
  readonly draft: Draft | undefined;
}

const BranchForm = ({ site, place, draft }: FormProps) => (
  <RuleForm site={site} place={place} draft={draft} kind="branches" noun="branch">
    <SelectField name="push" label="Who pushes" options={levels} value={draft?.push ?? usual} />
    <SelectField name="merge" label="Who merges" options={levels} value={draft?.merge ?? usual} />
    <Choices
      name="rights"
      label="Rights"
      choices={[
        {
          name: 'force',
          label: 'Allow force push',
          says: 'Who pushes may also remove commits.',
          chosen: draft?.force ?? false,
        },
      ]}
    />
  </RuleForm>
);

const TagForm = ({ site, place, draft }: FormProps) => (
  <RuleForm site={site} place={place} draft={draft} kind="tags" noun="tag">
    <SelectField name="create" label="Who makes them" options={levels} value={draft?.create ?? usual} />
  </RuleForm>
);

interface RuleFormProps extends FormProps {
  readonly kind: Draft['kind'];
  readonly noun: string;
  readonly children: ComponentChildren;
}

function RuleForm({ site, place, draft, kind, noun, children }: RuleFormProps) {
  return (
    <Form csrf={site.visitor!.csrf} action={protectionPath(place)} carries={{ kind }}>
      <TextField
        name={noun}
        label={`Protect a ${noun}`}
        hint={`A ${noun}, which need not exist, or a pattern with * for any text.`}
        value={draft?.name ?? ''}
        errors={draft && [draft.error]}
        required
      />
      {children}
      <div class="decision">
        <button class="button primary">{`Protect ${kind}`}</button>
      </div>
    </Form>
  );
}
