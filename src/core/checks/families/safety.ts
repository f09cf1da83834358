import { message } from '../../../shared/message';
import type { Family } from '../check';
import * as probesRobustness from '../probe/rules/robustness';
import * as probesSafety from '../probe/rules/safety';
import { callsInput, networkOrProcess, printsToStdout, readsFileOrEnv } from '../static/safety';
import { actionIsEvaluated } from '../static/evaluated';

/** What a file may not do in the trainer's process. */
export const safety: Family = {
  id: 'safety',
  title: message('Safety'),
  checks: [
    {
      id: 'calls-input', severity: 'error', stages: ['static', 'probe'], profiles: [], fixes: false,
      title: message('The file asks the keyboard for input'),
      static: callsInput,
      probe: probesSafety.callsInput,
    },
    {
      id: 'prints-to-stdout', severity: 'info', stages: ['static', 'probe'], profiles: [], fixes: false,
      title: message('The file prints'),
      static: printsToStdout,
      probe: probesSafety.printsToStdout,
    },
    {
      id: 'reads-file-or-env', severity: 'warning', stages: ['static', 'probe'], profiles: [], fixes: false,
      title: message('The file reads the file system or the environment'),
      static: readsFileOrEnv,
      probe: probesSafety.readsFileOrEnv,
    },
    {
      id: 'network-or-process', severity: 'error', stages: ['static', 'probe'], profiles: [], fixes: false,
      title: message('The file uses the network, processes or threads'),
      static: networkOrProcess,
      probe: probesSafety.networkOrProcess,
    },
    {
      id: 'action-is-evaluated', severity: 'error', stages: ['static'], profiles: [], fixes: false,
      title: message('The text of the agent is evaluated as code'),
      static: actionIsEvaluated,
    },
    {
      id: 'memory-limit', severity: 'error', stages: ['probe'], profiles: [], fixes: false,
      title: message('The environment exceeds the memory limit'),
      probe: probesRobustness.memoryLimit,
    },
    {
      id: 'process-died', severity: 'error', stages: ['probe'], profiles: [], fixes: false,
      title: message('The process died'),
      probe: probesRobustness.processDied,
    },
  ],
};
