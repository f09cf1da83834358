import { Emitter } from '../../core/lifecycle';
import type { PlayReport } from '../../shared/play';

/** A finished set of plays, and the text of the file that was played. */
export interface PlayResult {
  readonly report: PlayReport;
  /** Whether a hint could change anything for who played. */
  readonly usesHint: boolean;
  readonly text: string;
}

/** The last plays of each file. They stand only for the text that was played. */
export class PlayResults {
  private readonly results = new Map<string, PlayResult>();
  private readonly changes = new Emitter<string>();
  /** The address of a file that has new results. */
  readonly onDidChange = this.changes.event;

  put(uri: string, result: PlayResult): void {
    this.results.set(uri, result);
    this.changes.fire(uri);
  }

  /** The plays of this text; undefined when it was not played, or was edited since. */
  of(uri: string, text: string): PlayReport | undefined {
    const result = this.results.get(uri);
    return result?.text === text ? result.report : undefined;
  }

  /** The last plays of a file, whatever its text is now. */
  latest(uri: string): PlayResult | undefined {
    return this.results.get(uri);
  }

  dispose(): void {
    this.changes.dispose();
  }
}
