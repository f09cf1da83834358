import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: import.meta.dirname + '/..',
  test: {
    include: ['test/unit/**/*.test.ts'],
    globalSetup: ['test/temporaryFolder.ts'],
    pool: 'forks',
    // Much of the time goes into other processes: two workers use two cores, where one would leave them idle.
    poolOptions: { forks: { minForks: 1, maxForks: 2 } },
    testTimeout: 20_000,
  },
});
