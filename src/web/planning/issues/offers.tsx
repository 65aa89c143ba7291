import { Choices, EnterSends, SelectField, TextField } from '../../site/forms/forms.tsx';
import { LabelChip } from '../labels/chip.tsx';
import { mostOffered, type Offered, type Searchable } from './offered.ts';

/** The fields of a form for the milestone and the labels, with a search where there are more than it offers. */

interface OffersProps {
  readonly offered: Pick<Offered, 'labels' | 'milestones' | 'more' | 'found' | 'sought'>;
  readonly draft: { readonly labels: readonly string[]; readonly milestone: string };
  readonly errors?: { readonly milestone?: readonly string[] | undefined } | undefined;
}

export function Offers({ offered, draft, errors }: OffersProps) {
  const { labels, milestones } = offered;
  return (
    <>
      <Find of="milestones" offered={offered} />
      <SelectField
        name="milestone"
        label="Milestone"
        value={draft.milestone}
        errors={errors?.milestone}
        options={[
          { value: '', label: 'None' },
          ...milestones.map(({ id, title }) => ({ value: String(id), label: title })),
        ]}
      />
      <Find of="labels" offered={offered} />
      {labels.length > 0 && (
        <Choices
          name="labels"
          label="Labels"
          grid
          choices={labels.map((label) => ({
            name: `label.${label.id}`,
            label: <LabelChip label={label} />,
            chosen: draft.labels.includes(String(label.id)),
          }))}
        />
      )}
    </>
  );
}

const hasSearch = ({ more, sought }: OffersProps['offered'], of: Searchable) => more[of] || sought[of] !== '';

/** The button that Enter presses in a form with a search, whose own button would come first otherwise. */
export function SavedByEnter({ offered, does }: Pick<OffersProps, 'offered'> & { readonly does: string }) {
  if (!hasSearch(offered, 'labels') && !hasSearch(offered, 'milestones')) return null;
  return <EnterSends does={does} />;
}

/** A search among the labels or the milestones. It sends the form, which comes back as it was, with what was found. */
function Find({ of, offered }: Pick<OffersProps, 'offered'> & { readonly of: Searchable }) {
  if (!hasSearch(offered, of)) return null;
  const { more, found, sought } = offered;
  const words = sought[of];
  return (
    <div class="filters">
      <TextField
        name={`find_${of}`}
        label={`Find ${of}`}
        type="search"
        value={words}
        hint={words === '' ? `The first ${mostOffered} are below.` : resultText(found[of], more[of])}
        focused={sought.last === of}
      />
      <input type="hidden" name={`found_${of}`} value={words} />
      <button class="button" name="find" value={of} formnovalidate>
        Find <span class="hidden">{of}</span>
      </button>
    </div>
  );
}

const resultText = (found: number, more: boolean) =>
  `${more ? `More than ${found} match. The first of them are below.` : found === 0 ? 'None matches.' : found === 1 ? 'One matches.' : `${found} match.`} Nothing is saved yet.`;
