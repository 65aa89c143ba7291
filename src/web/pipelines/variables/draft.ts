import { Conflict, InvalidFields } from '../../../errors.ts';
import type { Fields } from '../../site/forms/fields.ts';
import { allSentences } from '../../site/words.ts';
import type { VariableDraft, VariableErrors } from './view.tsx';

export const draftIn = (form: Fields): VariableDraft => ({
  key: (form.key ?? '').trim(),
  value: form.value ?? '',
  variableType: form.variable_type === 'FILE' ? 'FILE' : 'ENV_VAR',
  environmentScope: (form.environment_scope ?? '').trim() || '*',
  description: (form.description ?? '').trim(),
  protected: form.protected !== undefined,
  masked: form.masked !== undefined,
  hidden: form.hidden !== undefined,
  raw: form.raw !== undefined,
});

export const attributesOf = ({ key: _key, value: _value, hidden: _hidden, ...rest }: VariableDraft) => rest;

/** Labels of the fields, for error messages. */
const labels: Readonly<Record<string, string>> = {
  key: 'The name',
  value: 'The value',
  environmentScope: 'The pattern',
  description: 'The description',
};

/** What the schema found wrong, by field. @throws any other error */
export function errorsOf(problem: unknown): VariableErrors {
  if (problem instanceof Conflict) return { key: [problem.message] };
  if (!(problem instanceof InvalidFields)) throw problem;
  return allSentences(problem.fields, labels);
}
