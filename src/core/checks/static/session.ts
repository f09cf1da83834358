import type { Profile } from '../../../shared/findings';
import { PythonDocument } from '../../environment/pythonDocument';
import type { InterpreterFacts } from '../../environment/pythonFile';
import type { PythonParser } from '../../ports';
import { checkStatically, type StaticJudgement } from './run';

/** What a file is judged by. */
export interface StaticContext {
  /** What the user or provenance says the file is; null to go by the text. */
  readonly profile: Profile | null;
  readonly interpreter: InterpreterFacts | null;
}

/** Most files whose trees are kept for the next edit. */
const KEPT = 32;

/** Static checks of files while they are edited: each file's last tree is kept, so that a keystroke is parsed alone. */
export class StaticSession {
  private readonly documents = new Map<string, PythonDocument>();

  constructor(private readonly parser: PythonParser) {}

  /** @param key what tells files apart, for example their address. */
  check(key: string, text: string, { profile, interpreter }: StaticContext): StaticJudgement {
    const document = this.documents.get(key) ?? new PythonDocument(this.parser);
    this.documents.delete(key);
    this.documents.set(key, document);
    for (const oldest of this.documents.keys()) {
      if (this.documents.size <= KEPT) break;
      this.forget(oldest);
    }
    return checkStatically(document.update(text, interpreter), profile);
  }

  /** Gives up what is kept of a file. */
  forget(key: string): void {
    this.documents.get(key)?.dispose();
    this.documents.delete(key);
  }

  dispose(): void {
    for (const key of [...this.documents.keys()]) this.forget(key);
  }
}
