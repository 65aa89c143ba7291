import type { ComponentChildren } from 'preact';
import type { CsrfTokens } from '../csrf.ts';
import { Form } from './forms.tsx';

interface PasskeyFormProps {
  readonly csrf: CsrfTokens;
  readonly action: string;
  /** What the page hands to the browser, as JSON. */
  readonly options: string;
  /** Whether the browser makes a passkey, instead of using one. */
  readonly creates?: boolean;
  readonly once?: boolean;
  readonly carries?: Readonly<Record<string, string | undefined>>;
  readonly errors?: readonly string[] | undefined;
  readonly children: ComponentChildren;
}

/** A form that a passkey fills in. It is hidden until `passkey.js` finds that the browser can. */
export function PasskeyForm({ options, creates, errors = [], carries, children, ...form }: PasskeyFormProps) {
  return (
    <div class="passkey" hidden data-passkey={creates ? 'create' : 'get'} data-options={options}>
      <Form {...form} carries={{ ...carries, passkey: '' }}>
        {children}
      </Form>
      <p role="alert">{errors.join(' ')}</p>
    </div>
  );
}

/** Says where passkeys need a script that this browser doesn't run. */
export function PasskeysNeedScript({ children }: { readonly children: ComponentChildren }) {
  return (
    <noscript>
      <p class="hint">{children}</p>
    </noscript>
  );
}
