import { base, clients } from './vitest.config.ts';

/** Tests that see the gateway from outside: pages in Chromium, foreign clients, and processes with all their starts and ends. */
export default { ...base, test: { ...base.test, include: clients, exclude: [], isolate: false } };
