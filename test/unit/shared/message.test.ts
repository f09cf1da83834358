import { describe, expect, it } from 'vitest';
import { formatMessage, message } from '../../../src/shared/message';

describe('formatMessage', () => {
  it('fills named placeholders and leaves unknown ones', () => {
    expect(formatMessage(message('{a} of {b}, {c}', { a: 1, b: 'two' }))).toBe('1 of two, {c}');
  });

  it('does not expand placeholders that an argument brings', () => {
    expect(formatMessage(message('saw {text}', { text: '{text}{other}' }))).toBe('saw {text}{other}');
  });
});
