import { setTimeout as pause } from 'node:timers/promises';
import { mailSink, type MailSink } from '../../test/support/mail/mail-sink.ts';
import type { Fault } from '../fault.ts';
import { mailedComments } from '../mails.ts';
import { allAnswered } from '../verify.ts';

let sink: MailSink | undefined;

/** Comments of each stage; every one is mailed to the same reader. */
const each = 10;
/** A gateway asks a server that was down again after a minute at most, with a quarter of jitter; and one that refused. */
const patience = 180_000;

export const smtpGone: Fault = {
  name: 'smtp-gone',
  what: 'The mail server cuts connections within a message, is down for ten seconds, then refuses for the moment (451), while comments are mailed to a watcher.',
  // It mails by itself.
  without: ['mail'],
  async settings() {
    sink = await mailSink();
    return [sink.settings, sink.settings];
  },
  async run(scene) {
    const mails = sink!;
    const comments = await mailedComments(scene, mails);
    const from = performance.now();
    let cut = 0;
    mails.behaviour = { data: () => (cut++ < 5 ? 'dies' : undefined) };
    await comments.comment(each);
    await pause(2_000);
    await mails.down();
    await comments.comment(each);
    await pause(10_000);
    await mails.up();
    let refused = 0;
    mails.behaviour = { data: () => (refused++ < 5 ? 451 : undefined) };
    await comments.comment(each);
    const to = performance.now();
    const took = await comments.untilAll(patience);
    return [
      allAnswered('Requests are answered meanwhile as ever.', scene.load.between(from, to)),
      ...comments.promises(
        took,
        `the server took messages again; ${Math.min(cut, 5)} were cut and ${Math.min(refused, 5)} refused`,
      ),
    ];
  },
  clear: async () => await sink?.down(),
};
