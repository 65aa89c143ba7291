import type { Page } from 'playwright-core';

/**
 * The links, buttons and fields of a page that are less than 24 pixels high or wide, with their size. Links in the middle of
 * text are left out, as in WCAG 2.5.8. That rule, which axe checks, also passes a small target with space around it; but a
 * thumb finds a larger one.
 */
export const smallTargets = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const least = 23.9;

    /** What a press on an element hits: the label of a box too. */
    const targetOf = (element: HTMLElement) =>
      (element.matches('[type=checkbox], [type=radio]') && element.closest('label')) || element;

    /** Whether a link is part of a text: its paragraph has words outside of links. */
    function isInText(link: HTMLElement): boolean {
      if (getComputedStyle(link).display !== 'inline') return false;
      let block = link.parentElement!;
      while (getComputedStyle(block).display === 'inline') block = block.parentElement!;
      const rest = block.cloneNode(true) as HTMLElement;
      for (const part of rest.querySelectorAll('a, button, .hidden')) part.remove();
      return rest.textContent.trim() !== '';
    }

    const all = 'a[href], button, input:not([type=hidden], :disabled), select, textarea, summary';
    return [...document.querySelectorAll<HTMLElement>(all)].flatMap((element) => {
      if (!element.checkVisibility({ visibilityProperty: true }) || element.closest('.hidden')) return [];
      // The field of an editor is hidden; a press anywhere on the editor gives it the focus.
      if (element.closest('.CodeMirror')) return [];
      const { width, height } = targetOf(element).getBoundingClientRect();
      const isSmall = Math.min(width, height) < least;
      // Links to the content of the page show themselves with the focus.
      if (!isSmall || height <= 1 || isInText(element)) return [];
      return [`${Math.round(width)} × ${Math.round(height)}: ${element.outerHTML.slice(0, 120)}`];
    });
  });
