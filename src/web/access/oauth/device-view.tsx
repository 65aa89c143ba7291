import { Day } from '../../site/records/day.tsx';
import { Form, TextField } from '../../site/forms/forms.tsx';
import type { Site } from '../../site/layout/layout.tsx';
import { Facts } from '../../site/records/records.tsx';
import { DecidingAs, DecisionLayout } from '../../site/layout/decision-layout.tsx';
import { AdministratorWarning, Owner, ScopeList, type RequestingApplication, type Person } from './consent-view.tsx';

export const devicePath = '/oauth/device';
export const decidePath = '/oauth/device/decision';

/** The page that asks for the code that a device shows. */
export function EnterCode({
  site,
  typed = '',
  errors,
}: {
  readonly site: Site;
  readonly typed?: string;
  readonly errors?: readonly string[];
}) {
  return (
    <DecisionLayout site={site} title={`${errors ? 'Error: ' : ''}Connect a device`}>
      <h1>Connect a device</h1>
      <p>Your device shows a code of eight letters.</p>
      <Form csrf={site.visitor!.csrf} action={devicePath}>
        <TextField
          name="user_code"
          label="Code"
          value={typed}
          errors={errors}
          autocomplete="off"
          hint={typed && !errors ? 'Continue only if your device shows this code.' : undefined}
          technical
          typed="capitals"
          required
        />
        <div class="decision">
          <button class="button primary">Continue</button>
        </div>
      </Form>
      <DecidingAs site={site} />
    </DecisionLayout>
  );
}

interface ConfirmDeviceProps {
  readonly site: Site;
  readonly userCode: string;
  readonly application: RequestingApplication;
  readonly person: Person;
  readonly scopes: readonly string[];
}

/** The consent page for a device. It warns of remote phishing: a code that another person sent (RFC 8628 §5.4). */
export function ConfirmDevice({ site, userCode, application, person, scopes }: ConfirmDeviceProps) {
  const form = { csrf: site.visitor!.csrf, action: decidePath, shown: userCode };
  return (
    <DecisionLayout site={site} title={`Connect ${application.name}?`} first="approve.js">
      <h1>
        Connect <bdi>{application.name}</bdi>?
      </h1>
      <p>
        <b>
          <bdi>{application.name}</bdi>
        </b>{' '}
        runs on a device that shows the code <code>{userCode}</code>. It wants to act for you,{' '}
        <b>
          <bdi>{person.name}</bdi>
        </b>{' '}
        ({person.username}). It will be able to:
      </p>
      <ScopeList scopes={scopes} />
      {site.visitor!.administrator && <AdministratorWarning />}
      <Facts
        facts={[
          ['Registered by', <Owner application={application} />],
          ['Registered on', <Day at={application.createdAt} />],
          ['Next time', 'It asks again.'],
        ]}
      />
      <p class="warning">
        <b>Is the device in front of you?</b> If another person sent you this code, deny it: they would get access as
        you.
      </p>
      <div class="decision">
        <Form {...form} carries={{ user_code: userCode, decision: 'approve' }}>
          <button class="button primary" data-arms>
            Approve
          </button>
        </Form>
        <Form {...form} carries={{ user_code: userCode, decision: 'deny' }}>
          <button class="button">Deny</button>
        </Form>
      </div>
      <DecidingAs site={site} />
    </DecisionLayout>
  );
}

export function DeviceDecided({ site, approved }: { readonly site: Site; readonly approved: boolean }) {
  const title = approved ? 'The device is connected' : 'The device was denied';
  return (
    <DecisionLayout site={site} title={title}>
      <h1>{title}</h1>
      <p>
        {approved
          ? 'It continues by itself. You can close this page.'
          : 'It can’t act for you. You can close this page.'}
      </p>
      {approved && (
        <p>
          You can revoke this at any time among your{' '}
          <a href="/profile/authorized_applications">authorized applications</a>.
        </p>
      )}
    </DecisionLayout>
  );
}
