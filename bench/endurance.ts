import type { Store } from './store.ts';
export async function endure(_store: Store, _count: number, _results: string, _tell: (message: string) => void): Promise<void> {}
