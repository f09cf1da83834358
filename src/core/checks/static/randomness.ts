import { message } from '../../../shared/message';
import type { PythonFile } from '../../environment/pythonFile';
import type { SyntaxNode } from '../../environment/syntaxTree';
import type { FindingDraft } from '../check';
import { globalDraws, unseededSources } from './random';
import { reachedFrom } from './reach';

/** Functions that a method reaches, without those that run when `reset` does. */
function ownReach(file: PythonFile, name: string): SyntaxNode[] {
  const reset = file.method('reset')?.node;
  return reachedFrom(file, file.method(name)).filter((definition) => definition !== reset);
}

/** `step-uses-global-rng`: every draw of `step` from a generator that the whole process shares. */
export function stepUsesGlobalRng(file: PythonFile): FindingDraft[] {
  const drawsIn = globalDraws(file);
  const draws = new Set(ownReach(file, 'step').flatMap(drawsIn));
  return [...draws].sort((a, b) => a.start - b.start).map((draw) => ({
    range: file.range(draw),
    message: message('step draws from the generator of the whole process. A run steps many environments in turn, so they disturb each other and a seed does not replay an episode. Keep a generator in the instance: self.rng = random.Random(seed) in reset, and draw from it.'),
  }));
}

/** `tool-result-random`: draws of a tool that no seed of the instance decides. */
export function toolResultRandom(file: PythonFile): FindingDraft[] {
  const drawsIn = globalDraws(file);
  const drafts = new Map<SyntaxNode, FindingDraft>();
  for (const method of file.methods.filter(({ name }) => name.startsWith('tool_'))) {
    for (const definition of ownReach(file, method.name)) {
      for (const draw of [...drawsIn(definition), ...unseededSources(definition)]) {
        drafts.set(draw, {
          range: file.range(draw),
          message: message('{tool} answers by chance: {draw} gives the same call another result each time, and the agent cannot learn from it. Draw it once in reset from the seed, and keep it in the state.', {
            tool: method.name.slice('tool_'.length), draw: draw.child('function')?.text ?? draw.text,
          }),
        });
      }
    }
  }
  return [...drafts.values()];
}
