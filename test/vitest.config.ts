import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: import.meta.dirname + '/..',
  test: {
    include: ['test/unit/**/*.test.ts'],
    pool: 'forks',
    testTimeout: 20_000,
  },
});
