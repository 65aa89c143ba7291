/**
 * Turns GraphiQL's tabs into a list of buttons. GraphiQL nests buttons in elements
 * with the role `tab`, which hides them from screen readers.
 */
export function makeTabsAccessible(root: HTMLElement): void {
  const tidy = () => {
    for (const list of root.querySelectorAll('[role=tablist]')) list.setAttribute('role', 'list');
    for (const tab of root.querySelectorAll('[role=tab]')) {
      tab.setAttribute('role', 'listitem');
      // Without tabs there is no tab panel.
      for (const panel of root.querySelectorAll('[role=tabpanel]')) panel.setAttribute('role', 'group');
    }
    for (const tab of root.querySelectorAll('[role=listitem][aria-selected]')) {
      tab.querySelector('button')?.setAttribute('aria-current', tab.getAttribute('aria-selected')!);
      tab.removeAttribute('aria-selected');
    }
  };
  new MutationObserver(tidy).observe(root, {
    subtree: true,
    childList: true,
    attributeFilter: ['role', 'aria-selected'],
  });
}
