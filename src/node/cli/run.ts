import { message } from '../../shared/message';
import { UsageError, type Command } from './context';
import { showRunAction } from './runShow';
import { linkModuleAction } from './runLinkModule';
import { jobsAction, processesAction } from './runSources';

const ACTIONS: Readonly<Record<string, Command['run']>> = { show: showRunAction, processes: processesAction, jobs: jobsAction, 'link-module': linkModuleAction };

export const runCommand: Command = {
  name: 'run',
  summary: 'a linked run: games, rejects, hints, memory, whether it is live; where its launch flags can be read; how its link module is added',
  usage: [
    'run show DIR [--launcher FILE | --pid N | --ray URL [--job ID]] [--workspace DIR]',
    'run processes',
    'run jobs [--ray URL]',
    'run link-module',
  ].join('\n  '),
  run([action = '', ...rest], context) {
    const run = ACTIONS[action];
    if (!run) throw new UsageError(message('run knows the actions {actions}.', { actions: Object.keys(ACTIONS).join(', ') }));
    return run(rest, context);
  },
};
