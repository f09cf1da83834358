import { message } from '../../../shared/message';
import { INJECTED } from '../../environment/injected';
import type { PythonFile } from '../../environment/pythonFile';
import type { FindingDraft } from '../check';
import { fix, importOffset, insert, newline } from './fixes';

/** `relies-on-injected-name`: a name that only the run's own namespace provides; one finding a name, at its first use. */
export function reliesOnInjectedName(file: PythonFile): FindingDraft[] {
  if (file.names.open) return [];
  const drafts = new Map<string, FindingDraft>();
  for (const use of file.names.unbound()) {
    const statement = INJECTED.get(use.text);
    if (statement === undefined || drafts.has(use.text)) continue;
    drafts.set(use.text, {
      range: file.range(use),
      message: message('{name} is not imported. It works in the run, which puts the name there, and nowhere else: tests and other tools fail. Add "{statement}".', { name: use.text, statement }),
      fix: fix(message('Add "{statement}"', { statement }), insert(file, importOffset(file), statement + newline(file))),
    });
  }
  return [...drafts.values()];
}
