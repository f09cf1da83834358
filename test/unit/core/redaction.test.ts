import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Redactor } from '../../../src/core/redaction';

describe('the redactor', () => {
  it('takes out every key it was told of, wherever it stands', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[!-~]{6,40}$/), fc.string(), fc.string(), (key, before, after) => {
        const redactor = new Redactor();
        redactor.add(key);
        // The mark itself may be spelled by a key such as "[key]x".
        fc.pre(!'[key]'.includes(key) && !`${before}[key]${after}`.includes(key));
        expect(redactor.redact(`${before}${key}${after}`)).not.toContain(key);
      }),
    );
  });

  it.each([
    ['Authorization: Bearer abcdef123456', 'abcdef123456'],
    ['{"api_key": "s3cr3tvalue"}', 's3cr3tvalue'],
    ['python train.py --wandb-key 0123456789abcdef', '0123456789abcdef'],
    ['https://me:hunter22@host/v1', 'hunter22'],
    ['key sk-proj-abcdefgh12345678 refused', 'abcdefgh12345678'],
  ])('takes out what looks like a key: %s', (text, key) => {
    expect(new Redactor().redact(text)).not.toContain(key);
  });

  it('leaves ordinary text as it is', () => {
    const text = 'step 3: KeyError: "token" at line 12, token limit 8192, tokens: 120';
    expect(new Redactor().redact(text)).toBe(text);
  });
});
