import type { MailSink } from '../../test/support/mail/mail-sink.ts';
import type { Promised } from '../promised.ts';
import type { Person } from '../store.ts';
import { workWithGit } from './git.ts';
import { workForMail } from './mail.ts';
import { workAsRunner } from './runner.ts';
import type { Door, Place, Work } from './work.ts';

/**
 * Begins to work at doors.
 * @param sink where mail arrives, and who reads it
 */
export async function workAtDoors(
  place: Place,
  doors: readonly Door[],
  { sink, reader }: { readonly sink: MailSink; readonly reader: Person },
): Promise<Work> {
  const works: Work[] = [];
  if (doors.includes('git')) works.push(await workWithGit(place));
  if (doors.includes('runner')) works.push(await workAsRunner(place));
  if (doors.includes('mail')) works.push(await workForMail(place, sink, reader));
  return {
    async stop() {
      await Promise.all(works.map((work) => work.stop()));
    },
    async verify(at, before) {
      const all: Promised[] = [];
      for (const work of works) all.push(...(await work.verify(at, before)));
      return all;
    },
  };
}
