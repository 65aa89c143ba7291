import { grantChoices, scopeChoices } from '../../site/forms/choices.tsx';
import { Choices, Form, NotSaved, TextField } from '../../site/forms/forms.tsx';
import type { Site } from '../../site/layout/layout.tsx';
import type { AccountLayout } from '../../site/layout/sections.tsx';
import { kindOf, kindsOf, type KindName } from './kinds.ts';

/** The values in the form of an application. */
export interface Draft {
  readonly name: string;
  /** One per line. */
  readonly redirectUris: string;
  readonly scopes: readonly string[];
  readonly grants: readonly string[];
  readonly confidential: boolean;
}

/** What the server can grant. */
export interface Offer {
  readonly scopes: readonly string[];
  readonly grants: readonly string[];
}

/** Where a form of an application stands. */
export interface Place {
  readonly Frame: typeof AccountLayout;
  /** The path of the section that the page belongs to. */
  readonly section: string;
  /** The path that the form is sent to. */
  readonly action: string;
  /** The path that Cancel leads to. */
  readonly back: string;
  readonly title: string;
  /** Whether the application is a new one, of a kind that one chooses first. */
  readonly isNew: boolean;
}

interface ApplicationFormProps {
  readonly site: Site;
  readonly place: Place;
  readonly draft: Draft;
  readonly offer: Offer;
  /** The kind that a new application begins with. */
  readonly kind?: KindName;
  /** Error messages by field, in sentences. */
  readonly errors?: Readonly<Record<string, readonly string[] | undefined>>;
}

export function ApplicationForm({ site, place, draft, offer, kind, errors = {} }: ApplicationFormProps) {
  const { Frame, section, action, back, title, isNew } = place;
  const wrong = Object.keys(errors).length > 0;
  // No one is sent back to those of other kinds.
  const redirects = kind !== 'device' && kind !== 'machine';
  const redirectUris = (
    <TextField
      name="redirect_uris"
      label="Redirect URIs"
      lines={4}
      hint={
        <>
          One per line, exactly as your application sends them. For native applications{' '}
          <code>http://127.0.0.1/callback</code>, which matches any port.
        </>
      }
      value={draft.redirectUris}
      errors={errors.redirectUris}
      technical
    />
  );
  const advanced = (
    <>
      {!redirects && redirectUris}
      <Choices
        name="confidential"
        label="Type"
        single
        choices={[
          {
            name: 'yes',
            label: 'Confidential',
            says: 'Runs on your server and can keep a secret.',
            chosen: draft.confidential,
          },
          {
            name: 'no',
            label: 'Public',
            says: 'Runs in a browser, on a phone or on a desktop, where a secret can’t be kept. It has no secret and must use PKCE.',
            chosen: !draft.confidential,
          },
        ]}
      />
      <Choices
        name="grants"
        label="Grants"
        hint="The ways in which it gets tokens."
        errors={errors.grants}
        choices={grantChoices({ prefix: 'grant.', offered: offer.grants, chosen: draft.grants })}
      />
    </>
  );
  return (
    <Frame site={site} title={wrong ? `Error: ${title}` : title} current={section}>
      <h1>
        <bdi>{title}</bdi>
      </h1>
      {wrong && <NotSaved />}
      {kind && <KindChoice action={action} kind={kind} />}
      <Form csrf={site.visitor!.csrf} action={action} once={isNew} carries={kind && { kind }}>
        <TextField
          name="name"
          label="Name"
          hint="Shown to people when your application asks them for authorization."
          value={draft.name}
          errors={errors.name}
          required
        />
        {redirects && redirectUris}
        <Choices
          name="scopes"
          label="Scopes"
          hint="It can ask for these scopes and no others."
          errors={errors.scopes}
          choices={scopeChoices({ prefix: 'scope.', offered: offer.scopes, chosen: draft.scopes })}
        />
        {isNew ? (
          <details
            class="advanced"
            open={errors.grants !== undefined || (!redirects && errors.redirectUris !== undefined)}
          >
            <summary>Advanced: type and grants</summary>
            {advanced}
          </details>
        ) : (
          advanced
        )}
        <div class="decision">
          <button class="button primary">{isNew ? 'Register' : 'Save changes'}</button>
          <a href={back}>Cancel</a>
        </div>
      </Form>
    </Frame>
  );
}

/** Links to the form for each kind of application: each opens it filled in for that kind. */
function KindChoice({ action, kind }: { readonly action: string; readonly kind: KindName }) {
  return (
    <>
      <nav class="tabs" aria-label="Kind of application">
        {kindsOf().map(([name, { label }]) => (
          <a href={`${action}?kind=${name}`} aria-current={name === kind ? 'page' : undefined}>
            {label}
          </a>
        ))}
      </nav>
      <p class="hint">{kindOf(kind).says}</p>
    </>
  );
}
