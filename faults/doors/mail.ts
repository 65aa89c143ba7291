import type { MailSink } from '../../test/support/mail/mail-sink.ts';
import { calls } from '../load.ts';
import { mailedIssue, marked } from '../mails.ts';
import type { Person } from '../store.ts';
import { repeated, type Place, type Work } from './work.ts';

/** Milliseconds between two comments. */
const interval = 700;
/** Milliseconds: what a gateway that was killed had claimed is due again when its lease ends. */
const patience = 180_000;

/** Comments on an issue, each of which is mailed to one reader. */
export async function workForMail({ gateways, load, sql }: Place, sink: MailSink, reader: Person): Promise<Work> {
  const issue = await mailedIssue({ gateways, sql, reader }, sink);
  const acknowledged: { readonly number: number; readonly at: number }[] = [];
  const stop = repeated(interval, async (number) => {
    const { wanted } = await load.send(calls.asRoot('POST', issue.notes, [201], { body: marked(number) }));
    if (wanted) acknowledged.push({ number, at: performance.now() });
  });
  return {
    stop,
    async verify(_at, before = Infinity) {
      const numbers = acknowledged.filter(({ at }) => at < before).map(({ number }) => number);
      const took = await issue.untilAll(numbers, patience);
      return issue
        .promises(numbers, took, 'the load ended')
        .map((one) => ({ ...one, promise: `Mail: ${one.promise}` }));
    },
  };
}
