import type { Shop } from '../support/places/shop.ts';
import type { Told } from '../support/mail/told.ts';

/** The rows of the decision table about pipelines: a script reports with the token of the person whose pipeline it is. */

const me = 'the-developer';
const other = 'the-maintainer';

type Level = 'mention' | 'participating' | 'watch' | 'custom';

/** A branch that developers write to, with a pipeline that ended in these ways before. */
const reported =
  (who: string, ...states: readonly string[]) =>
  async (p: Told) => {
    await p.send('POST', '/repository/commits', 'the-owner', {
      branch: 'main',
      commit_message: 'Begin',
      actions: [{ action: 'create', file_path: 'a.txt', content: 'a' }],
    });
    for (const state of states) await report(state, who)(p);
  };

const report =
  (state: string, who = me, name = 'check') =>
  (p: Told) =>
    p.send('POST', '/statuses/main', who, { state, ref: 'topic', name });

const of = (
  row: number,
  what: string,
  level: Level,
  on: object,
  ends: 'failed' | 'fixed' | 'success',
  told?: null,
) => ({
  row,
  what,
  level,
  on,
  before: reported(me, ...(ends === 'fixed' ? ['failed'] : [])),
  happens: report(ends === 'failed' ? 'failed' : 'success'),
  cause: `${ends.toUpperCase()}_PIPELINE`,
  ...(told !== undefined && { told }),
});

export const rowsOfPipelines = (shop: () => Shop) =>
  [
    of(70, 'participating, owns it', 'participating', {}, 'failed', null),
    of(71, 'watch, owns it', 'watch', {}, 'failed', null),
    {
      ...of(72, 'watch, does not own it', 'watch', {}, 'failed'),
      before: reported(other),
      happens: report('failed', other),
    },
    of(73, 'custom, never set, owns it', 'custom', {}, 'failed', null),
    of(74, 'custom, switched off, owns it', 'custom', { failed_pipeline: false }, 'failed'),
    of(75, 'mention, owns it', 'mention', {}, 'failed'),
    {
      ...of(76, 'participating, owns it, lost access to jobs', 'participating', {}, 'failed'),
      who: 'the-guest',
      before: async (p: Told) => {
        await reported(other, 'success')(p);
        await shop().gateway.sql(
          `update pipelines set user_id = (select id from users where username = 'the-guest') where id = (select max(id) from pipelines)`,
        );
        await p.send('PUT', '', 'the-owner', { public_jobs: false });
      },
      happens: report('failed', other, 'another'),
    },
    of(77, 'participating, owns it', 'participating', {}, 'fixed', null),
    of(78, 'custom, only success', 'custom', { fixed_pipeline: false, success_pipeline: true }, 'fixed', null),
    of(79, 'custom, neither', 'custom', { fixed_pipeline: false, success_pipeline: false }, 'fixed'),
    of(80, 'watch, owns it', 'watch', {}, 'success'),
    of(81, 'custom, switched on', 'custom', { success_pipeline: true }, 'success', null),
    of(82, 'custom, never set', 'custom', {}, 'success'),
  ] as const;
