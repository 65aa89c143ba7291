import { daysAhead } from '../../../values/time/calendar.ts';
import { below, PlaceLayout } from '../../places/place/layout.tsx';
import type { PlaceHead } from '../../places/place/route.ts';
import { Ago, Day } from '../../site/records/day.tsx';
import { Choices, Form, NotSaved, TextField } from '../../site/forms/forms.tsx';
import type { Site } from '../../site/layout/layout.tsx';
import type { PagesAround } from '../../site/records/paging.ts';
import { Badge, Facts, Pager } from '../../site/records/records.tsx';

/** The address of a page of deploy keys. */
export const deployKeysPath = (place: PlaceHead, page = ''): string => below(place, `/deploy_keys${page}`);

export interface ShownKey {
  readonly id: number;
  readonly title: string;
  readonly key: string;
  readonly fingerprintSha256: string;
  readonly canPush: boolean | null;
  readonly public: boolean;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly lastUsedAt: string | null;
}

/** The values in the form of a key. */
export interface KeyDraft {
  readonly key: string;
  readonly title: string;
  readonly expiresAt: string;
  readonly canPush: boolean;
}
export const emptyDraft: KeyDraft = { key: '', title: '', expiresAt: '', canPush: false };

/** Error messages by field, in sentences. */
export type KeyErrors = Readonly<Record<string, readonly string[] | undefined>>;

interface KeyListProps {
  readonly site: Site;
  readonly place: PlaceHead;
  readonly keys: readonly ShownKey[];
  readonly available: readonly ShownKey[];
  readonly pages: PagesAround;
  readonly availablePages: PagesAround;
  readonly draft: KeyDraft;
  readonly errors?: KeyErrors | undefined;
}

/** The deploy keys of a project, those that it could have, and the form that adds one. */
export function KeyList({ site, place, keys, available, pages, availablePages, draft, errors }: KeyListProps) {
  const title = `Deploy keys · ${place.name}`;
  return (
    <PlaceLayout
      site={site}
      place={place}
      title={errors ? `Error: ${title}` : title}
      current="deploy-keys"
      load={keys.length + available.length > 0 ? ['copy.js'] : []}
    >
      <h1>Deploy keys</h1>
      <p class="lead">
        With a deploy key, a machine clones this project over SSH, without an account. With the right to push, it also
        writes to branches that nothing protects.
      </p>
      {errors && <NotSaved />}
      {keys.length === 0 && <p class="empty">No deploy keys yet.</p>}
      <ul class="records">
        {keys.map((key) => (
          <li>
            <h2>
              <bdi>{key.title}</bdi> <Badges of={key} />
            </h2>
            <About of={key} />
            <p class="ways">
              {['Edit', 'Remove'].map((way) => (
                <a href={deployKeysPath(place, `/${key.id}/${way.toLowerCase()}`)}>
                  {way}
                  <span class="hidden"> the deploy key {key.title}</span>
                </a>
              ))}
            </p>
          </li>
        ))}
      </ul>
      <Pager of="deploy keys" {...pages} labels={['Older', 'Newer']} />
      {available.length > 0 && (
        <>
          <h2>Enable a key</h2>
          <p>Keys of other projects that you maintain, and those for every project.</p>
          <ul class="records">
            {available.map((key) => (
              <li>
                <h3>
                  <bdi>{key.title}</bdi> <Badges of={key} />
                </h3>
                <p>
                  <code class="copyable">{key.fingerprintSha256}</code>
                </p>
                <Form csrf={site.visitor!.csrf} action={deployKeysPath(place, `/${key.id}/enable`)}>
                  <button class="button quiet">
                    Enable<span class="hidden"> the deploy key {key.title}</span>
                  </button>
                </Form>
              </li>
            ))}
          </ul>
          <Pager of="keys that may be enabled" {...availablePages} labels={['Older', 'Newer']} />
        </>
      )}
      <h2>Add a key</h2>
      <Form csrf={site.visitor!.csrf} action={deployKeysPath(place)}>
        <TextField
          name="title"
          label="Title"
          hint="The machine that has the key."
          value={draft.title}
          errors={errors?.title}
          required
        />
        <TextField
          name="key"
          label="Key"
          hint="The public key, one line: ED25519, ECDSA, or RSA with at least 2048 bits. Don’t use a person’s own key."
          value={draft.key}
          errors={errors?.key}
          lines={4}
          technical
          required
        />
        <Pushing chosen={draft.canPush} />
        <TextField
          name="expires_at"
          label="Expires"
          type="date"
          hint="Optional. The key is refused from this day on, at 00:00 UTC."
          min={daysAhead(1)}
          value={draft.expiresAt}
          errors={errors?.expiresAt}
        />
        <div class="decision">
          <button class="button primary">Add the key</button>
        </div>
      </Form>
    </PlaceLayout>
  );
}

interface EditProps {
  readonly site: Site;
  readonly place: PlaceHead;
  readonly of: ShownKey;
  readonly draft: Pick<KeyDraft, 'title' | 'canPush'>;
  readonly errors?: KeyErrors | undefined;
}

/** The form of a key that the project has. */
export function EditKey({ site, place, of, draft, errors }: EditProps) {
  const title = `Edit the deploy key ${of.title}`;
  return (
    <PlaceLayout site={site} place={place} title={errors ? `Error: ${title}` : title} current="deploy-keys">
      <h1>
        <bdi>{title}</bdi>
      </h1>
      {errors && <NotSaved />}
      <About of={of} />
      <Form csrf={site.visitor!.csrf} action={deployKeysPath(place, `/${of.id}/edit`)}>
        <TextField
          name="title"
          label="Title"
          {...(of.public && { hint: 'Every project may enable this key: administrators change its title.' })}
          value={draft.title}
          errors={errors?.title}
          required
        />
        <Pushing chosen={draft.canPush} />
        <div class="decision">
          <button class="button primary">Save changes</button>
          <a href={deployKeysPath(place)}>Cancel</a>
        </div>
      </Form>
    </PlaceLayout>
  );
}

const Pushing = ({ chosen }: { readonly chosen: boolean }) => (
  <Choices
    name="rights"
    label="Rights"
    choices={[
      {
        name: 'can_push',
        label: 'It may also push',
        says: 'It may push to branches and tags of this project that no rule protects.',
        chosen,
      },
    ]}
  />
);

const About = ({ of: key }: { readonly of: ShownKey }) => (
  <Facts
    facts={[
      ['Fingerprint', <code class="copyable">{key.fingerprintSha256}</code>],
      ['Type', <code>{key.key.split(' ', 1)[0]}</code>],
      ['Added', <Day at={key.createdAt} />],
      ['Last used', key.lastUsedAt ? <Ago at={key.lastUsedAt} /> : 'Never'],
      ['Expires', key.expiresAt ? <Day at={key.expiresAt} /> : 'Never'],
    ]}
  />
);

function Badges({ of: { expiresAt, canPush, public: isPublic } }: { readonly of: ShownKey }) {
  const expired = expiresAt !== null && Date.parse(expiresAt) <= Date.now();
  return (
    <>
      {canPush && <Badge tone="caution">Pushes</Badge>} {isPublic && <Badge>For every project</Badge>}{' '}
      {expired && <Badge tone="caution">Expired</Badge>}
    </>
  );
}
