import { AccountName, Form, TextField } from '../../site/forms/forms.tsx';
import type { Site } from '../../site/layout/layout.tsx';
import type { CsrfTokens } from '../../site/csrf.ts';
import { Badge } from '../../site/records/records.tsx';
import { comingBackTo, signInPath, unconfirmedPath } from '../../site/return-to.ts';
import { AccountLayout } from '../../site/layout/sections.tsx';
import { DecisionLayout } from '../../site/layout/decision-layout.tsx';

export const emailsPath = '/profile/emails';
export const confirmationPath = '/users/confirmation';

export interface Email {
  readonly id: number;
  readonly email: string;
  readonly isPrimary: boolean;
  readonly confirmedAt: string | null;
}

interface EmailsProps {
  readonly site: Site;
  readonly emails: readonly Email[];
  /** Whether the gateway sends mail. */
  readonly mail: boolean;
  /** What the person typed before. */
  readonly address?: string;
  readonly errors?: readonly string[];
}

/** The viewer's addresses, with the actions for each. */
export function Emails({ site, emails, mail, address = '', errors }: EmailsProps) {
  return (
    <AccountLayout site={site} title={errors ? 'Error: E-mails' : 'E-mails'} current={emailsPath}>
      <h1>E-mails</h1>
      <p class="lead">
        Messages about your account go to the primary address. You can sign in with any confirmed address.
      </p>
      {!mail && (
        <p class="warning">This gateway sends no mail. Ask an administrator to confirm addresses that you add.</p>
      )}
      <ul class="records">
        {emails.map((email) => (
          <li>
            <h2>
              <bdi>{email.email}</bdi> <State email={email} />
            </h2>
            <Choices site={site} email={email} mail={mail} />
          </li>
        ))}
      </ul>
      <h2>Add an address</h2>
      <Form csrf={site.visitor!.csrf} action={emailsPath}>
        <TextField
          name="address"
          label="Address"
          type="email"
          hint={mail && 'We send a link there to confirm it.'}
          value={address}
          errors={errors}
          autocomplete="email"
          technical
          required
          focused={errors !== undefined}
        />
        <div class="decision">
          <button class="button primary">Add the address</button>
        </div>
      </Form>
    </AccountLayout>
  );
}

function State({ email: { isPrimary, confirmedAt } }: { readonly email: Email }) {
  return (
    <>
      {isPrimary && <Badge>Primary</Badge>}{' '}
      {confirmedAt ? <Badge tone="good">Confirmed</Badge> : <Badge tone="caution">Not confirmed</Badge>}
    </>
  );
}

function Choices({ site, email, mail }: { readonly site: Site; readonly email: Email; readonly mail: boolean }) {
  const { id, email: address, isPrimary, confirmedAt } = email;
  const choice = (path: string, label: string) => (
    <Form csrf={site.visitor!.csrf} action={`${emailsPath}/${id}/${path}`}>
      <button class="button quiet">
        {label}
        <span class="hidden"> {address}</span>
      </button>
    </Form>
  );
  return (
    <div class="choices">
      {!confirmedAt && mail && choice('mail', 'Send the link again')}
      {confirmedAt && !isPrimary && choice('primary', 'Make primary')}
      {!isPrimary && choice('remove', 'Remove')}
    </div>
  );
}

interface UnconfirmedAccountProps {
  readonly site: Site;
  readonly csrf: CsrfTokens;
  /** Whether the gateway sends mail. */
  readonly mail: boolean;
  readonly returnTo: string;
}

/** The page after the right password for an account whose address isn't confirmed. */
export function UnconfirmedAccount({ site, csrf, mail, returnTo }: UnconfirmedAccountProps) {
  return (
    <DecisionLayout site={site} title="Confirm your address first">
      <h1>Confirm your address first</h1>
      <p>Your password is right. Confirm the e-mail address of the account before you sign in.</p>
      {mail ? (
        <>
          <p>
            A message with the link was sent there when the account was created. Check your spam folder, or send it
            again.
          </p>
          <Form csrf={csrf} action={unconfirmedPath} carries={{ return_to: returnTo }}>
            <div class="decision">
              <button class="button primary">Send the link again</button>
              <a href={comingBackTo(signInPath, returnTo)}>Sign in</a>
            </div>
          </Form>
        </>
      ) : (
        <p>This gateway sends no mail. Ask an administrator to confirm the address.</p>
      )}
    </DecisionLayout>
  );
}

interface ConfirmAddressProps {
  readonly site: Site;
  readonly csrf: CsrfTokens;
  readonly username: string;
  readonly address: string;
  /** Whether to ask for the password: an account without a confirmed address needs proof of who created it. */
  readonly wantsPassword: boolean;
  readonly errors?: readonly string[] | undefined;
}

/** The page of a mailed link. It needs a click, because mail scanners follow every link. */
export function ConfirmAddress({ site, csrf, username, address, wantsPassword, errors }: ConfirmAddressProps) {
  return (
    <DecisionLayout
      site={site}
      title={`${errors ? 'Error: ' : ''}Confirm your address`}
      load={wantsPassword ? ['password.js'] : []}
    >
      <h1>Confirm your address</h1>
      <p>
        Is <bdi>{address}</bdi> yours, and <b>{username}</b> your account? If not, close this page.
      </p>
      <Form csrf={csrf} action={confirmationPath}>
        {wantsPassword && (
          <>
            <AccountName username={username} />
            <TextField
              name="password"
              label="Password of the account"
              type="password"
              hint="The password chosen when the account was created. If that wasn’t you, close this page."
              errors={errors}
              autocomplete="current-password"
              required
              focused
            />
          </>
        )}
        <div class="decision">
          <button class="button primary">Yes, confirm the address</button>
        </div>
      </Form>
    </DecisionLayout>
  );
}
