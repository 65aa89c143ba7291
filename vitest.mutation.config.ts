import { mergeConfig } from 'vitest/config';
import base from './vitest.config.ts';

/** Only what runs in this process and reaches the engine: a mutant lives in here, not in a built bundle. */
export default mergeConfig(base, {
  test: {
    exclude: [
      'test/**/*.browser.test.ts',
      'test/first-start.test.ts',
      'test/embedded-postgres.test.ts',
      'test/migrations.test.ts',
      'test/pages*.test.ts',
      'test/robustness.test.ts',
      'test/contract.test.ts',
      'test/oauth-races.test.ts',
      'test/oauth-model.test.ts',
      'test/*-over-rest.test.ts',
      'test/one-path.test.ts',
      'test/stock-clients.test.ts',
      'test/graphql-door.test.ts',
      'test/notification-settings-over-graphql.test.ts',
    ],
  },
});
