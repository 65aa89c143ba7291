import { Day } from '../../site/records/day.tsx';
import { Form, TextField } from '../../site/forms/forms.tsx';
import { secondFactorPath } from '../../site/return-to.ts';
import type { Site } from '../../site/layout/layout.tsx';
import { QrCode } from '../../site/records/qr-code.tsx';
import { Badge, DangerZone, Facts, SavedFile } from '../../site/records/records.tsx';
import { AccountLayout } from '../../site/layout/sections.tsx';
import { Passkeys, type Passkey } from './passkeys.tsx';

export interface SecondFactor {
  readonly enabledAt: string;
  /** Whether an authenticator app is set up. */
  readonly app: boolean;
  readonly recoveryCodesLeft: number;
}

/** With this many recovery codes left or fewer, the page recommends new ones. */
const few = 3;

interface SecondFactorPageProps {
  readonly site: Site;
  readonly secondFactor: SecondFactor | null;
  readonly passkeys: readonly Passkey[];
}

export function SecondFactorPage({ site, secondFactor: factor, passkeys }: SecondFactorPageProps) {
  return (
    <AccountLayout site={site} title="Two-factor authentication" current={secondFactorPath}>
      <h1>Two-factor authentication</h1>
      <p class="lead">
        With two-factor authentication, signing in asks for your password and for something that only you have: a
        passkey, or a code from an app on your phone. A stolen password alone doesn’t open your account.
      </p>
      {factor ? <State factor={factor} /> : <TurnedOff />}
      <Passkeys site={site} passkeys={passkeys} />
      <App site={site} factor={factor} />
      {factor && <Recovery site={site} />}
    </AccountLayout>
  );
}

const TurnedOff = () => (
  <p>
    <Badge>Disabled</Badge> Add a passkey or an app. The first one ends your other sessions, and applications have to
    ask for your permission again.
  </p>
);

/** The authenticator app, or the way to set one up. */
function App({ site, factor }: { readonly site: Site; readonly factor: SecondFactor | null }) {
  return (
    <section aria-labelledby="app">
      <h2 id="app">Authenticator app</h2>
      {factor?.app ? (
        <p>
          <Badge tone="good">Set up</Badge> Signing in takes the six digits that it shows. For another phone, disable
          two-factor authentication below, and enable it again with the new one.
        </p>
      ) : (
        <>
          <p>Any app that makes one-time codes works, without a connection.</p>
          <Form csrf={site.visitor!.csrf} action={secondFactorPath}>
            <button class={factor ? 'button' : 'button primary'}>
              {factor ? 'Add an authenticator app' : 'Enable two-factor authentication'}
            </button>
          </Form>
        </>
      )}
    </section>
  );
}

function State({ factor: { enabledAt, recoveryCodesLeft: left } }: { readonly factor: SecondFactor }) {
  return (
    <>
      {left <= few && (
        <p class="warning">
          {left === 0
            ? 'You have no recovery code left.'
            : `You have only ${left} recovery ${left === 1 ? 'code' : 'codes'} left.`}{' '}
          Generate new ones before you need them.
        </p>
      )}
      <Facts
        facts={[
          ['State', <Badge tone="good">Enabled</Badge>],
          ['Since', <Day at={enabledAt} />],
          ['Recovery codes', `${left} left`],
        ]}
      />
    </>
  );
}

/** New recovery codes, and the way out. */
function Recovery({ site }: { readonly site: Site }) {
  const { csrf } = site.visitor!;
  return (
    <>
      <h2>Recovery codes</h2>
      <p>Each replaces your phone once. New codes invalidate the old ones.</p>
      <Form csrf={csrf} action={`${secondFactorPath}/recovery_codes`} once>
        <button class="button">Regenerate recovery codes</button>
      </Form>
      <DangerZone title="Disable two-factor authentication">
        <p>You then sign in with your password alone. The app, your passkeys and your recovery codes are removed.</p>
        <a class="button danger" href={`${secondFactorPath}/turn_off`}>
          Disable…
        </a>
      </DangerZone>
    </>
  );
}

export interface Seed {
  readonly seed: string;
  /** The `otpauth:` link, which the QR code contains. */
  readonly link: string;
}

interface SetUpProps {
  readonly site: Site;
  readonly seed: Seed;
  readonly errors: readonly string[] | undefined;
}

export function SetUpSecondFactor({ site, seed: { seed, link }, errors }: SetUpProps) {
  const title = 'Set up two-factor authentication';
  return (
    <AccountLayout site={site} title={errors ? `Error: ${title}` : title} current={secondFactorPath} load={['copy.js']}>
      <h1>{title}</h1>
      <ol class="steps">
        <li>
          <p>Scan this with your authenticator app.</p>
          <QrCode text={link} label="QR code with the key below" />
          <p>
            Or <a href={link}>open it in the app</a> on this device, or enter the key by hand:
          </p>
          <p>
            <code class="secret">{seed.match(/.{1,4}/g)!.join(' ')}</code>
          </p>
        </li>
        <li>
          <p>Enter the six digits that the app shows now.</p>
          <Form csrf={site.visitor!.csrf} action={`${secondFactorPath}/new`} once>
            <TextField
              name="code"
              label="Code"
              errors={errors}
              autocomplete="one-time-code"
              typed="digits"
              technical
              required
              focused={errors !== undefined}
            />
            <div class="decision">
              <button class="button primary">Enable</button>
              <a href={secondFactorPath}>Cancel</a>
            </div>
          </Form>
        </li>
      </ol>
    </AccountLayout>
  );
}

export interface NewCodesData {
  readonly title: string;
  readonly codes: readonly string[];
}

/** Shows new recovery codes, once. */
export function NewRecoveryCodes({ site, title, codes }: NewCodesData & { readonly site: Site }) {
  const file = `Recovery codes for ${site.visitor!.username} at ${site.baseUrl}. Each works once.\n\n${codes.join('\n')}\n`;
  return (
    <AccountLayout site={site} title={title} current={secondFactorPath} load={['copy.js']}>
      <h1>{title}</h1>
      <section class="once" aria-label="Recovery codes">
        <p>
          <b>Save these recovery codes now.</b> They aren’t shown again. Each lets you sign in once without your phone;
          print them, or keep them in your password manager.
        </p>
        <ul class="recovery-codes">
          {codes.map((code) => (
            <li>
              <code>{code}</code>
            </li>
          ))}
        </ul>
      </section>
      <p class="decision">
        <SavedFile name="recovery-codes.txt" text={file}>
          Save as a file
        </SavedFile>
        <a class="button primary" href={secondFactorPath}>
          I have saved them
        </a>
      </p>
    </AccountLayout>
  );
}

export function TurnOffSecondFactor({ site }: { readonly site: Site }) {
  return (
    <AccountLayout site={site} title="Disable two-factor authentication?" current={secondFactorPath}>
      <h1>Disable two-factor authentication?</h1>
      <p class="lead">
        You then sign in with your password alone. The app, your passkeys and your recovery codes are removed.
      </p>
      <Form csrf={site.visitor!.csrf} action={`${secondFactorPath}/turn_off`}>
        <div class="decision">
          <button class="button danger">Disable</button>
          <a href={secondFactorPath}>Cancel</a>
        </div>
      </Form>
    </AccountLayout>
  );
}
