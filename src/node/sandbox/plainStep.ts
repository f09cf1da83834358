import type { PlainStep, StepResult } from '../../shared/hostProtocol';

const EMPTY_INFO = { type: 'dict', repr: '{}', json: {} } as const;
const YES = { type: 'bool', repr: 'True', number: 1, json: true } as const;
const NO = { type: 'bool', repr: 'False', number: 0, json: false } as const;

/** A step that crossed in short, in full. */
export function inFull([text, reward, end, ms, info = EMPTY_INFO]: PlainStep, action: string): StepResult {
  const number = Number(reward);
  return {
    kind: 'step', action, observation: { type: 'str', text, length: text.length, cut: false },
    reward: { type: /^-?\d+$/.test(reward) ? 'int' : 'float', repr: reward, number, json: number },
    terminated: end === 't' || end === 'b' ? YES : NO, truncated: end === 'u' || end === 'b' ? YES : NO, info, shape: null, ms,
  };
}
