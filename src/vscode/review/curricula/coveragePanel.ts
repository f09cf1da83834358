import * as vscode from 'vscode';
import { KINDS, TRAINED_SKILLS, type DesignKind } from '../../../core/design/skills';
import { EnvwrightError } from '../../../core/errors';
import { DisposableStore, type Disposable } from '../../../core/lifecycle';
import { coveredEntry, coverageOf, coverageTable, difficulties, type Curriculum, type WinRateBand } from '../../../core/review/curriculum';
import { COVERAGE_VIEW_TYPE } from '../../../shared/contributionsReview';
import { message, type Message } from '../../../shared/message';
import { CoverageHost, CoverageView, type CoverageState } from '../../../shared/webviewCoverage';
import { translations } from '../../panels/translations';
import { openPage, webviewOptions } from '../../panels/webviewPage';
import type { Sets } from './sets';

const BANDS: Readonly<Record<WinRateBand, Message>> = {
  'not-played': message('not played'), 'too-hard': message('too hard, below .10'), 'dead-zone-low': message('dead zone, .10 to .15'), seed: message('seed, .15 to .85'),
  'dead-zone-high': message('dead zone, .85 to .90'), 'too-easy': message('too easy, above .90'),
};

/** What the panel shows of a curriculum, against the skills that the run trains on. */
export function coverageState({ name, entries }: Pick<Curriculum, 'name' | 'entries'>, skills: readonly string[], problem: Message | null = null): CoverageState {
  const coverage = coverageOf(entries.map(coveredEntry), skills, Object.keys(KINDS));
  const { columns, rows } = coverageTable(coverage);
  // A plot of difficulties has its columns also where none is known: they are what is missing.
  const grid = columns.length === 1 ? coverage.grid : rows;
  const shownColumns = columns.length === 1 ? (coverage.byDifficulty.has('unknown') ? [...difficulties, 'unknown'] : [...difficulties]) : [...columns];
  return {
    name, problem, total: entries.length,
    notPlayed: entries.filter(({ outcome }) => outcome === null).length,
    simulated: entries.filter(({ outcome }) => outcome?.simulated).length,
    difficulties: shownColumns,
    skills: [...grid].map(([skill, counts]) => ({ name: skill, counts: [...counts] })),
    kinds: [...coverage.byKind].map(([kind, count]) => ({ name: kind, label: KINDS[kind as DesignKind]?.label ?? message('not known'), count })),
    bands: [...coverage.byBand].map(([band, count]) => ({ name: band, label: BANDS[band], count })),
  };
}

/** Panels of coverage, one a curriculum; they follow its changes. */
export class CoveragePanels implements Disposable {
  private readonly owned = new DisposableStore();
  private readonly panels = new Map<string, { readonly panel: vscode.WebviewPanel; readonly send: () => void }>();

  constructor(private readonly parts: { readonly sets: Sets; readonly extension: vscode.Uri; readonly skills: () => Promise<readonly string[]>; readonly onDefect: (error: unknown) => void }) {
    this.owned.add(parts.sets.onDidChange(() => [...this.panels.values()].forEach(({ send }) => send())));
  }

  show(name: string): void {
    const known = this.panels.get(name);
    if (known) return known.panel.reveal();
    const { extension, onDefect } = this.parts;
    const panel = vscode.window.createWebviewPanel(COVERAGE_VIEW_TYPE, vscode.l10n.t('Coverage of {0}', name), vscode.ViewColumn.Active, { ...webviewOptions(extension), retainContextWhenHidden: false });
    panel.iconPath = vscode.Uri.joinPath(extension, 'media', 'envwright.svg');
    const channel = openPage<typeof CoverageHost, typeof CoverageView>(panel.webview, { extension, bundle: 'coverage', title: panel.title }, {
      local: CoverageHost, remote: CoverageView, onDefect, handlers: { requests: { ready: async () => ({ strings: translations(), state: await this.state(name) }) }, notes: {} },
    });
    const send = (): void => void (panel.visible && this.state(name).then((state) => channel.notify('state', state), onDefect));
    panel.onDidChangeViewState(send);
    panel.onDidDispose(() => this.panels.delete(name));
    this.panels.set(name, { panel, send });
  }

  dispose(): void {
    for (const { panel } of this.panels.values()) panel.dispose();
    this.owned.dispose();
  }

  private async state(name: string): Promise<CoverageState> {
    const skills = await this.parts.skills();
    try {
      return coverageState(await (await this.parts.sets.stores()).curricula.get(name), skills);
    } catch (error) {
      if (!(error instanceof EnvwrightError)) throw error;
      return coverageState({ name, entries: [] }, skills, error.what);
    }
  }
}

/** The skills that coverage is held against: those of the linked run's launch flags, else those of the paper's launchers. */
export function wantedSkills(ofRun: readonly string[] | null | undefined): readonly string[] {
  return ofRun && ofRun.length > 0 ? ofRun : TRAINED_SKILLS;
}
