import { unsubscribeKey } from '../../../src/auth/index.ts';
import { nameOf } from '../../../src/web/pipelines/variables/view.tsx';
import { fillWithEnvironments } from '../../pipelines/support/environments.ts';
import { endJob, runningJob as newRunningJob } from '../../pipelines/support/jobs.ts';
import { fillWithPipelines } from '../../pipelines/support/reports.ts';
import { fillWithPlanning, storefront } from '../../planning/support/storefront.ts';
import { fillWithCode, newCode, type Code } from '../../repository/support/code.ts';
import { newReviewed, type Reviewed } from '../../reviews/support/reviewed.ts';
import { signIn } from '../../support/pages/browser-session.ts';
import type { TestGateway } from '../../support/gateway.ts';
import {
  inBody,
  post,
  registerApplication,
  sessionOf,
  tokensFor,
  type RegisteredApplication,
} from '../../support/oauth/oauth.ts';
import { newUser } from '../../support/places/people.ts';
import type { Role, Stop } from '../../support/pages/walk.ts';

export type Stops = Record<string, Stop<Records>>;
export type Named = [name: string, stop: Stop<Records>];

export const members: readonly Role[] = ['guest', 'maintainer'];
export const administrators: readonly Role[] = ['root'];
export const maintainers: readonly Role[] = ['maintainer', 'root'];

/** The records that addresses of pages name. Numbers are ids, unless they say otherwise. */
export interface Records {
  /** An application of the maintainer with tokens, and one that asks for consent. */
  readonly registered: RegisteredApplication;
  readonly weather: RegisteredApplication;
  /** The code of a waiting device. */
  readonly userCode: string;
  /** A personal access token and an SSH key of the maintainer. */
  readonly token: number;
  readonly sshKey: number;
  /** A person with an unconfirmed address and a second factor, for administrators. */
  readonly managed: { readonly id: string; readonly email: number };
  /** The path of a page to unsubscribe, and a message that was kept. */
  readonly unsubscribing: string;
  readonly kept: string;
  /** A project with files and pipelines, the name of a commit there, and the path of a project without files. */
  readonly code: Code;
  readonly codeCommit: string;
  /** On that commit. */
  readonly codeThread: { readonly id: string; readonly comment: number };
  readonly emptyCode: string;
  readonly pipeline: number;
  readonly job: number;
  readonly runningJob: number;
  readonly environment: number;
  readonly deployKey: number;
  /** The name of a variable in addresses: the same in the project and in a group. */
  readonly variable: string;
  readonly trigger: number;
  readonly schedule: number;
  readonly runner: number;
  readonly groupRunner: number;
  /** Of `demo/storefront`, and of its group. */
  readonly label: number;
  readonly groupLabel: number;
  readonly comment: number;
  readonly thread: string;
  readonly snippet: number;
  readonly personalSnippet: number;
  /** On the snippet of `demo/storefront`. */
  readonly snippetThread: string;
  readonly snippetComment: number;
  readonly reviewed: Reviewed;
}

/** Makes the records that the pages of the walk show. */
export async function fillForWalk(gateway: TestGateway): Promise<Records> {
  const planned = await fillWithPlanning(gateway);
  const send = senderAs(gateway, gateway.tokens.maintainer);
  await send('/groups/demo/milestones', { title: 'Season', description: 'For **every** project.' });
  const { token } = await newUser(gateway, 'asking');
  await senderAs(gateway, token)('/projects/demo%2Fstorefront/access_requests', {});
  return {
    ...planned,
    ...(await ofMaintainer(gateway)),
    ...(await messages(gateway)),
    ...(await repositories(gateway)),
    ...(await snippets(gateway)),
    managed: await managedPerson(gateway),
    reviewed: await newReviewed(gateway),
  };
}

/** Sends JSON below `/api/v4`. @returns the body */
const senderAs =
  ({ rest }: TestGateway, token: string) =>
  async (path: string, json: object): Promise<{ readonly id: number; readonly token: string }> => {
    const { status, body, text } = await rest('POST', `/api/v4${path}`, { token, json });
    if (status !== 201) throw new Error(`${path}: ${status} ${text}`);
    return body as never;
  };

async function ofMaintainer(gateway: TestGateway) {
  const { cookies } = await signIn(gateway, 'maintainer');
  const mary = sessionOf(gateway, 'maintainer', cookies.get('causeway_session')!);
  const registered = await registerApplication(mary, {
    name: 'Team calendar',
    redirectUris: ['https://calendar.example/callback', 'http://127.0.0.1/callback'],
  });
  const weather = await registerApplication(mary, {
    name: 'Weather',
    redirectUris: ['https://weather.example/callback'],
  });
  await tokensFor(mary, registered, 'api email');
  await registerApplication(mary, { name: 'A command line for everything', confidential: false });
  const [made] = await gateway.sql<{ id: number }>(
    `select t.id from personal_access_tokens t join users u on u.id = t.user_id where u.username = 'maintainer'`,
  );
  const { id: sshKey } = await senderAs(gateway, gateway.tokens.maintainer)('/user/keys', {
    title: 'Laptop in the office',
    key: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHyQdG6h4GPZx9xVFYl0xkHSk0FRqNFJtmQpCYhPRZgx',
  });
  const device = { ...inBody(weather), scope: 'read_user email' };
  const { user_code: userCode } = (await post(gateway, '/oauth/authorize_device', device)).body as {
    user_code: string;
  };
  return { registered, weather, token: made!.id, sshKey, userCode };
}

/** A thread with a reply. @param on what it is on */
async function threadOn(send: ReturnType<typeof senderAs>, on: string) {
  const thread = await send(`${on}/discussions`, { body: 'Is `% 12` *right* near the equinox?' });
  const [note] = (thread as unknown as { readonly notes: readonly { readonly id: number }[] }).notes;
  await send(`${on}/discussions/${thread.id}/notes`, { body: 'Nearly.' });
  return { id: String(thread.id), comment: note!.id };
}

/** A snippet of `demo/storefront` with a thread, and one of the maintainer; each has two files. */
async function snippets(gateway: TestGateway) {
  const send = senderAs(gateway, gateway.tokens.maintainer);
  const tides = {
    title: 'Tides of the coming week, as a table for the harbour office',
    description: 'Computed **every** Monday.\n\n- [x] Spring tide',
    visibility: 'public',
    files: [
      {
        file_path: 'tides/week.py',
        content: 'def tide(hour: int) -> float:\n    """Metres above zero."""\n    return 2.5 + hour % 12 # roughly\n',
      },
      { file_path: 'README', content: `${'The harbour sleeps at low tide. '.repeat(10)}\n` },
    ],
  };
  const { id: snippet } = await send(`${storefront}/snippets`, tides);
  const { id: personalSnippet } = await send('/snippets', tides);
  const on = `${storefront}/snippets/${snippet}`;
  await send(`${on}/notes`, { body: 'The harbour office prints it.' });
  const thread = await threadOn(send, on);
  await send(`${on}/award_emoji`, { name: 'tada' });
  return { snippet, personalSnippet, snippetThread: thread.id, snippetComment: thread.comment };
}

async function managedPerson(gateway: TestGateway) {
  const { id } = await newUser(gateway, 'managed');
  const [email] = await gateway.sql<{ id: number }>(
    `insert into emails (user_id, address) values ($1, 'managed@other.example') returning id`,
    [id],
  );
  await gateway.sql(`insert into second_factors (user_id, sealed_seed, confirmed_at) values ($1, '\\x00', now())`, [
    id,
  ]);
  return { id, email: email!.id };
}

/** Messages to the developer about an issue, in every state, and one that the inbox kept. */
async function messages(gateway: TestGateway) {
  const issue = await senderAs(gateway, gateway.tokens.maintainer)(`${storefront}/issues`, {
    title: 'The cart forgets what is in it '.repeat(6).trim(),
  });
  const [reader] = await gateway.sql<{ id: number }>(`select id from users where username = 'developer'`);
  const unsubscribed = { userId: reader!.id, subjectKind: 'Issue', subjectId: issue.id } as const;
  const unsubscribing = `/-/sent_notifications/${unsubscribeKey(gateway.gateway.application.keys, unsubscribed)}/unsubscribe`;
  await gateway.sql(
    `insert into notifications (user_id, cause, occurrence, project_id, subject_kind, subject_id, via, reason, state, outcome, last_error, address)
     select $1, cause, 'walk ' || cause || state, (select project_id from issues where id = $2), 'Issue', $2, 'SETTING', null, state::"NotificationState", outcome, last_error, address
       from (values ('NEW_NOTE', 'SENT', null, null, 'developer@example.com'), ('CLOSE_ISSUE', 'WAITING', 'QUIET_HOURS', null, null),
         ('NEW_ISSUE', 'FAILED', null, '550 5.1.1 <developer@example.com>: Recipient address rejected: User unknown in local recipient table', 'developer@example.com'),
         ('REOPEN_ISSUE', 'DROPPED', 'GONE', null, null)) given(cause, state, outcome, last_error, address)`,
    [reader!.id, issue.id],
  );
  const [mail] = await gateway.sql<{ id: string }>(
    `insert into kept_mails (kind, recipient, subject, headers, text, html) values ('note', 'developer@example.com', $1, $2, $3,
       '<!doctype html><html lang="en"><head><title>Mail</title></head><body><p>Mary commented:</p></body></html>') returning id`,
    [
      'Re: Storefront | The cart forgets what is in it (#1)',
      { 'List-Unsubscribe': `<${gateway.url}${unsubscribing}>`, 'X-GitLab-Project': 'storefront' },
      `Mary commented:\n\n${'It still does. '.repeat(20)}\n-- \n${gateway.url}${unsubscribing}\n`,
    ],
  );
  return { unsubscribing, kept: String(mail!.id) };
}

/** A project with files, pipelines and what they need, and one without files. */
async function repositories(gateway: TestGateway) {
  const { fullPath: emptyCode } = await newCode(gateway, { visibility: 'public' });
  const code = await newCode(gateway, { visibility: 'public', description: 'Everything about ships.' });
  const codeCommit = await fillWithCode(gateway, code);
  const pipeline = await fillWithPipelines(gateway, code);
  const { environment, key: deployKey } = await fillWithEnvironments(gateway, code);

  const at = { id: code.id, sha: codeCommit };
  const done = await newRunningJob(gateway, at, { name: 'unit' });
  const log =
    '\x1b[32mOK\x1b[0m the harbour is open\nsection_start:1:tide\r\x1b[0KTide\n5 metres\nsection_end:2:tide\r';
  await fetch(`${gateway.url}/api/v4/jobs/${done.id}/trace`, {
    method: 'PATCH',
    headers: { 'content-range': `0-${log.length - 1}`, 'job-token': done.token },
    body: log,
  });
  await endJob(gateway, done.id);
  const running = await newRunningJob(gateway, at, { name: 'browser' });

  const send = senderAs(gateway, gateway.tokens.maintainer);
  const asRoot = senderAs(gateway, gateway.tokens.root);
  const project = `/projects/${code.id}`;
  const codeThread = await threadOn(send, `${project}/repository/commits/${codeCommit}`);
  const variable = { key: 'HARBOUR_TOKEN', value: 'a value of some length', description: 'Opens the harbour' };
  await send(`${project}/variables`, variable);
  await asRoot('/groups/demo%2Fplatform/variables', variable);
  const { id: trigger } = await send(`${project}/triggers`, { description: 'From the lighthouse' });
  const { id: schedule } = await send(`${project}/pipeline_schedules`, {
    description: 'Every night, when the harbour sleeps',
    ref: 'main',
    cron: '0 3 * * *',
  });
  const machine = { description: 'The machine behind the third crane', tag_list: 'harbour,crane' };
  const { id: runner } = await send('/user/runners', { runner_type: 'project_type', project_id: code.id, ...machine });
  const [platform] = await gateway.sql<{ id: number }>(`select id from namespaces where full_path = 'demo/platform'`);
  const ofGroup = { runner_type: 'group_type', group_id: platform!.id, ...machine };
  const { id: groupRunner } = await asRoot('/user/runners', ofGroup);
  return {
    emptyCode,
    code,
    codeCommit,
    codeThread,
    pipeline,
    job: done.id,
    runningJob: running.id,
    environment,
    deployKey,
    variable: nameOf({ key: variable.key, environmentScope: '*' }),
    trigger,
    schedule,
    runner,
    groupRunner,
  };
}
