import { Form, TextField } from '../../site/forms/forms.tsx';
import type { Site } from '../../site/layout/layout.tsx';

/** What a person typed into a form of time tracking, with what is wrong with it in sentences. */
export interface TimeDraft {
  readonly spent?: string;
  readonly summary?: string;
  readonly estimate?: string;
  readonly errors: {
    readonly spent?: readonly string[];
    readonly summary?: readonly string[];
    readonly estimate?: readonly string[];
  };
}

interface TimeTrackingProps {
  /** Undefined for those who may not change the times. */
  readonly csrf: NonNullable<Site['visitor']>['csrf'] | undefined;
  /** The address of what took the time. */
  readonly path: string;
  readonly of: { readonly humanTimeEstimate: string | null; readonly humanTotalTimeSpent: string | null };
  readonly time: TimeDraft | undefined;
}

/** The estimate, the time spent, and the form to change them. */
export function TimeTracking({ csrf, path, of, time }: TimeTrackingProps) {
  const { humanTimeEstimate: estimate, humanTotalTimeSpent: spent } = of;
  return (
    <>
      <p>
        Estimated: {estimate ?? 'nothing'}
        <br />
        Spent: {spent ?? 'nothing'}
      </p>
      {csrf && (
        <details open={time !== undefined}>
          <summary>Change the times</summary>
          <Form csrf={csrf} action={`${path}/spend`}>
            <TextField
              name="duration"
              label="Add time spent"
              hint="For example 1h 30m; with a minus, it is subtracted."
              value={time?.spent ?? ''}
              errors={time?.errors.spent}
              required
              technical
            />
            <TextField name="summary" label="What was done" value={time?.summary ?? ''} errors={time?.errors.summary} />
            <button class="button">Add</button>
          </Form>
          <Form csrf={csrf} action={`${path}/estimate`}>
            <TextField
              name="estimate"
              label="Estimate"
              hint="For example 2d 4h; 0 removes it."
              value={time?.estimate ?? estimate ?? ''}
              errors={time?.errors.estimate}
              required
              technical
            />
            <button class="button">Save the estimate</button>
          </Form>
        </details>
      )}
    </>
  );
}
