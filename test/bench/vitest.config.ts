import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: import.meta.dirname + '/../..',
  test: {
    include: ['test/bench/**/*.bench.ts'],
    pool: 'forks',
    fileParallelism: false,
    testTimeout: 600_000,
  },
});
