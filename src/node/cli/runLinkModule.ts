import { linkInstall } from '../../core/run/linkInstall';
import type { LinkModuleDocument } from '../../shared/cliDocuments';
import { Args } from './args';
import { EXIT, type Command } from './context';
import { Output } from './output';

/** Shows the command that puts the link module into the environment of a run, and the flag that the run is started with. */
export const linkModuleAction: Command['run'] = (argv, context) => {
  const args = Args.parse(argv, {}, context.cwd);
  const install: LinkModuleDocument = linkInstall(context.pythonFolder);
  new Output(context, args).answer(install, () => [
    'In the environment of the run:', `  ${install.pip}`, 'or', `  ${install.pythonPath}`, 'Start the run with:', `  ${install.flag}`,
    'A failure of the module never stops the run. It answers from the next rollout on; pushes that wait then go through its inbox.',
  ].join('\n'));
  return Promise.resolve(EXIT.fine);
};
