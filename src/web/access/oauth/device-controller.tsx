import type { GraphQLSchema } from 'graphql';
import { NotFound } from '../../../errors.ts';
import { compileOperation } from '../../../operation.ts';
import { readQuery } from '../../site/forms/fields.ts';
import { toAnswer } from '../../site/layout/page.ts';
import { requestingFields, type RequestingApplication, type Person } from './consent-view.tsx';
import { ConfirmDevice, decidePath, DeviceDecided, devicePath, EnterCode } from './device-view.tsx';
import type { PageRoute, Visit } from '../../site/visit.ts';

interface PendingDevice {
  readonly application: RequestingApplication | null;
  readonly scopes: readonly string[];
}

/** The pages on which a person connects a device that has no browser: device authorization grant (RFC 8628 §3.3). */
export function devicePages(schema: GraphQLSchema): PageRoute[] {
  const find = compileOperation<{ pendingDevice: PendingDevice | null }>(
    schema,
    `query ($userCode: String!) { pendingDevice(userCode: $userCode) { application { ${requestingFields} } scopes } }`,
  );
  const me = compileOperation<{ currentUser: Person }>(schema, 'query { currentUser { name username } }');
  const decide = compileOperation<{ decideDevice: boolean }>(
    schema,
    'mutation ($input: DecideDeviceInput!) { decideDevice(input: $input) }',
  );

  const unknown = ({ site }: Visit, typed: string) =>
    toAnswer(
      <EnterCode
        site={site}
        typed={typed.slice(0, 40)}
        errors={['No device is waiting with this code. It may have expired.']}
      />,
      422,
    );

  return [
    {
      path: devicePath,
      name: 'device',
      countsAsGuess: true,
      get({ site, context, exchange }) {
        find.admit(context);
        return toAnswer(<EnterCode site={site} typed={readQuery(exchange).user_code?.slice(0, 40)} />);
      },
      async post(visit, { user_code: typed = '' }) {
        const { site, context } = visit;
        const userCode = normalizeUserCode(typed);
        if (userCode === '') return toAnswer(<EnterCode site={site} errors={['The code is missing.']} />, 422);
        const { pendingDevice: device } = await find.execute(context, { userCode });
        if (!device?.application) return unknown(visit, typed);
        const { currentUser: person } = await me.execute(context, {});
        return toAnswer(
          <ConfirmDevice
            site={site}
            userCode={userCode}
            application={device.application}
            person={person}
            scopes={device.scopes}
          />,
          200,
          { scripts: true },
        );
      },
    },
    {
      path: decidePath,
      name: 'device decision',
      shown: ({ user_code: userCode = '' }) => userCode,
      again: () => devicePath,
      async post(visit, { user_code: userCode = '', decision }) {
        const { site, context } = visit;
        const approved = decision === 'approve';
        try {
          await decide.execute(context, { input: { userCode, approved } });
        } catch (problem) {
          if (problem instanceof NotFound) return unknown(visit, userCode);
          throw problem;
        }
        return toAnswer(<DeviceDecided site={site} approved={approved} />);
      },
    },
  ];
}

/** A typed code in the form that devices show: case and punctuation are ignored (RFC 8628 §6.1). */
function normalizeUserCode(typed: string): string {
  const letters = typed
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '')
    .slice(0, 32);
  return letters.length === 8 ? `${letters.slice(0, 4)}-${letters.slice(4)}` : letters;
}
