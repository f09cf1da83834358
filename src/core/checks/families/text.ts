import { message } from '../../../shared/message';
import type { Family } from '../check';
import { boxPatternBites } from '../probe/rules/boxPatterns';
import * as probesLoading from '../probe/rules/loading';
import { backspaceInBoxed, fstringUnescapedBrace } from '../static/text';

/** Braces, escapes and patterns around the boxed answer. */
export const text: Family = {
  id: 'text',
  title: message('Text'),
  checks: [
    {
      id: 'fstring-unescaped-brace', severity: 'error', stages: ['static', 'probe'], profiles: [], fixes: true,
      title: message('A literal brace in an f-string is not doubled'),
      whenBroken: true,
      static: fstringUnescapedBrace,
      probe: probesLoading.fstringUnescapedBrace,
    },
    {
      id: 'backspace-escape-in-boxed', severity: 'warning', stages: ['static'], profiles: ['s', 'm', 'c'], fixes: true,
      title: message('"\\boxed" in a plain string is a backspace'),
      whenBroken: true,
      static: backspaceInBoxed,
    },
    {
      id: 'boxed-regex-cuts-nested-braces', severity: 'warning', stages: ['static'], profiles: ['s', 'm', 'c'], fixes: false,
      title: message('The box pattern stops at the first closing brace'),
      probe: boxPatternBites,
    },
  ],
};
