/**
 * Stands in for `react-style-singleton`, through which GraphiQL's dialogs and
 * menus lock the page's scrolling. Its style elements would need a content
 * security policy with `unsafe-inline`, and a page as high as the window has
 * nothing to lock.
 */
export const styleSingleton = () => () => null;
