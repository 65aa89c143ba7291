import type { Door } from './server.ts';

/** A door that is loaded on the first request for it, or by `open`: the start needn't load it. */
export interface LazyDoor {
  readonly door: Door;
  /** Loads the door now. @throws what `open` throws */
  open(): Promise<unknown>;
}

/** @param open creates the door. If it throws, that is a defect, and every request to the door fails */
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
