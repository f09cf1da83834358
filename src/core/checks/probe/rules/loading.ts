import { message } from '../../../../shared/message';
import type { ProbeRule } from '../../check';
import { locateClass, locateMethod } from '../../static/locate';
import { importedModules, missingPackage } from '../../static/packages';
import { fstringName } from '../explained';
import { errorPlace, errorText, found, grouped, nothingFound, tracebackOf } from '../judge';
import { shown } from '../query';
import type { ProbeFacts } from '../facts';
import type { HostError } from '../../../../shared/hostProtocol';

/** Every exception that was met, the one of loading first. */
function errors(facts: ProbeFacts): HostError[] {
  const met = facts.episodes.flatMap(({ failure }) => (failure?.kind === 'raised' ? [failure.error] : []));
  return facts.loadError === null ? met : [facts.loadError, ...met];
}

/** `missing-dependency`: an import is not available to the selected interpreter. */
export const missingDependency: ProbeRule = (facts) => found(
  grouped(errors(facts).filter(({ code }) => code === 'import'), ({ package: name }) => name ?? '').map(([error]) => {
    const module = error!.package ?? '';
    const imported = importedModules(facts.file).find((candidate) => candidate.module === module);
    const draft = missingPackage(facts.file, imported ?? { module, node: facts.file.root, optional: false }, facts.python);
    return { ...draft, range: imported === undefined ? errorPlace(facts.file, error!, '__init__') : draft.range, evidence: { ...draft.evidence, actual: errorText(error!) } };
  }),
);

/** `bad-constructor`: the class cannot be built as the run builds it. */
export const badConstructor: ProbeRule = (facts) => {
  const error = facts.loadError;
  if (error?.code !== 'bad-constructor') return nothingFound;
  return found([{
    range: facts.file.method('__init__') === null ? locateClass(facts.file) : locateMethod(facts.file, '__init__'),
    message: message('The class can be built neither with max_turns alone nor with nothing: {error}. The run builds it in no other way. Give every other parameter a default.', { error: shown(error.message, 200) }),
    evidence: { actual: errorText(error), traceback: tracebackOf(error) },
  }]);
};

/** `fstring-unescaped-brace`: a literal brace in an f-string is not doubled. */
export const fstringUnescapedBrace: ProbeRule = (facts) => {
  const met = errors(facts).flatMap((error) => {
    const name = fstringName(facts.file, error);
    return name === null ? [] : [{ error, name }];
  });
  return found(grouped(met, ({ name, error }) => `${name} ${error.traceback.at(-1)?.line}`).map(([first]) => ({
    range: errorPlace(facts.file, first!.error, 'reset'),
    message: message('The f-string evaluates {brace}, and there is no {name}: {error}. For a literal brace write {doubled}.', {
      brace: `{${first!.name}}`, name: first!.name, error: errorText(first!.error), doubled: `{{${first!.name}}}`,
    }),
    evidence: { actual: errorText(first!.error), traceback: tracebackOf(first!.error) },
  })));
};
