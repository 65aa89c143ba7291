import { Day } from '../../site/day.tsx';
import { Form, TextField } from '../../site/forms.tsx';
import type { Site } from '../../site/layout.tsx';
import { QrCode } from '../../site/qr-code.tsx';
import { Badge, DangerZone, Facts } from '../../site/records.tsx';
import { AccountLayout } from '../../site/sections.tsx';

export const secondFactorPath = '/profile/second_factor';

export interface SecondFactor {
  readonly enabledAt: string;
  readonly recoveryCodesLeft: number;
}

/** Recovery codes at which a person is reminded to make new ones. */
const few = 3;

export function SecondFactorPage({ site, factor }: { readonly site: Site; readonly factor: SecondFactor | null }) {
  return (
    <AccountLayout site={site} title="Second factor" current={secondFactorPath}>
      <h1>Second factor</h1>
      <p class="lead">
        Besides your password, signing in asks for a code from an app on your phone. Whoever learns your password can’t
        use it alone.
      </p>
      {factor ? <TurnedOn site={site} factor={factor} /> : <TurnedOff site={site} />}
    </AccountLayout>
  );
}

function TurnedOff({ site }: { readonly site: Site }) {
  return (
    <>
      <p>
        <Badge>Off</Badge> Any authenticator app will do. Turning it on ends your other sessions, and applications that
        act for you have to ask you again.
      </p>
      <Form csrf={site.visitor!.csrf} action={secondFactorPath}>
        <button class="button primary">Set it up</button>
      </Form>
    </>
  );
}

function TurnedOn({
  site,
  factor: { enabledAt, recoveryCodesLeft: left },
}: {
  readonly site: Site;
  readonly factor: SecondFactor;
}) {
  const { csrf } = site.visitor!;
  return (
    <>
      {left <= few && (
        <p class="warning">
          {left === 0
            ? 'You have no recovery code left.'
            : `You have only ${left} recovery ${left === 1 ? 'code' : 'codes'} left.`}{' '}
          Make new ones before you need them.
        </p>
      )}
      <Facts
        facts={[
          ['State', <Badge tone="good">On</Badge>],
          ['Since', <Day at={enabledAt} />],
          ['Recovery codes', `${left} left`],
        ]}
      />
      <h2>Recovery codes</h2>
      <p>Each stands in for your phone once. New ones take the place of all that you have.</p>
      <Form csrf={csrf} action={`${secondFactorPath}/recovery_codes`} once>
        <button class="button">Make new recovery codes</button>
      </Form>
      <DangerZone title="Turn it off">
        <p>Your password alone is then enough to sign in, and your recovery codes are gone.</p>
        <a class="button danger" href={`${secondFactorPath}/turn_off`}>
          Turn off…
        </a>
      </DangerZone>
    </>
  );
}

export interface Seed {
  readonly seed: string;
  /** `otpauth:` */
  readonly link: string;
}

interface SetUpProps {
  readonly site: Site;
  readonly seed: Seed;
  readonly errors: readonly string[] | undefined;
}

export function SetUpSecondFactor({ site, seed: { seed, link }, errors }: SetUpProps) {
  const title = 'Set up your second factor';
  return (
    <AccountLayout site={site} title={errors ? `Error: ${title}` : title} current={secondFactorPath}>
      <h1>{title}</h1>
      <ol class="steps">
        <li>
          <p>Scan this with your authenticator app.</p>
          <QrCode text={link} label="QR code with the key below" />
          <p>
            Or <a href={link}>open it in the app</a> on this device, or type the key by hand:
          </p>
          <p>
            <code class="secret">{seed.match(/.{1,4}/g)!.join(' ')}</code>
          </p>
        </li>
        <li>
          <p>Type the six digits that the app shows now.</p>
          <Form csrf={site.visitor!.csrf} action={`${secondFactorPath}/new`} once>
            <TextField
              name="code"
              label="Code"
              errors={errors}
              autocomplete="one-time-code"
              technical
              required
              focused={errors !== undefined}
            />
            <div class="decision">
              <button class="button primary">Turn it on</button>
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

/** The one time that recovery codes are shown. */
export function NewRecoveryCodes({ site, title, codes }: NewCodesData & { readonly site: Site }) {
  const file = `Recovery codes for ${site.visitor!.username} at ${site.baseUrl}. Each works once.\n\n${codes.join('\n')}\n`;
  return (
    <AccountLayout site={site} title={title} current={secondFactorPath}>
      <h1>{title}</h1>
      <section class="once" aria-label="Recovery codes">
        <p>
          <b>Keep these recovery codes now.</b> They aren’t shown again. Each lets you in once without your phone; print
          them, or keep them in your password manager.
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
        <a class="button primary" href={secondFactorPath}>
          I have kept them
        </a>
        <a
          class="button"
          download="recovery-codes.txt"
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(file)}`}
        >
          Save as a file
        </a>
      </p>
    </AccountLayout>
  );
}

export function TurnOffSecondFactor({ site }: { readonly site: Site }) {
  return (
    <AccountLayout site={site} title="Turn off the second factor?" current={secondFactorPath}>
      <h1>Turn off the second factor?</h1>
      <p class="lead">Your password alone is then enough to sign in, and your recovery codes are gone.</p>
      <Form csrf={site.visitor!.csrf} action={`${secondFactorPath}/turn_off`}>
        <div class="decision">
          <button class="button danger">Turn it off</button>
          <a href={secondFactorPath}>Cancel</a>
        </div>
      </Form>
    </AccountLayout>
  );
}
