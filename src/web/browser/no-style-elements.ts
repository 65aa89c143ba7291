/**
 * Replaces `react-style-singleton`, with which GraphiQL's dialogs and menus lock the
 * page's scrolling. Its style elements need `unsafe-inline` in the content security
 * policy, and a page as high as the window doesn't scroll.
 */
export const styleSingleton = () => () => null;
