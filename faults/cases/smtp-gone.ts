import { setTimeout as pause } from 'node:timers/promises';
import { mailSink, type Arrived, type MailSink } from '../../test/support/mail-sink.ts';
import { query } from '../cluster.ts';
import type { Fault } from '../fault.ts';
import { rootToken, type Gateway } from '../gateways.ts';
import { promised, rounded } from '../promised.ts';
import { allAnswered } from '../verify.ts';

let sink: MailSink | undefined;

/** Comments of each stage; every one is mailed to the same reader. */
const each = 10;
/** A gateway asks a server that was down again after a minute at most, with a quarter of jitter; and one that refused. */
const patience = 180_000;

const address = 'reader-of-mails@example.com';
const marked = (number: number) => `Comment number ${number}.`;
const numberIn = (text: string | undefined) => Number(/Comment number (\d+)\./.exec(text ?? '')?.[1]);

async function ask({ origin }: Gateway, path: string, body: object): Promise<{ id: number; iid: number }> {
  const answer = await fetch(`${origin}/api/v4/${path}`, {
    method: 'POST',
    headers: { 'private-token': rootToken, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as { id: number; iid: number };
}

export const smtpGone: Fault = {
  name: 'smtp-gone',
  what: 'The mail server cuts connections within a message, is down for ten seconds, then refuses for the moment (451), while comments are mailed to a watcher.',
  async settings() {
    sink = await mailSink();
    return [sink.settings, sink.settings];
  },
  async run({ gateways, load, databaseUrl, spare: [reader] }) {
    const mails = sink!;
    await query(
      databaseUrl,
      `insert into emails (user_id, address, verified_at, primary_of) values ($1, $2, now(), $1)
         on conflict (primary_of) do update set address = excluded.address, verified_at = now()`,
      [reader!.id, address],
    );
    const project = await ask(gateways[0]!, 'projects', { name: 'mailed', visibility: 'public' });
    await query(
      databaseUrl,
      `insert into project_members (user_id, project_id, access_level) values ($1, $2, 30) on conflict do nothing`,
      [reader!.id, project.id],
    );
    const issue = await ask(gateways[0]!, `projects/${project.id}/issues`, { title: 'Mails', assignee_id: reader!.id });
    let sent = 0;
    const comment = async () => {
      for (let count = 0; count < each; count++)
        await ask(gateways[sent % gateways.length]!, `projects/${project.id}/issues/${issue.iid}/notes`, {
          body: marked(sent++),
        });
    };
    // Other mail, such as that of the assignment, has no number.
    const numbers = () => mails.to(address).map(({ text }) => numberIn(text));
    const arrived = () => new Set(numbers().filter((number) => !Number.isNaN(number))).size;

    const from = performance.now();
    let cut = 0;
    mails.behaviour = { data: () => (cut++ < 5 ? 'dies' : undefined) };
    await comment();
    await pause(2_000);
    await mails.down();
    await comment();
    await pause(10_000);
    await mails.up();
    let refused = 0;
    mails.behaviour = { data: () => (refused++ < 5 ? 451 : undefined) };
    await comment();
    const to = performance.now();
    while (arrived() < sent && performance.now() < to + patience) await pause(250);
    const took = performance.now() - to;

    const copies = new Map<number, Arrived[]>();
    for (const mail of mails.to(address)) {
      const number = numberIn(mail.text);
      if (!Number.isNaN(number)) copies.set(number, [...(copies.get(number) ?? []), mail]);
    }
    const twice = [...copies.values()].filter((all) => all.length > 1);
    const differing = twice.filter((all) => new Set(all.map((mail) => mail.header('message-id'))).size > 1);
    return [
      allAnswered('Requests are answered meanwhile as ever.', load.between(from, to)),
      promised(
        'Every message arrives, without intervention.',
        `${copies.size} of ${sent}, the last one ${rounded(took)} after the server took messages again; ${cut > 5 ? 5 : cut} were cut and ${Math.min(refused, 5)} refused`,
        copies.size === sent,
      ),
      promised(
        'A second copy has the same Message-ID.',
        `${twice.length} came twice, ${differing.length} of them with another`,
        differing.length === 0,
      ),
    ];
  },
  clear: async () => await sink?.down(),
};
