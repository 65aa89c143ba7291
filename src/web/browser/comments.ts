/**
 * Follows a link to a comment that the page doesn't show, because there are many: to the page that has it. Browsers keep
 * the part of an address after `#` to themselves, so the gateway can't.
 */

import './zone.ts';

const path = document.querySelector<HTMLElement>('[data-comments]')!.dataset.comments!;

function follow(): void {
  const [, note] = /^#note_([1-9]\d*)$/.exec(location.hash) ?? [];
  if (note !== undefined && !document.getElementById(`note_${note}`)) location.replace(`${path}/${note}`);
}

follow();
addEventListener('hashchange', follow);
