import { base } from './vitest.config.ts';

/** Tests of foreign clients that Debian packages, apart from those that need no more than `npm ci`. */
export default { ...base, test: { ...base.test, include: ['test/clients/**/*.test.ts'], exclude: [] } };
