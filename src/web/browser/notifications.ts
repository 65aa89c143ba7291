/** Shows a hint while the form has unsaved changes, and asks before they are lost. */

const hint = document.querySelector<HTMLElement>('[data-unsaved]')!;
const form = hint.closest('form')!;
// A form with errors or a restored draft has unsaved changes from the start.
const unsavedFromStart = !hint.hidden;
let leaving = false;

const differs = (control: Element): boolean =>
  (control instanceof HTMLSelectElement &&
    [...control.options].some((option) => option.selected !== option.defaultSelected)) ||
  (control instanceof HTMLInputElement && control.type === 'checkbox' && control.checked !== control.defaultChecked);

function updateHint(): void {
  hint.hidden = !unsavedFromStart && ![...form.elements].some(differs);
}

form.addEventListener('change', updateHint);
// After Back, a browser may fill in earlier choices.
addEventListener('pageshow', () => {
  leaving = false;
  updateHint();
});
form.addEventListener('submit', () => (leaving = true));
addEventListener('beforeunload', (event) => {
  if (!hint.hidden && !leaving) event.preventDefault();
});
