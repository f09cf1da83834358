import { message } from '../../../shared/message';
import type { Family } from '../check';
import * as probesTools from '../probe/rules/tools';
import { toolResultRandom } from '../static/randomness';
import { toolNotImplemented, toolSchemaMismatch, undeclaredToolCallable } from '../static/tools';

/** Tools, their schemas, criteria and the expected answer. */
export const tools: Family = {
  id: 'tools',
  title: message('Tool use'),
  checks: [
    {
      id: 'tool-schema-mismatch', severity: 'error', stages: ['static', 'probe'], profiles: ['t', 'u'], fixes: true,
      title: message('The declared parameters differ from the method\'s'),
      static: toolSchemaMismatch,
      probe: probesTools.toolSchemaMismatch,
    },
    {
      id: 'tool-not-implemented', severity: 'error', stages: ['static'], profiles: ['t', 'u'], fixes: false,
      title: message('A declared tool has no method'),
      static: toolNotImplemented,
    },
    {
      id: 'undeclared-tool-callable', severity: 'warning', stages: ['static'], profiles: ['t', 'u'], fixes: false,
      title: message('A tool method is callable but not declared'),
      static: undeclaredToolCallable,
    },
    {
      id: 'execute-tool-bad-return', severity: 'error', stages: ['probe'], profiles: ['t', 'u'], fixes: false,
      title: message('execute_tool returns the wrong shape'),
      probe: probesTools.executeToolBadReturn,
    },
    {
      id: 'expected-answer-unset', severity: 'error', stages: ['probe'], profiles: ['t', 'u'], fixes: false,
      title: message('The expected answer is not set'),
      probe: probesTools.expectedAnswerUnset,
    },
    {
      id: 'tool-result-random', severity: 'error', stages: ['static', 'probe'], profiles: ['t', 'u'], fixes: false,
      title: message('A tool answers differently to the same call'),
      static: toolResultRandom,
      probe: probesTools.toolResultRandom,
    },
    {
      id: 'criterion-raises-at-reset', severity: 'error', stages: ['probe'], profiles: ['u'], fixes: false,
      title: message('A criterion raises on the state that reset builds'),
      probe: probesTools.criterionRaisesAtReset,
    },
    {
      id: 'criterion-already-true-at-reset', severity: 'warning', stages: ['probe'], profiles: ['u'], fixes: false,
      title: message('A criterion holds before anything was done'),
      probe: probesTools.criterionAlreadyTrueAtReset,
    },
    {
      id: 'criterion-never-true', severity: 'warning', stages: ['probe'], profiles: ['u'], fixes: false,
      title: message('Nothing along the solution makes a criterion true'),
      probe: probesTools.criterionNeverTrue,
    },
    {
      id: 'wins-without-tools', severity: 'error', severityIn: { t: 'warning' }, stages: ['probe'], profiles: ['t', 'u'], fixes: false,
      title: message('The episode is won without calling a tool'),
      probe: probesTools.winsWithoutTools,
    },
  ],
};
