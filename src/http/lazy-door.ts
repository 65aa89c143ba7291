import type { Door } from './server.ts';

/** A door that its first request opens, unless it was opened before: what a start doesn't need, it needn't load. */
export interface LazyDoor {
  readonly door: Door;
  /** Opens it now. @throws what `open` throws */
  open(): Promise<unknown>;
}

/** @param open makes the door. Whatever it throws is a defect, and every request's */
export function lazyDoor(open: () => Promise<Door>): LazyDoor {
  let opened: Promise<Door> | undefined;
  const openOnce = () => (opened ??= open());
  return {
    open: openOnce,
    door: async (exchange) => {
      const door = await openOnce();
      return await door(exchange);
    },
  };
}
