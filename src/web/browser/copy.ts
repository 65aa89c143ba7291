/**
 * Puts a button beside secrets, ids, codes, commands and addresses that copies them. Without a script, one click selects
 * all of a secret or a command.
 */

import './zone.ts';

const said = document.createElement('span');
said.className = 'hidden';
said.setAttribute('role', 'status');
document.body.append(said);

const copied = 'code.secret, code.copyable, pre.command, .markdown pre, ul.recovery-codes, input.technical[readonly]';

for (const shown of document.querySelectorAll<HTMLElement>(copied)) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  button.addEventListener('click', () => void copy(shown, button));
  (shown.closest('label') ?? shown).after(button);
}

async function copy(shown: HTMLElement, button: HTMLButtonElement): Promise<void> {
  // Over plain HTTP, browsers let no script write to the clipboard.
  const text = shown instanceof HTMLInputElement ? shown.value : shown.innerText;
  const isCopied = await navigator.clipboard?.writeText(text.trim()).then(
    () => true,
    () => false,
  );
  if (!isCopied && shown instanceof HTMLInputElement) shown.select();
  else if (!isCopied) getSelection()?.selectAllChildren(shown);
  button.textContent = isCopied ? 'Copied' : 'Selected';
  said.textContent = isCopied ? 'Copied' : 'Selected. Copy it with the keyboard.';
  setTimeout(() => {
    button.textContent = 'Copy';
    said.textContent = '';
  }, 3_000);
}
