/** Says that something is chosen and not saved, and asks before it is lost. */

const hint = document.querySelector<HTMLElement>('[data-unsaved]')!;
const form = hint.closest('form')!;
// A form that came back holds what isn't saved from the beginning.
const cameBack = !hint.hidden;
let leaving = false;

const differs = (control: Element): boolean =>
  (control instanceof HTMLSelectElement &&
    [...control.options].some((option) => option.selected !== option.defaultSelected)) ||
  (control instanceof HTMLInputElement && control.type === 'checkbox' && control.checked !== control.defaultChecked);

function look(): void {
  hint.hidden = !cameBack && ![...form.elements].some(differs);
}

form.addEventListener('change', look);
// Going back in the history, a browser may fill in what was chosen before.
addEventListener('pageshow', () => {
  leaving = false;
  look();
});
form.addEventListener('submit', () => (leaving = true));
addEventListener('beforeunload', (event) => {
  if (!hint.hidden && !leaving) event.preventDefault();
});
