/** Puts a button below password fields that shows what is typed, and says of new ones how hard they are to guess. */

import { passwordLength } from '../../values/text/passwords.ts';
import './zone.ts';

/** The address of `strength.ts`. */
const judgement = document.currentScript?.dataset.judgement;
let isLoading = false;

for (const field of document.querySelectorAll<HTMLInputElement>('input[type="password"]')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  const show = (shown: boolean) => {
    field.type = shown ? 'text' : 'password';
    button.textContent = shown ? 'Hide' : 'Show';
    button.setAttribute('aria-pressed', String(shown));
  };
  button.setAttribute('aria-label', 'Show what is typed');
  button.addEventListener('click', () => {
    show(field.type === 'password');
    field.focus();
  });
  show(false);
  const beside = field.closest('label') ?? field;
  beside.after(button);
  // A password isn't sent as a text field, which browsers would remember.
  field.form?.addEventListener('submit', () => show(false));
  if (field.autocomplete === 'new-password') meter(field, button);
}

/** A meter of how hard a new password is to guess. It says what the server will say. */
function meter(field: HTMLInputElement, after: HTMLElement): void {
  const bar = document.createElement('meter');
  Object.assign(bar, { min: 0, max: 20, low: passwordLength.least, high: 14, optimum: 20, value: 0 });
  bar.setAttribute('aria-hidden', 'true');
  const said = document.createElement('span');
  said.className = 'hint';
  said.setAttribute('role', 'status');
  const line = document.createElement('p');
  line.className = 'strength';
  line.append(bar, said);
  after.after(line);
  const update = () => {
    const [value, words] = judged(field.value, knownOf(field));
    bar.value = value;
    said.textContent = words;
  };
  field.addEventListener('input', () => {
    loadJudgement(update);
    update();
  });
}

/** The words of a judgement, and how far the meter shows it. */
function judged(password: string, known: readonly string[]): [value: number, words: string] {
  const { length } = password;
  if (length === 0) return [0, ''];
  if (length < passwordLength.least) return [length, `${passwordLength.least - length} more`];
  if (length > passwordLength.most) return [passwordLength.least, `${length - passwordLength.most} too many`];
  const strength = window.strengthOf?.(password, known);
  if (!strength) return [passwordLength.least, 'Long enough.'];
  if (strength.why === 'personal')
    return [5, 'Easy to guess: it is made of your name, your address, or that of this site.'];
  if (strength.why === 'common') return [5, 'Easy to guess: many people choose it, or something like it.'];
  return strength.score === 2 ? [12, 'Good enough. Several words are better.'] : [20, 'Hard to guess.'];
}

/** Facts that a password must not be made of: what the page says of the person, what they typed, and the site. */
const knownOf = ({ form, dataset }: HTMLInputElement): string[] => [
  ...(dataset.known?.split('\n') ?? []),
  ...['username', 'name', 'email'].flatMap((name) => {
    const other = form?.elements.namedItem(name);
    return other instanceof HTMLInputElement ? other.value : [];
  }),
  'Causeway',
  location.host,
];

/** Loads the lists of common passwords, once. @param then called when they are there */
function loadJudgement(then: () => void): void {
  if (!judgement || isLoading) return;
  isLoading = true;
  const script = document.createElement('script');
  script.src = judgement;
  script.addEventListener('load', then);
  document.head.append(script);
}
