import { DisposableStore, Emitter, type Disposable } from '../../core/lifecycle';
import { DEPLOYED_WEIGHTS } from '../../core/value/designer';
import { message } from '../../shared/message';
import type { LinkedRun } from '../run/linkedRun';
import { onSettingChange, readSetting } from '../settings';
import { PAPER_WEIGHTS, type SourcedWeights } from './valueView';

/** The weights that the figures use: those set by hand, else those that the linked run was launched with, else the paper's. */
export class PlayWeights implements Disposable {
  private readonly owned = new DisposableStore();
  private readonly changes = this.owned.add(new Emitter<void>());
  readonly onDidChange = this.changes.event;
  private ofRun: SourcedWeights | null = null;

  constructor(private readonly run: Pick<LinkedRun, 'settings' | 'onDidChange'>, private readonly onDefect: (error: unknown) => void) {
    this.owned.add(onSettingChange(['play.weights'], () => this.changes.fire()));
    this.owned.add(run.onDidChange(() => void this.read()));
    void this.read();
  }

  get current(): SourcedWeights {
    const byHand = readSetting('play.weights');
    if (!byHand) return this.ofRun ?? PAPER_WEIGHTS;
    const { plateau, regret, regretScale, lo, hi, ramp } = byHand;
    return { weights: { ...DEPLOYED_WEIGHTS, plateau, regret, regretScale, band: { lo, hi, ramp } }, source: message('weights set by hand') };
  }

  dispose(): void {
    this.owned.dispose();
  }

  /** A run that cannot be read says so in its own view; here its weights are then not known. */
  private async read(): Promise<void> {
    try {
      const { blendWeightsOf } = await import('../../core/run/blendWeights');
      const settings = await this.run.settings();
      const weights = settings && blendWeightsOf(settings.launch);
      this.ofRun = weights && { weights, source: message('weights of the linked run') };
    } catch (error) {
      this.ofRun = null;
      this.onDefect(error);
    }
    this.changes.fire();
  }
}
