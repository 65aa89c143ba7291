import { Moment } from '../../site/records/day.tsx';
import { Choices, Form, SelectField, TextField } from '../../site/forms/forms.tsx';
import type { Site } from '../../site/layout/layout.tsx';
import { Badge } from '../../site/records/records.tsx';
import type { Mistakes } from '../../site/forms/attributes.tsx';

/** What a person says about what they do. */
export interface Status {
  /** The name of an emoji. */
  readonly emoji: string | null;
  readonly message: string | null;
  readonly availability: 'NOT_SET' | 'BUSY';
  readonly clearStatusAt: string | null;
}

export const statusFields = 'status { emoji message availability clearStatusAt }';

export const statusPath = '/profile/status';

interface StatusLineProps {
  readonly status: Status;
  /** The emoji itself. */
  readonly symbol: string | undefined;
}

/** A status on the page of its person. */
export function StatusLine({ status: { emoji, message, availability }, symbol }: StatusLineProps) {
  return (
    <p class="lead">
      <span role="img" aria-label={emoji ?? undefined}>
        {symbol ?? emoji}
      </span>{' '}
      <bdi>{message}</bdi> {availability === 'BUSY' && <Badge tone="caution">Busy</Badge>}
    </p>
  );
}

/** When a status ends, in the words of the page. */
export const clearAfter = {
  THIRTY_MINUTES: '30 minutes',
  THREE_HOURS: '3 hours',
  EIGHT_HOURS: '8 hours',
  ONE_DAY: '1 day',
  THREE_DAYS: '3 days',
  SEVEN_DAYS: '7 days',
  THIRTY_DAYS: '30 days',
} as const;

/** What a person typed. */
export interface StatusDraft {
  readonly emoji: string;
  readonly message: string;
  readonly busy: boolean;
}

interface StatusFormProps {
  readonly site: Site;
  readonly status: Status | null;
  readonly draft?: StatusDraft | undefined;
  readonly mistakes?: Mistakes | undefined;
}

/** The form that sets or removes one's own status. */
export function StatusForm({ site, status, draft, mistakes = {} }: StatusFormProps) {
  const ends = status?.clearStatusAt;
  return (
    <Form csrf={site.visitor!.csrf} action={statusPath}>
      <TextField
        name="emoji"
        label="Emoji"
        hint="An emoji, or its name as in coffee. A speech balloon if there is only a message."
        value={draft?.emoji ?? status?.emoji ?? ''}
        errors={mistakes.emoji}
        technical
      />
      <TextField
        name="message"
        label="What’s your status?"
        hint="At most 100 characters."
        value={draft?.message ?? status?.message ?? ''}
        errors={mistakes.message}
      />
      <Choices
        name="availability"
        label="Availability"
        choices={[
          {
            name: 'busy',
            label: 'Set yourself as busy',
            says: 'Shown beside your name on your public page.',
            chosen: draft?.busy ?? status?.availability === 'BUSY',
          },
        ]}
      />
      <SelectField
        name="clear_status_after"
        label="Remove it after"
        hint={
          ends ? (
            <>
              It ends on <Moment at={ends} />.
            </>
          ) : undefined
        }
        value=""
        options={[
          { value: '', label: ends ? 'As it is now' : 'Never' },
          ...(ends ? [{ value: 'NEVER', label: 'Never' }] : []),
          ...Object.entries(clearAfter).map(([value, label]) => ({ value, label })),
        ]}
      />
      <div class="decision">
        <button class="button primary">Set status</button>
        {status && (
          <button class="button quiet" name="remove" value="on">
            Remove status
          </button>
        )}
      </div>
    </Form>
  );
}
