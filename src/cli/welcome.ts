import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder } from '../package.ts';
import type { Started } from '../server.ts';
import type { FirstStart } from '../first-start/index.ts';
import { shellWord } from '../values/text/shell.ts';

/** The text printed after a start: addresses, and the secrets of a first start. */
export function welcome({ baseUrl, listening, dataDir, firstStart: first }: Started): string {
  const lines = [
    '',
    `Causeway is listening on ${listening}${listening === baseUrl ? '' : `, for ${baseUrl}`}`,
    '',
    `  Start page      ${baseUrl}/`,
    `  Sign in         ${baseUrl}/users/sign_in`,
    `  GraphiQL        ${baseUrl}/graphql`,
    `  API reference   ${baseUrl}/docs`,
    '',
  ];
  if (!first) {
    lines.push('  Passwords and tokens were printed at the first start and are stored hashed.');
    lines.push(`  For a lost password: ${commandLine()} reset-password NAME`);
    if (dataDir) lines.push(`  To start over: stop the gateway and remove ${dataDir}.`);
    lines.push('');
    return lines.join('\n');
  }
  const { rootPassword, rootToken, demo } = first;
  const account = (name: string, password: string, what: string) =>
    `  ${name.padEnd(12)}${password.padEnd(22)}  ${what}`;
  lines.push('Accounts, with passwords that are shown only this once:', '');
  lines.push(account('root', rootPassword, 'administrator'));
  if (demo) {
    lines.push(account('maintainer', demo.password, 'of the demo group, premium tier'));
    lines.push(account('developer', demo.password, 'of the demo group'));
    lines.push(account('guest', demo.password, 'of the demo group'));
  }
  lines.push('', 'Personal access tokens, shown only this once:', '');
  lines.push(`  root          ${rootToken}`);
  if (demo) lines.push(`  maintainer    ${demo.token}`);
  lines.push('', 'Paste these to try it:', '');
  lines.push(...commands(baseUrl, first).map((command) => `  ${command}`), '');
  return lines.join('\n');
}

/** Three example commands, ready to paste. */
function commands(baseUrl: string, { rootToken, demo }: FirstStart): string[] {
  const curl = (token: string, request: string) => `curl -s -H ${shellWord(`PRIVATE-TOKEN: ${token}`)} ${request}`;
  if (!demo) {
    return [
      curl(rootToken, `${baseUrl}/api/v4/user`),
      curl(rootToken, `${baseUrl}/api/v4/notification_settings`),
      curl(rootToken, `-X PUT '${baseUrl}/api/v4/notification_settings?level=watch'`),
    ];
  }
  return [
    curl(demo.token, `${baseUrl}/api/v4/notification_settings`),
    curl(
      demo.token,
      `-X PUT '${baseUrl}/api/v4/projects/demo%2Fstorefront/notification_settings?level=custom&new_note=true'`,
    ),
    curl(demo.token, `-X PATCH '${baseUrl}/api/v4/projects/demo%2Fstorefront/error_tracking/settings?active=true'`),
  ];
}

/** How an operator runs a command: a checkout builds first, an installed package or an image has the command itself. */
const commandLine = () => (existsSync(join(packageFolder, 'scripts')) ? 'npm run causeway --' : 'causeway');
