import type { Arrived, MailSink } from '../test/support/mail-sink.ts';
import { query } from './cluster.ts';
import type { Scene } from './fault.ts';
import { rootToken, type Gateway } from './gateways.ts';
import { promised, rounded, type Promised } from './promised.ts';

/** Comments that are mailed to one reader, for the faults of what sends them. */

const address = 'reader-of-mails@example.com';
const marked = (number: number) => `Comment number ${number}.`;
const numberIn = (text: string | undefined) => Number(/Comment number (\d+)\./.exec(text ?? '')?.[1]);

async function ask({ origin }: Gateway, path: string, body: object): Promise<{ id: number; iid: number }> {
  const answer = await fetch(`${origin}/api/v4/${path}`, {
    method: 'POST',
    // Between two rounds, minutes may pass: the gateway closes idle connections.
    headers: { 'private-token': rootToken, 'content-type': 'application/json', connection: 'close' },
    body: JSON.stringify(body),
  });
  if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as { id: number; iid: number };
}

export interface MailedComments {
  /** How many comments were acknowledged. */
  readonly sent: number;
  /** How many of them have arrived. */
  readonly arrived: number;
  /** Writes so many comments. */
  comment(count: number): Promise<void>;
  /** Waits until all have arrived, so many milliseconds at most. @returns how long that took */
  untilAll(patience: number): Promise<number>;
  /** What must hold in the end. @param took what `untilAll` returned, and what was done to the mail server or the database */
  promises(took: number, since: string): Promised[];
}

/** A project with an issue whose assignee gets every comment of an administrator. */
export async function mailedComments(
  { gateways, databaseUrl, spare: [reader] }: Scene,
  sink: MailSink,
): Promise<MailedComments> {
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
  /** Other mail, such as that of the assignment, has no number. */
  const copies = () => {
    const found = new Map<number, Arrived[]>();
    for (const mail of sink.to(address)) {
      const number = numberIn(mail.text);
      if (!Number.isNaN(number)) found.set(number, [...(found.get(number) ?? []), mail]);
    }
    return found;
  };
  return {
    get sent() {
      return sent;
    },
    get arrived() {
      return copies().size;
    },
    async comment(count) {
      for (let done = 0; done < count; done++)
        await ask(gateways[sent % gateways.length]!, `projects/${project.id}/issues/${issue.iid}/notes`, {
          body: marked(sent++),
        });
    },
    async untilAll(patience) {
      const from = performance.now();
      while (copies().size < sent && performance.now() < from + patience)
        await new Promise((resolve) => setTimeout(resolve, 250));
      return performance.now() - from;
    },
    promises(took, since) {
      const all = copies();
      const twice = [...all.values()].filter((one) => one.length > 1);
      const differing = twice.filter((one) => new Set(one.map((mail) => mail.header('message-id'))).size > 1);
      return [
        promised(
          'Every message arrives, without intervention.',
          `${all.size} of ${sent}, the last one ${rounded(took)} after ${since}`,
          all.size === sent,
        ),
        promised(
          'A second copy has the same Message-ID.',
          `${twice.length} came twice, ${differing.length} of them with another`,
          differing.length === 0,
        ),
      ];
    },
  };
}
