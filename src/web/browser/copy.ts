/** Puts a button beside secrets, codes and commands that copies them. Without a script, one click selects all of it. */

import './zone.ts';

const said = document.createElement('span');
said.className = 'hidden';
said.setAttribute('role', 'status');
document.body.append(said);

for (const shown of document.querySelectorAll<HTMLElement>('code.secret, pre.command, ul.recovery-codes')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  button.addEventListener('click', () => void copy(shown, button));
  shown.after(button);
}

async function copy(shown: HTMLElement, button: HTMLButtonElement): Promise<void> {
  // Over plain HTTP, browsers let no script write to the clipboard.
  const isCopied = await navigator.clipboard?.writeText(shown.innerText.trim()).then(
    () => true,
    () => false,
  );
  if (!isCopied) getSelection()?.selectAllChildren(shown);
  button.textContent = isCopied ? 'Copied' : 'Selected';
  said.textContent = isCopied ? 'Copied' : 'Selected. Copy it with the keyboard.';
  setTimeout(() => {
    button.textContent = 'Copy';
    said.textContent = '';
  }, 3_000);
}
