import type { Choice } from './forms.tsx';
import { grantName, grantSays, scopeSays } from '../words.ts';

/** What the boxes of a list have in common. */
interface Boxes {
  /** What the names of the boxes begin with; `ticked` reads them by it. */
  readonly prefix: string;
  readonly offered: readonly string[];
  readonly chosen: readonly string[];
  /** Whether each box has its description; not in a grid. */
  readonly described?: boolean;
}

/** A check box for each scope. */
export const scopeChoices = ({ prefix, offered, chosen, described = true }: Boxes): Choice[] =>
  offered.map((scope) => ({
    name: prefix + scope,
    label: <code>{scope}</code>,
    ...(described && { says: scopeSays(scope) }),
    chosen: chosen.includes(scope),
  }));

/** A check box for each grant. */
export const grantChoices = ({ prefix, offered, chosen, described = true }: Boxes): Choice[] =>
  offered.map((grant) => ({
    name: prefix + grant,
    label: grantName(grant),
    ...(described && { says: grantSays(grant) }),
    chosen: chosen.includes(grant),
  }));
