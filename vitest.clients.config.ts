import { base, clients } from './vitest.config.ts';

/** Tests of what Debian packages: pages in Chromium, and foreign clients, apart from those that need no more than `npm ci`. */
export default { ...base, test: { ...base.test, include: clients, exclude: [], isolate: false } };
