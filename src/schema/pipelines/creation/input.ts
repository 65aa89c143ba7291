import { InvalidFields } from '../../../errors.ts';
import { tooLong } from '../../../values/text/lengths.ts';
import { builder } from '../../engine/builder.ts';
import { VariableTypeEnum } from '../variables/types.ts';
import { refused } from './refused.ts';

export const VariableInput = builder.inputType('CiVariableInput', {
  description: 'A variable that someone gives a pipeline or a job.',
  fields: (t) => ({
    key: t.string({ required: true, description: 'Letters, digits and `_`.' }),
    value: t.string({ required: true }),
    variableType: t.field({ type: VariableTypeEnum, defaultValue: 'env_var' }),
    raw: t.boolean({ defaultValue: false, description: 'Whether `$NAME` in the value stays as it is.' }),
  }),
});

/** A variable that someone gives a pipeline. */
export interface GivenVariable {
  readonly key: string;
  readonly value: string;
  readonly kind: 'env_var' | 'file';
  readonly raw?: boolean;
}

const most = 500;
/** Bytes of all of them. */
const largest = 2 ** 20;

/** @throws InvalidFields */
export function checkVariables(variables: readonly { readonly key: string; readonly value: string }[]): void {
  if (variables.length > most) throw refused(`Maximum number of pipeline variables (${most}) exceeded`);
  const seen = new Set<string>();
  const twice: string[] = [];
  let size = 0;
  for (const { key, value } of variables) {
    if (!/^\w{1,255}$/.test(key))
      throw new InvalidFields({
        variables: [`key ${key.length > 255 ? tooLong(255) : "can contain only letters, digits and '_'."}`],
      });
    if (seen.has(key)) twice.push(key);
    seen.add(key);
    size += Buffer.byteLength(value);
  }
  if (twice.length > 0) throw new InvalidFields({ variables: [`have duplicate values (${twice.join(', ')})`] });
  if (size > largest) throw refused(`Pipeline variables are too large (maximum is ${largest} bytes)`);
}
