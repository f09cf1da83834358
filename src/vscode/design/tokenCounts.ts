import type { Disposable } from '../../core/lifecycle';
import type { EndpointSetup, NodePorts } from '../nodePorts';
import type { ModelSource } from '../models/modelSource';

/** Pause after a change before the server is asked, in milliseconds. */
const SETTLE_MS = 400;
/** Counts that are kept. */
const MOST = 500;

/** Tokens of texts by the designer's own tokenizer, and the length of its context: asked quietly, and known only where the server says so. */
export class TokenCounts implements Disposable {
  private counts = new Map<string, number>();
  private length: number | null = null;
  private place = '';
  private offered = true;
  private wanted: readonly string[] = [];
  private timer: NodeJS.Timeout | undefined;
  private readonly stopper = new AbortController();

  constructor(private readonly parts: { readonly models: Pick<ModelSource, 'quietSetup'>; readonly ports: Pick<NodePorts, 'countTokens' | 'contextOf'> }, private readonly onDidChange: () => void) {}

  get known(): ReadonlyMap<string, number> {
    return this.counts;
  }

  get context(): number | null {
    return this.length;
  }

  /** Says which texts are shown. */
  want(texts: readonly string[]): void {
    this.wanted = texts;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.ask().catch(() => undefined), SETTLE_MS);
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.stopper.abort();
  }

  private async ask(): Promise<void> {
    const setup = await this.parts.models.quietSetup('designer');
    await this.move(setup);
    if (!setup || !this.offered) return;
    const { signal } = this.stopper;
    for (const text of this.wanted.filter((one) => !this.counts.has(one))) {
      const count = await this.parts.ports.countTokens(setup, text, signal);
      if (count === null) {
        this.offered = false;
        return;
      }
      this.counts.set(text, count);
    }
    for (const text of [...this.counts.keys()].slice(0, Math.max(0, this.counts.size - MOST))) this.counts.delete(text);
    this.onDidChange();
  }

  /** Another model counts otherwise. */
  private async move(setup: EndpointSetup | undefined): Promise<void> {
    const place = JSON.stringify(setup && [setup.endpoint, setup.model]) ?? '';
    if (place === this.place) return;
    [this.place, this.counts, this.length, this.offered] = [place, new Map<string, number>(), null, true];
    this.length = setup ? await this.parts.ports.contextOf(setup, this.stopper.signal) : null;
    this.onDidChange();
  }
}
