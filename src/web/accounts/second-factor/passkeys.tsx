import { relyingParty } from '../../../values/relying-party.ts';
import { Ago, Day } from '../../site/records/day.tsx';
import { TextField } from '../../site/forms/forms.tsx';
import type { Site } from '../../site/layout/layout.tsx';
import { PasskeyForm, PasskeysNeedScript } from '../../site/forms/passkey-form.tsx';
import { Table } from '../../site/records/records.tsx';
import { secondFactorPath } from '../../site/return-to.ts';
import { AccountLayout } from '../../site/layout/sections.tsx';

export const passkeysPath = `${secondFactorPath}/passkeys`;

export interface Passkey {
  readonly id: string;
  readonly name: string;
  readonly backedUp: boolean;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
}

/** The passkeys of the viewer, or why there can be none here. */
export function Passkeys({ site, passkeys }: { readonly site: Site; readonly passkeys: readonly Passkey[] }) {
  const party = relyingParty(site.baseUrl);
  return (
    <section aria-labelledby="passkeys">
      <h2 id="passkeys">Passkeys</h2>
      <p>
        A passkey is kept by your phone, computer, password manager or security key, and unlocked by your fingerprint,
        face or PIN. It signs you in without the password, and no copied page can steal it.
      </p>
      {passkeys.length > 0 && (
        <Table
          caption="Passkeys"
          columns={['Name', 'Added', 'Last used', { hidden: 'Actions' }]}
          rows={passkeys.map(({ id, name, createdAt, lastUsedAt, backedUp }) => [
            <>
              <bdi>{name}</bdi>
              {!backedUp && <span class="hint"> Only on that device</span>}
            </>,
            <Day at={createdAt} />,
            lastUsedAt ? <Ago at={lastUsedAt} /> : 'Never',
            <a href={`${passkeysPath}/${id}/remove`}>
              Remove<span class="hidden"> {name}</span>
            </a>,
          ])}
          empty=""
        />
      )}
      {party === 'NO_DOMAIN' ? (
        <p class="aside">
          Passkeys need a domain name, and this instance is reached at an address of numbers,{' '}
          <code>{site.baseUrl}</code>. An administrator can give it a name (<code>CAUSEWAY_BASE_URL</code>).
        </p>
      ) : party === 'NO_HTTPS' ? (
        <p class="aside">
          Passkeys need https, and this instance is reached at <code>{site.baseUrl}</code>. An administrator can change
          that (<code>CAUSEWAY_BASE_URL</code>).
        </p>
      ) : (
        <p class="decision">
          <a class="button" href={`${passkeysPath}/new`}>
            Add a passkey
          </a>
        </p>
      )}
    </section>
  );
}

interface NewPasskeyProps {
  readonly site: Site;
  /** What the browser needs to make one, as JSON. */
  readonly options: string;
  readonly name: string;
  /** Whether it becomes the first second factor. */
  readonly first: boolean;
  readonly errors?: { readonly name?: readonly string[]; readonly passkey?: readonly string[] } | undefined;
}

export function NewPasskey({ site, options, name, first, errors }: NewPasskeyProps) {
  const title = 'Add a passkey';
  return (
    <AccountLayout
      site={site}
      title={errors ? `Error: ${title}` : title}
      current={secondFactorPath}
      load={['passkey.js']}
    >
      <h1>{title}</h1>
      <p class="lead">Your browser asks where to keep it: on this device, on your phone, or on a security key.</p>
      {first && (
        <p>
          It turns two-factor authentication on: signing in asks for it, or for a recovery code. That ends your other
          sessions, and applications have to ask for your permission again.
        </p>
      )}
      <PasskeyForm
        csrf={site.visitor!.csrf}
        action={`${passkeysPath}/new`}
        options={options}
        creates
        once
        errors={errors?.passkey}
      >
        <TextField
          name="name"
          label="Name"
          hint="By which you recognize it in the list."
          value={name}
          errors={errors?.name}
          required
        />
        <div class="decision">
          <button class="button primary">Make a passkey</button>
          <a href={secondFactorPath}>Cancel</a>
        </div>
      </PasskeyForm>
      <PasskeysNeedScript>A passkey is made by a script, and your browser runs none here.</PasskeysNeedScript>
    </AccountLayout>
  );
}
