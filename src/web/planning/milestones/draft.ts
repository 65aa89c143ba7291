import { InvalidFields } from '../../../errors.ts';
import { isDay } from '../../../values/time/calendar.ts';
import type { Fields } from '../../site/forms/fields.ts';
import { sentences } from '../../site/words.ts';
import type { MilestoneDraft, MilestoneErrors } from './form.tsx';
import type { ShownMilestone } from './milestones.ts';

export const emptyDraft: MilestoneDraft = { title: '', description: '', start_date: '', due_date: '' };
export const names = ['title', 'description', 'start_date', 'due_date'] as const;

export const readDraft = (form: Fields): MilestoneDraft => ({
  title: form.title ?? '',
  description: form.description ?? '',
  start_date: form.start_date ?? '',
  due_date: form.due_date ?? '',
});

export const draftOf = ({ title, description, startDate, dueDate }: ShownMilestone): MilestoneDraft => ({
  title,
  // As a form sends it back.
  description: (description ?? '').replaceAll(/\r?\n/g, '\r\n'),
  start_date: startDate?.slice(0, 10) ?? '',
  due_date: dueDate?.slice(0, 10) ?? '',
});

/** A draft as input of the schema; what it doesn't have stays as it is. */
export const inputOf = ({ title, description, start_date: start, due_date: due }: Partial<MilestoneDraft>) => ({
  ...(title !== undefined && { title }),
  ...(description !== undefined && { description: description.replaceAll('\r\n', '\n') }),
  ...(start !== undefined && { startDate: start || null }),
  ...(due !== undefined && { dueDate: due || null }),
});

/** What is wrong with the days, which the schema takes as such; undefined if nothing is. */
export function wrongDays({ start_date: start, due_date: due }: Partial<MilestoneDraft>): MilestoneErrors | undefined {
  const isWrong = (day: string | undefined) => day !== undefined && day !== '' && !isDay(day);
  if (!isWrong(start) && !isWrong(due)) return undefined;
  return {
    ...(isWrong(start) && { start_date: ['The start date must be a day.'] }),
    ...(isWrong(due) && { due_date: ['The due date must be a day.'] }),
  };
}

/** What the schema found wrong, by field. @throws any other error */
export function errorsOf(problem: unknown): MilestoneErrors {
  if (!(problem instanceof InvalidFields)) throw problem;
  const { fields } = problem;
  return {
    title: sentences(
      'The title is',
      fields.title?.filter((one) => one.startsWith('already')),
    ).concat(
      sentences(
        'The title',
        fields.title?.filter((one) => !one.startsWith('already')),
      ),
    ),
    description: sentences('The description', fields.description),
    due_date: sentences('The due date', fields.dueDate),
  };
}
