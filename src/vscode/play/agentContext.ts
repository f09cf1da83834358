import { Emitter, type Disposable } from '../../core/lifecycle';
import type { ModelSource } from '../models/modelSource';
import type { NodePorts } from '../nodePorts';
import { onSettingChange } from '../settings';

/** The length of the agent's context, known only where its server says so. Asked quietly, when a player first shows it. */
export class AgentContext implements Disposable {
  private readonly changes = new Emitter<void>();
  readonly onDidChange = this.changes.event;
  private readonly stopper = new AbortController();
  private readonly following: Disposable;
  private asked = false;
  private tokens: number | null = null;

  constructor(private readonly models: Pick<ModelSource, 'quietSetup'>, private readonly ports: Pick<NodePorts, 'contextOf'>, private readonly onDefect: (error: unknown) => void) {
    this.following = onSettingChange(['model.provider', 'model.endpoint', 'model.name', 'model.profiles'], () => {
      this.asked = false;
      this.tokens = null;
      this.changes.fire();
    });
  }

  /** Tokens; null when they are not known, or not yet. */
  get length(): number | null {
    if (!this.asked) {
      this.asked = true;
      void this.ask().catch(this.onDefect);
    }
    return this.tokens;
  }

  dispose(): void {
    this.following.dispose();
    this.stopper.abort();
    this.changes.dispose();
  }

  private async ask(): Promise<void> {
    const setup = await this.models.quietSetup('agent');
    if (!setup) return;
    this.tokens = await this.ports.contextOf(setup, this.stopper.signal);
    if (this.tokens !== null) this.changes.fire();
  }
}
