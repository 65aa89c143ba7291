import { Conflict, InvalidFields } from '../../../errors.ts';
import type { Fields } from '../../site/forms/fields.ts';
import { sentences } from '../../site/words.ts';
import type { PlaceLabel } from './labels.ts';
import type { LabelDraft, LabelErrors } from './view.tsx';

export const emptyDraft: LabelDraft = { title: '', description: '', color: '#6699cc', priority: '' };
export const names = ['title', 'description', 'color', 'priority'] as const;

export const readDraft = (form: Fields): LabelDraft => ({
  title: form.title ?? '',
  description: form.description ?? '',
  color: form.color ?? '',
  priority: form.priority?.trim() ?? '',
});

export const draftOf = ({ title, description, color, priority }: PlaceLabel): LabelDraft => ({
  title,
  description: description ?? '',
  color,
  priority: priority === null ? '' : String(priority),
});

/** A draft as input of the schema; what it doesn't have stays as it is. */
export const inputOf = ({ priority, ...draft }: Partial<LabelDraft>) => ({
  ...draft,
  ...(priority !== undefined && { priority: priority === '' ? null : Number(priority) }),
});

/** What is wrong with a priority, which the schema takes as a number; undefined if nothing is. */
export const wrongPriority = ({ priority = '' }: Partial<LabelDraft>): LabelErrors | undefined =>
  /^\d{0,9}$/.test(priority) ? undefined : { priority: ['The priority must be a number from 0 on.'] };

/** What the schema found wrong, by field. @throws any other error */
export function errorsOf(problem: unknown): LabelErrors {
  if (problem instanceof Conflict) return { title: ['There is a label with this title already.'] };
  if (!(problem instanceof InvalidFields)) throw problem;
  const { fields } = problem;
  return {
    title: sentences('The title', fields.title),
    description: sentences('The description', fields.description),
    color: sentences('The color', fields.color),
    priority: sentences('The priority', fields.priority),
  };
}
