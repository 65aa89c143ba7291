/** Puts a button below password fields that shows what is typed, and tells of new ones how many characters are missing. */

/** As the rule of the server. */
const shortest = 8;

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

/** A meter of the length, which is what the person can do something about; the server refuses what is easy to guess. */
function meter(field: HTMLInputElement, after: HTMLElement): void {
  const bar = document.createElement('meter');
  Object.assign(bar, { min: 0, max: 20, low: shortest, high: 14, optimum: 20, value: 0 });
  bar.setAttribute('aria-hidden', 'true');
  const said = document.createElement('span');
  said.className = 'hint';
  said.setAttribute('role', 'status');
  const line = document.createElement('p');
  line.className = 'strength';
  line.append(bar, said);
  after.after(line);
  field.addEventListener('input', () => {
    const { length } = [...field.value];
    bar.value = length;
    said.textContent =
      length === 0
        ? ''
        : length < shortest
          ? `${shortest - length} more`
          : length < 14
            ? 'Long enough. Several words are better.'
            : 'Good length.';
  });
}
