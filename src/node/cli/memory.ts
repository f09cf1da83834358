import { message } from '../../shared/message';
import { UsageError, type Command } from './context';
import { ledgerAction } from './memoryLedger';
import { previewAction, pushAction } from './memoryPush';
import { removeAction, syncAction } from './memoryQueue';
import { showAction } from './memoryShow';

const ACTIONS: Readonly<Record<string, Command['run']>> = {
  show: showAction, push: pushAction, preview: previewAction, remove: removeAction, sync: syncAction, ledger: ledgerAction,
};

export const memoryCommand: Command = {
  name: 'memory',
  summary: 'the memory of a run: what can be drawn, pushing a record, taking it back, applying what waits',
  usage: [
    'memory show --run DIR | --file F [--max-size N]',
    'memory push|preview --run DIR --file GAME.py --skill S --win-rate X --regret Y [--create] [--rollout N] [--metadata JSON] [--reason TEXT]',
    '            [--game-file PATH] [--max-size N] [--snippet-chars N] [--force] [--ended] [--workspace DIR] [--launcher FILE | --pid N | --ray URL [--job ID]]',
    'memory remove --run DIR --game-file PATH [--ended]',
    'memory sync --run DIR [--ended]',
    'memory ledger [--run DIR] [--out FILE]',
  ].join('\n  '),
  run([action = '', ...rest], context) {
    const run = ACTIONS[action];
    if (!run) throw new UsageError(message('memory knows the actions {actions}.', { actions: Object.keys(ACTIONS).join(', ') }));
    return run(rest, context);
  },
};
