/**
 * Replaces `react-style-singleton`, with which GraphiQL's dialogs and menus lock the
 * page's scrolling. Its style elements need `unsafe-inline` in the content security
 * policy. The page doesn't need the lock: it is as high as the window and doesn't scroll.
 */
export const styleSingleton = () => () => null;
