import type { Door } from './server.ts';

/**
 * A door that its first request opens: what a start doesn't need, it needn't load.
 * @param open makes the door. Whatever it throws is a defect, and every request's
 */
export function openedLater(open: () => Promise<Door>): Door {
  let opened: Promise<Door> | undefined;
  return async (exchange) => {
    const door = await (opened ??= open());
    await door(exchange);
  };
}
