import type { Store } from './store.ts';
export async function profile(_store: Store, _name: string, _root: string, _tell: (message: string) => void): Promise<void> {}
