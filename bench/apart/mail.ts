import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { median, type Check } from '../report.ts';
import { pins, type Server } from '../server.ts';
import { startSide } from '../sides.ts';
import type { Person, Store } from '../store.ts';

/**
 * Measures how fast messages reach a mail server on this machine, beside what nodemailer alone hands to the same server, and
 * how long it takes from a request to the message.
 */

/** Rounds of which the speed counts, after one that warms up. */
const rounds = 5;
/** Rounds after them in which memory is to stay as it is: until then V8 makes its heap as large as the work needs. */
const further = 10;
/** Comments of a round, and how many people each is sent to. */
const comments = 100;
const readers = 10;
const messages = comments * readers;
const latencies = 40;

/** A mail server that takes everything and keeps nothing. */
interface Sink {
  readonly port: number;
  /** Resolves with the milliseconds from the first of so many messages to the last. */
  next(count: number): Promise<number>;
  close(): void;
}

async function openSink(): Promise<Sink> {
  let [seen, first, wanted] = [0, 0, 0];
  let done: (milliseconds: number) => void = () => undefined;
  const arrived = () => {
    seen += 1;
    if (seen === 1) first = performance.now();
    if (seen === wanted) done(performance.now() - first);
  };
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(
      socket
        .setNoDelay()
        .setEncoding('latin1')
        .on('error', () => undefined),
    );
    socket.on('close', () => sockets.delete(socket)).write('220 sink\r\n');
    let [text, inData] = ['', false];
    socket.on('data', (chunk: string) => {
      text += chunk;
      for (;;) {
        const end = text.indexOf(inData ? '\r\n.\r\n' : '\r\n');
        if (end < 0) return;
        const line = text.slice(0, inData ? 0 : end);
        text = text.slice(end + (inData ? 5 : 2));
        if (inData) arrived();
        inData = /^DATA/i.test(line);
        socket.write(inData ? '354 go on\r\n' : '250 fine\r\n');
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    next(count) {
      [seen, wanted] = [0, count];
      return new Promise((resolve) => (done = resolve));
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** nodemailer alone, in a process of its own on the gateway's core. */
async function alone(sink: Sink): Promise<number> {
  const script = join(process.env.BENCH_BUNDLES!, 'nodemailer.js');
  const command = [process.execPath, script, String(sink.port), String(messages)];
  const [file, ...args] = pins ? ['taskset', '-c', '0', ...command] : command;
  const time = sink.next(messages);
  const child = spawn(file!, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  const closed = once(child, 'close');
  const found = await Promise.race([time, closed.then(() => Infinity)]);
  await closed;
  return found;
}

const send = async ({ origin }: Server, { token }: Person, path: string, body: object): Promise<any> => {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  const answer = await fetch(`${origin}/api/v4/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return await answer.json();
};

/** Writes messages about comments that wait to be sent, and a job that sends them. */
async function queue({ pool }: Store, project: number, issue: number): Promise<void> {
  const body = 'A *comment* with `code`, and a [link](https://example.com).\n\n- one\n- two\n\n'.repeat(6);
  await pool.query(
    `with made as (
       insert into notes (issue_id, project_id, discussion_id, author_id, body)
       select i.id, i.project_id, decode(md5(random()::text), 'hex'), i.author_id, $3
         from issues i, generate_series(1, $4::int) where i.id = $1 returning id, author_id
     ), people as (
       select u.id from users u join emails e on e.primary_of = u.id where e.verified_at is not null and u.state = 'ACTIVE'
        order by u.id desc limit $5::int
     ), told as (
       insert into notifications (user_id, cause, occurrence, actor_id, project_id, subject_kind, subject_id, note_id, via)
       select people.id, 'NEW_NOTE', 'bench ' || made.id, made.author_id, $2::int, 'Issue', $1::int, made.id, 'SETTING' from made, people
     )
     insert into jobs (name, payload, key, priority, max_attempts) values ('send_notifications', '{}', 'send', 0, 8)
     on conflict (name, key) where lease is null and dead_at is null do update set run_at = now()`,
    [issue, project, body, comments, readers],
  );
}

export async function measureMail(store: Store, print: (message: string) => void): Promise<Check[]> {
  const sink = await openSink();
  const env = { CAUSEWAY_SMTP_URL: `smtp://127.0.0.1:${sink.port}`, CAUSEWAY_SMTP_FROM: 'causeway@example.com' };
  const server = await startSide('causeway', store, { env });
  try {
    const [author] = store.people as [Person];
    const {
      rows: [reader],
    } = await store.pool.query<{ username: string }>(
      `select u.username from users u join emails e on e.primary_of = u.id left join global_notification_settings g on g.user_id = u.id
        where e.verified_at is not null and u.state = 'ACTIVE' and u.id <> $1 and coalesce(g.level, 'WATCH') in ('MENTION', 'WATCH', 'PARTICIPATING')
        order by u.id limit 1`,
      [author.id],
    );
    const path = `mail-${Date.now()}`;
    const { id: project } = await send(server, author, 'projects', { path, visibility: 'public' });
    const issue = await send(server, author, `projects/${project}/issues`, { title: 'A title of an issue' });
    const ratios: number[] = [];
    const memory: number[] = [];
    for (let round = 0; round <= rounds + further; round++) {
      // People get so many messages a day about one project.
      await store.pool.query(`delete from notifications`);
      const time = sink.next(messages);
      await queue(store, project, issue.id);
      const own = await time;
      memory.push(server.memory());
      const other = await alone(sink);
      print(
        `… mail: ${Math.round(messages / (own / 1_000))} a second, nodemailer alone ${Math.round(messages / (other / 1_000))}`,
      );
      if (round > 0 && round <= rounds) ratios.push(own / other);
    }
    const times: number[] = [];
    for (let at = 0; at < latencies; at++) {
      const started = performance.now();
      const one = sink.next(1);
      await send(server, author, `projects/${project}/issues/${issue.iid}/notes`, { body: `@${reader!.username}` });
      await one;
      times.push((performance.now() - started) / 1_000);
      await sleep(50);
    }
    await store.pool.query(`delete from notifications`);
    return [
      { name: 'mail: time to hand over', value: median(ratios), unit: 'times nodemailer', bound: 1.67 },
      { name: 'mail: from the request to the message, p50', value: median(times), unit: 's', bound: 1 },
      {
        name: `mail: memory after ${messages * further} more`,
        value: memory.at(-1)! - memory[rounds]!,
        unit: 'MB',
        bound: 30,
      },
    ];
  } finally {
    await server.stop();
    sink.close();
  }
}
