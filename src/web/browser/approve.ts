/**
 * Clickjacking protection for a button that grants access (`data-arms`). The button
 * works only after its window has been in front for a while, and only for a press
 * that begins after that. It ignores a key that was held down when the window opened,
 * and the second click of a double click that began in another window.
 */

/** Milliseconds that the window must have been in front. */
const wait = 1_000;

let armed = false;
let fresh = false;
let timer: ReturnType<typeof setTimeout> | undefined;

const buttons = () => document.querySelectorAll<HTMLButtonElement>('button[data-arms]');

/** Not `disabled`: a button that is can't be reached by key, and loses the focus. */
function show(): void {
  for (const button of buttons()) button.setAttribute('aria-disabled', String(!armed));
}

function arm(): void {
  armed = true;
  show();
}

function disarm(): void {
  armed = false;
  fresh = false;
  show();
  clearTimeout(timer);
  if (document.visibilityState === 'visible') timer = setTimeout(arm, wait);
}

function freshen(event: PointerEvent | KeyboardEvent): void {
  if (armed && event.isTrusted && !('repeat' in event && event.repeat)) fresh = true;
}

addEventListener('pointerdown', freshen, true);
addEventListener('keydown', freshen, true);
addEventListener('focus', disarm);
addEventListener('pageshow', disarm);
document.addEventListener('visibilitychange', disarm);
document.addEventListener('DOMContentLoaded', disarm);
document.addEventListener('submit', (event) => {
  if (event.submitter?.hasAttribute('data-arms') && !(armed && fresh)) event.preventDefault();
});
