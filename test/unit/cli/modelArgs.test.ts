import { describe, expect, it } from 'vitest';
import { Args } from '../../../src/node/cli/args';
import { endpointOf, MODEL_OPTIONS } from '../../../src/node/cli/modelArgs';

const chosen = (...argv: string[]) => endpointOf(Args.parse(argv, MODEL_OPTIONS, '/'), { env: {} });

describe('the flags of a model', () => {
  const named = ['--endpoint', 'http://localhost:8000/v1', '--model', 'm'];
  it('give a slow server its time in seconds, and leave the default alone without', () => {
    expect(chosen(...named, '--model-timeout', '600')).toEqual({ endpoint: 'http://localhost:8000/v1', model: 'm', apiKey: undefined, idleMs: 600_000 });
    expect(chosen(...named)).not.toHaveProperty('idleMs');
  });
  it('refuse a time that is none', () => expect(() => chosen(...named, '--model-timeout', '0')).toThrow(/model-timeout/));
});
