import type { Explored, Explorer } from '../documentation/explore.ts';
import { keepForPage, pageToken } from './token.ts';

/**
 * Lets the person who is signed in explore the API on this page, by one press: the page gets a token of its own, keeps
 * it in memory for an hour at most, and says beside the button as whom it calls.
 */

const path = '/-/explore';

/** What was refused: a credential that was typed, that of the page or none, or what the page may only read. */
type Refused = 'typed' | 'own' | 'change';

/** The event of a call that was refused; its detail is a `Refused`. */
const refusedEvent = 'causeway-refused';

export const noteRefusal = (refused: Refused): void =>
  void dispatchEvent(new CustomEvent(refusedEvent, { detail: refused }));

interface ExplorerOptions {
  /** Where the controls are shown. */
  readonly within: HTMLElement;
  /** Called with the token of the page; undefined when it has none any more. */
  readonly onToken?: (token: string | undefined) => void;
}

export async function showExplorer({ within, onToken }: ExplorerOptions): Promise<void> {
  const found = await readVisitor();
  if (!found) return;
  let visitor = found;
  // With the document of a link, which is behind the `#`.
  const here = `return_to=${encodeURIComponent(location.pathname + location.hash)}`;
  const said = element('span', 'explores');
  said.setAttribute('role', 'status');
  let over: ReturnType<typeof setTimeout> | undefined;

  /** Shows the controls. The focus stays among them: what had it may be gone. */
  function control(...parts: readonly Node[]): void {
    const hadFocus = within.contains(document.activeElement);
    within.replaceChildren(said, ...parts);
    if (hadFocus) within.querySelector<HTMLElement>('a, button')?.focus();
  }

  function use(token: string | undefined): void {
    clearTimeout(over);
    keepForPage(token);
    document.documentElement.classList.toggle('exploring', token !== undefined);
    onToken?.(token);
  }

  async function begin(writes: boolean): Promise<void> {
    if (visitor.person === null) return;
    const body = new URLSearchParams({ form_token: visitor.formToken, ...(writes && { writes: 'on' }) });
    const answer = await fetch(path, { method: 'POST', body }).catch(() => undefined);
    const made = /json/.test(answer?.headers.get('content-type') ?? '')
      ? ((await answer!.json()) as Explored)
      : undefined;
    if (!made) return await startOver('That didn’t work. Try again.');
    if ('confirm' in made) return location.assign(`/users/confirm_password?${here}`);
    use(made.token);
    over = setTimeout(() => stop('The hour is over.'), new Date(made.endsAt).getTime() - Date.now());
    said.textContent = `As ${visitor.person.username}, ${writes ? 'with changes' : 'reading only'}`;
    control(
      ...(writes ? [] : [button('Allow changes', () => begin(true))]),
      button('Stop', () => stop()),
    );
  }

  function stop(text = ''): void {
    use(undefined);
    said.textContent = text;
    offer();
  }

  /** Stops after a refusal: since the page was opened, the person may have signed out, or another one in. */
  async function startOver(text: string): Promise<void> {
    stop(text);
    visitor = (await readVisitor().catch(() => undefined)) ?? visitor;
    stop(visitor.person ? text : 'You are signed out.');
  }

  function offer(): void {
    if (visitor.person) {
      return control(button(`Explore as ${visitor.person.username}`, () => begin(false)));
    }
    const link = element('a', 'button');
    link.href = `/users/sign_in?${here}`;
    link.textContent = 'Sign in to explore as yourself';
    control(link);
  }

  /** Says what to do about a call that was refused. */
  function explainRefusal(refused: Refused): void {
    if (refused === 'change') said.textContent = 'This call changes something: allow changes first.';
    else if (refused === 'typed') said.textContent = 'The token that you typed isn’t valid.';
    else if (pageToken() !== undefined) void startOver('The token of this page is over. Explore again.');
    else if (visitor.person) said.textContent = `This call needs to know you: explore as ${visitor.person.username}.`;
    else said.textContent = 'This call needs a token.';
  }

  offer();
  addEventListener(refusedEvent, (event) => explainRefusal((event as CustomEvent<Refused>).detail));
}

/** Who is signed in; undefined if the gateway doesn’t say. */
async function readVisitor(): Promise<Explorer | undefined> {
  const response = await fetch(path, { headers: { accept: 'application/json' } });
  return response.ok ? ((await response.json()) as Explorer) : undefined;
}

function element<Name extends 'span' | 'a' | 'button'>(name: Name, className: string): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  made.className = className;
  return made;
}

function button(label: string, act: () => void | Promise<void>): HTMLButtonElement {
  const made = element('button', 'button');
  made.type = 'button';
  made.textContent = label;
  made.addEventListener('click', () => void act());
  return made;
}
