import { Ago, Day } from '../../site/records/day.tsx';
import { Form, NotSaved, SelectField, TextField } from '../../site/forms/forms.tsx';
import type { Site } from '../../site/layout/layout.tsx';
import { Badge, Facts, Pager } from '../../site/records/records.tsx';
import { AccountLayout } from '../../site/layout/sections.tsx';
import { daysAhead } from '../../../values/time/calendar.ts';

export const sshKeysPath = '/profile/keys';

export interface ShownKey {
  readonly id: number;
  readonly title: string;
  readonly key: string;
  readonly fingerprintSha256: string;
  readonly usageType: string;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly lastUsedAt: string | null;
}

/** The values in the form of a key. */
export interface KeyDraft {
  readonly key: string;
  readonly title: string;
  readonly expiresAt: string;
  readonly usageType: string;
}
export const emptyDraft: KeyDraft = { key: '', title: '', expiresAt: '', usageType: 'AUTH_AND_SIGNING' };

const usages: readonly { readonly value: string; readonly label: string }[] = [
  { value: 'AUTH_AND_SIGNING', label: 'Git and signatures' },
  { value: 'AUTH', label: 'Git' },
  { value: 'SIGNING', label: 'Signatures' },
];

interface KeyListProps {
  readonly site: Site;
  readonly keys: readonly ShownKey[];
  readonly pages: { readonly before: string | null; readonly after: string | null };
  readonly draft: KeyDraft;
  /** Error messages by field, in sentences. */
  readonly errors?: Readonly<Record<string, readonly string[] | undefined>> | undefined;
}

/** The viewer's SSH keys, and the form that adds one. */
export function KeyList({ site, keys, pages, draft, errors }: KeyListProps) {
  return (
    <AccountLayout
      site={site}
      title={errors ? 'Error: SSH keys' : 'SSH keys'}
      current={sshKeysPath}
      load={keys.length > 0 ? ['copy.js'] : []}
    >
      <h1>SSH keys</h1>
      <p class="lead">With an SSH key, git on your computer clones and pushes as you, without a password.</p>
      {errors && <NotSaved />}
      {keys.length === 0 && <p>You have no SSH keys.</p>}
      <ul class="records">
        {keys.map((key) => (
          <li>
            <h2>
              <bdi>{key.title}</bdi> <State of={key} />
            </h2>
            <Facts
              facts={[
                ['Fingerprint', <code class="copyable">{key.fingerprintSha256}</code>],
                ['Type', <code>{key.key.split(' ', 1)[0]}</code>],
                ['For', usages.find(({ value }) => value === key.usageType)?.label],
                ['Added', <Day at={key.createdAt} />],
                ['Last used', key.lastUsedAt ? <Ago at={key.lastUsedAt} /> : 'Never'],
                ['Expires', key.expiresAt ? <Day at={key.expiresAt} /> : 'Never'],
              ]}
            />
            <p class="ways">
              <a href={`${sshKeysPath}/${key.id}/remove`}>
                Remove<span class="hidden"> {key.title}</span>
              </a>
            </p>
          </li>
        ))}
      </ul>
      <Pager of="SSH keys" {...pages} labels={['Older', 'Newer']} />
      <h2>Add a key</h2>
      <Form csrf={site.visitor!.csrf} action={sshKeysPath}>
        <TextField
          name="key"
          label="Key"
          hint={
            <>
              The public key, one line, for example from <code>~/.ssh/id_ed25519.pub</code>. ED25519, ECDSA, or RSA with
              at least 2048 bits.
            </>
          }
          value={draft.key}
          errors={errors?.key}
          lines={4}
          technical
          required
        />
        <TextField
          name="title"
          label="Title"
          hint="Which computer it is on. The comment of the key, if you leave it empty."
          value={draft.title}
          errors={errors?.title}
        />
        <SelectField
          name="usage_type"
          label="For"
          options={usages}
          value={draft.usageType}
          errors={errors?.usageType}
        />
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
    </AccountLayout>
  );
}

function State({ of: { expiresAt } }: { readonly of: ShownKey }) {
  return expiresAt !== null && Date.parse(expiresAt) <= Date.now() ? <Badge tone="caution">Expired</Badge> : <></>;
}
