import { browserSupportsWebAuthn, startAuthentication, startRegistration } from '@simplewebauthn/browser';

/**
 * Forms that a passkey fills in (`data-passkey`). A press asks the browser for the passkey; its answer goes into a hidden
 * field, and the form is sent as any other. Where browser or device can't, the form stays hidden.
 */

for (const box of document.querySelectorAll<HTMLElement>('[data-passkey]')) if (browserSupportsWebAuthn()) offer(box);

function offer(box: HTMLElement): void {
  const form = box.querySelector('form')!;
  const field = form.querySelector<HTMLInputElement>('input[name="passkey"]')!;
  const button = form.querySelector<HTMLButtonElement>('button')!;
  const said = box.querySelector<HTMLElement>('[role="alert"]')!;
  const optionsJSON = JSON.parse(box.dataset.options!);
  box.hidden = false;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    said.textContent = '';
    button.disabled = true;
    const asked =
      box.dataset.passkey === 'create' ? startRegistration({ optionsJSON }) : startAuthentication({ optionsJSON });
    asked
      .then((answer) => {
        field.value = JSON.stringify(answer);
        form.submit();
      })
      .catch((problem: Error) => {
        said.textContent = reasonOf(problem);
      })
      .finally(() => {
        button.disabled = false;
      });
  });
}

/** What the browser says of a failure is for developers, so this says what to do. */
function reasonOf({ name }: Error): string {
  if (name === 'InvalidStateError') return 'This device has a passkey for your account already.';
  if (name === 'NotAllowedError' || name === 'AbortError')
    return 'No passkey was given. Try again, or choose another way.';
  if (name === 'NotSupportedError') return 'This device can’t make a passkey. Use another one.';
  return 'That didn’t work. Load the page again, or choose another way.';
}
