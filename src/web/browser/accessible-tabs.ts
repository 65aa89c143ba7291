/**
 * GraphiQL gives its tabs the role `tab` and puts buttons into them, which that
 * role hides from those who don't see the page. As a list of buttons they can be
 * reached, and closed.
 */
export function keepTabsAccessible(root: HTMLElement): void {
  const tidy = () => {
    for (const list of root.querySelectorAll('[role=tablist]')) list.setAttribute('role', 'list');
    for (const tab of root.querySelectorAll('[role=tab]')) {
      tab.setAttribute('role', 'listitem');
      // It isn't the panel of a tab any more either.
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
