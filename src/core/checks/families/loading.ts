import { message } from '../../../shared/message';
import type { Family } from '../check';
import * as probesRobustness from '../probe/rules/robustness';
import * as probesSafety from '../probe/rules/safety';
import * as probesLoading from '../probe/rules/loading';
import { syntaxError } from '../static/syntax';
import { badConstructor, loaderPicksFirst, missingMethod, noEnvClass } from '../static/loader';
import { reliesOnInjectedName } from '../static/injectedNames';
import { missingDependency } from '../static/packages';

/** What the run's loader needs before it can make one step. */
export const loading: Family = {
  id: 'loading',
  title: message('Loading'),
  checks: [
    {
      id: 'syntax-error', severity: 'error', stages: ['static', 'probe'], profiles: [], fixes: false,
      title: message('The file is not valid Python for the selected interpreter'),
      whenBroken: true,
      static: syntaxError,
    },
    {
      id: 'no-env-class', severity: 'error', stages: ['static'], profiles: [], fixes: false,
      title: message('No class whose name ends in Env'),
      static: noEnvClass,
    },
    {
      id: 'loader-picks-first-env-class', severity: 'error', stages: ['static'], profiles: [], fixes: true,
      title: message('The run would pick another callable than the real environment'),
      static: loaderPicksFirst,
    },
    {
      id: 'missing-method', severity: 'error', stages: ['static'], profiles: [], fixes: false,
      title: message('reset or step is missing'),
      static: missingMethod,
    },
    {
      id: 'bad-constructor', severity: 'error', stages: ['static', 'probe'], profiles: [], fixes: false,
      title: message('The class cannot be built as the run builds it'),
      static: badConstructor,
      probe: probesLoading.badConstructor,
    },
    {
      id: 'init-raises', severity: 'error', stages: ['probe'], profiles: [], fixes: false,
      title: message('The constructor raises'),
      probe: probesRobustness.initRaises,
    },
    {
      id: 'relies-on-injected-name', severity: 'info', stages: ['static'], profiles: [], fixes: true,
      title: message('Works only because the run injects a name'),
      static: reliesOnInjectedName,
    },
    {
      id: 'missing-dependency', severity: 'warning', stages: ['static', 'probe'], profiles: [], fixes: false,
      title: message('An import is not available to the selected interpreter'),
      static: missingDependency,
      probe: probesLoading.missingDependency,
    },
    {
      id: 'import-side-effects', severity: 'warning', stages: ['probe'], profiles: [], fixes: false,
      title: message('Importing the file does work, prints or changes global state'),
      probe: probesSafety.importSideEffects,
    },
  ],
};
