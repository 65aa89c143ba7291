import type { Fields } from '../site/forms/fields.ts';
import { SelectField, TextField } from '../site/forms/forms.tsx';

/** Rows of a form for variables that a person gives a pipeline or a job. */

export interface VariableRow {
  readonly key: string;
  readonly value: string;
  readonly kind: 'ENV_VAR' | 'FILE';
}

const fewest = 3;
/** Most rows of a form: scripts give more over the API. */
const most = 50;

/** The rows of a form that was sent. */
export function rowsIn(form: Fields): VariableRow[] {
  const rows: VariableRow[] = [];
  for (let row = 1; row <= most && form[`key_${row}`] !== undefined; row++)
    rows.push({
      key: (form[`key_${row}`] ?? '').trim(),
      // A browser sends line ends as CRLF.
      value: (form[`value_${row}`] ?? '').replaceAll('\r\n', '\n'),
      kind: form[`kind_${row}`] === 'FILE' ? 'FILE' : 'ENV_VAR',
    });
  return rows;
}

/** Those that name a variable. A row with a value alone is one, too: it is refused instead of lost. */
export const filled = (rows: readonly VariableRow[]): VariableRow[] =>
  rows.filter(({ key, value }) => key !== '' || value !== '');

/** Variables in the query of an address, as `var[NAME]=value`. */
export const rowsOfQuery = (query: string): VariableRow[] =>
  [...new URLSearchParams(query)].flatMap(([name, value]) => {
    const key = /^var\[(\w{1,255})\]$/.exec(name)?.[1];
    return key === undefined ? [] : [{ key, value, kind: 'ENV_VAR' as const }];
  });

interface Props {
  readonly rows: readonly VariableRow[];
  /** Whether a variable can be a file. */
  readonly files?: boolean;
}

/** The rows, and some empty ones. */
export function VariableRows({ rows, files = false }: Props) {
  const empty = { key: '', value: '', kind: 'ENV_VAR' } as const;
  const shown = [...filled(rows).slice(0, most), ...Array<VariableRow>(fewest).fill(empty)].slice(0, most);
  return (
    <fieldset class="variables">
      <legend>Variables</legend>
      {shown.map(({ key, value, kind }, index) => {
        const number = index + 1;
        return (
          <div class="variable-row">
            <TextField name={`key_${number}`} label={`Name ${number}`} value={key} technical />
            <TextField name={`value_${number}`} label={`Value ${number}`} value={value} lines={1} technical />
            {files && (
              <SelectField
                name={`kind_${number}`}
                label={`Kind ${number}`}
                value={kind}
                options={[
                  { value: 'ENV_VAR', label: 'Variable' },
                  { value: 'FILE', label: 'File' },
                ]}
              />
            )}
          </div>
        );
      })}
    </fieldset>
  );
}
