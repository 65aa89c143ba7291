import type { Page } from 'playwright-core';

/** Finds what Tab should reach, and remembers how it looks without the focus. @returns how many */
const remember = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const all =
      'a[href], button:enabled, input:enabled:not([type=hidden]), select:enabled, textarea:enabled, summary, [tabindex="0"]';
    let count = 0;
    for (const element of document.querySelectorAll<HTMLElement>(all)) {
      // Arrow keys lead to the others of a group.
      const isInGroup = element.matches('[type=radio]:not(:checked)');
      if (isInGroup || element.tabIndex < 0 || !element.checkVisibility({ visibilityProperty: true })) continue;
      const { outlineStyle, boxShadow } = getComputedStyle(element);
      element.dataset['tour'] = `${outlineStyle} ${boxShadow}`;
      count++;
    }
    return count;
  });

/** Presses Tab. @returns what is wrong with what has the focus; null if it had it before */
async function step(page: Page): Promise<string[] | null> {
  await page.keyboard.press('Tab');
  return await page.evaluate(() => {
    const element = document.activeElement as HTMLElement;
    // After the last one the page has the focus, then the first one.
    if (element === document.body) return [];
    if (element.dataset['toured'] !== undefined) return null;
    element.dataset['toured'] = '';
    const wrongs: string[] = [];
    // An editor shows the focus of its hidden field; a card that is a link shows its own.
    const shows = element.closest<HTMLElement>('.CodeMirror') ?? element;
    const { outlineStyle, boxShadow } = getComputedStyle(shows);
    const isSeen =
      shows !== element ||
      `${outlineStyle} ${boxShadow}` !== element.dataset['tour'] ||
      getComputedStyle(element, '::after').outlineStyle === 'solid';
    if (!isSeen) wrongs.push('no visible focus');
    const { left, top, width, height } = shows.getClientRects()[0]!;
    const [x, y] = [left + width / 2, top + height / 2];
    const at = document.elementFromPoint(x, y);
    if (!at) wrongs.push(`outside of the window, at ${Math.round(x)}, ${Math.round(y)}`);
    else if (!shows.contains(at) && !at.contains(shows) && !element.closest('label')?.contains(at))
      wrongs.push(`beneath ${at.outerHTML.slice(0, 80)}`);
    return wrongs.map((wrong) => `${element.outerHTML.slice(0, 120)}: ${wrong}`);
  });
}

/**
 * Goes through a page by Tab alone. @returns what Tab doesn't reach, what doesn't show that it has the focus, and what is
 * hidden while it has it
 */
export async function keyboardTour(page: Page): Promise<string[]> {
  const wrongs: string[] = [];
  const count = await remember(page);
  for (let presses = 0; presses < count + 50; presses++) {
    const found = await step(page);
    if (!found) break;
    wrongs.push(...found);
  }
  const left = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('[data-tour]:not([data-toured])')]
      .filter((element) => element.checkVisibility())
      .map((element) => element.outerHTML.slice(0, 120)),
  );
  return [...wrongs, ...left.map((element) => `Tab doesn’t reach ${element}`)];
}
