import { setTimeout as pause } from 'node:timers/promises';
import { mailSink, type MailSink } from '../../test/support/mail/mail-sink.ts';
import type { Fault } from '../fault.ts';
import { mailedComments } from '../mails.ts';

let sink: MailSink | undefined;

/** Times that PostgreSQL is killed, and comments before each: their messages are sent one after the other. */
const rounds = 3;
const each = 20;
/** Milliseconds that the mail server takes for a message: some are under way at any moment. */
const slow = 100;
/** What a lost session had claimed is due again when its lease of a minute ends. */
const patience = 180_000;

export const postgresKilledWhileMailing: Fault = {
  name: 'postgres-killed-while-mailing',
  what: 'PostgreSQL is killed (`kill -9`) three times while messages are handed to a slow mail server, and started again a second later.',
  // It mails by itself.
  without: ['mail'],
  async settings() {
    sink = await mailSink();
    return [sink.settings, sink.settings];
  },
  async run(scene) {
    const mails = sink!;
    const { cluster, watch } = scene;
    mails.behaviour = { slow };
    const comments = await mailedComments(scene, mails);
    let left = 0;
    for (let round = 0; round < rounds; round++) {
      await comments.comment(each);
      // The first of them have left.
      const before = comments.arrived;
      while (comments.arrived === before && comments.arrived < comments.sent) await pause(5);
      left += comments.sent - comments.arrived;
      await cluster.end('SIGKILL');
      await pause(1_000);
      await cluster.start();
      await watch.green();
    }
    const took = await comments.untilAll(patience);
    return comments.promises(took, `the last kill was over; ${left} were still to be sent when it was killed`);
  },
  clear: async () => await sink?.down(),
};
