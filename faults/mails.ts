import { setTimeout as pause } from 'node:timers/promises';
import type { Arrived, MailSink } from '../test/support/mail/mail-sink.ts';
import { query } from './cluster.ts';
import type { Scene } from './fault.ts';
import { rootToken, type Gateway } from './gateways.ts';
import { promised, rounded, type Promised } from './promised.ts';
import type { Person } from './store.ts';
import type { Sql } from './verify.ts';

/** Comments that are mailed to one reader. */

const address = 'reader-of-mails@example.com';
/** The text of a comment, by which its mail is found. */
export const marked = (number: number) => `Comment number ${number}.`;
const numberIn = (text: string | undefined) => Number(/Comment number (\d+)\./.exec(text ?? '')?.[1]);

/** @param body of each attempt: a busy gateway may refuse what it has begun */
async function ask(
  { origin }: Gateway,
  path: string,
  body: (attempt: number) => object,
): Promise<{ id: number; iid: number }> {
  for (let attempt = 1; ; attempt++, await pause(500)) {
    const answer = await fetch(`${origin}/api/v4/${path}`, {
      method: 'POST',
      // Between two rounds, minutes may pass: the gateway closes idle connections.
      headers: { 'private-token': rootToken, 'content-type': 'application/json', connection: 'close' },
      body: JSON.stringify(body(attempt)),
    });
    const text = await answer.text();
    if (answer.status === 201) return JSON.parse(text) as { id: number; iid: number };
    if (answer.status !== 503 || attempt === 10) throw new Error(`${path}: ${answer.status} ${text}`);
  }
}

/** An issue whose assignee gets every comment of an administrator. */
export interface MailedIssue {
  /** The path of its comments, after `/api/v4/`. */
  readonly notes: string;
  /** How many of the comments have arrived. */
  readonly arrived: number;
  /** Waits until these comments have arrived, so many milliseconds at most. @returns how long that took */
  untilAll(numbers: readonly number[], patience: number): Promise<number>;
  /** What must hold in the end. @param took what `untilAll` returned, and what it began with */
  promises(numbers: readonly number[], took: number, since: string): Promised[];
}

interface Where {
  readonly gateways: readonly Gateway[];
  readonly sql: Sql;
  readonly reader: Person;
}

/** Makes a project with an issue, and gives its assignee a confirmed address. */
export async function mailedIssue({ gateways, sql, reader }: Where, sink: MailSink): Promise<MailedIssue> {
  await sql(
    `insert into emails (user_id, address, verified_at, primary_of) values ($1, $2, now(), $1)
       on conflict (primary_of) do update set address = excluded.address, verified_at = now()`,
    [reader.id, address],
  );
  const project = await ask(gateways[0]!, 'projects', (attempt) => ({
    name: `mailed-${attempt}`,
    visibility: 'public',
  }));
  await sql(
    `insert into project_members (user_id, project_id, access_level) values ($1, $2, 30) on conflict do nothing`,
    [reader.id, project.id],
  );
  const issue = await ask(gateways[0]!, `projects/${project.id}/issues`, () => ({
    title: 'Mails',
    assignee_id: reader.id,
  }));

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
    notes: `projects/${project.id}/issues/${issue.iid}/notes`,
    get arrived() {
      return copies().size;
    },
    async untilAll(numbers, patience) {
      const from = performance.now();
      const areThere = () => {
        const all = copies();
        return numbers.every((number) => all.has(number));
      };
      while (!areThere() && performance.now() < from + patience) await pause(250);
      return performance.now() - from;
    },
    promises(numbers, took, since) {
      const all = copies();
      const there = numbers.filter((number) => all.has(number));
      const twice = [...all.values()].filter((one) => one.length > 1);
      const differing = twice.filter((one) => new Set(one.map((mail) => mail.header('message-id'))).size > 1);
      return [
        promised(
          'Every message arrives, without intervention.',
          `${there.length} of ${numbers.length}, the last one ${rounded(took)} after ${since}`,
          there.length === numbers.length && numbers.length > 0,
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

/** Comments for the faults of what sends mail: they are written when the fault wants some. */
export async function mailedComments(
  { gateways, databaseUrl, spare: [reader] }: Scene,
  sink: MailSink,
): Promise<MailedComments> {
  const sql: Sql = <Row extends object>(text: string, values: unknown[]) => query<Row>(databaseUrl, text, values);
  const issue = await mailedIssue({ gateways, sql, reader: reader! }, sink);
  const numbers: number[] = [];
  return {
    get sent() {
      return numbers.length;
    },
    get arrived() {
      return issue.arrived;
    },
    async comment(count) {
      for (let done = 0; done < count; done++) {
        const number = numbers.length;
        await ask(gateways[number % gateways.length]!, issue.notes, () => ({ body: marked(number) }));
        numbers.push(number);
      }
    },
    untilAll: (patience) => issue.untilAll(numbers, patience),
    promises: (took, since) => issue.promises(numbers, took, since),
  };
}
