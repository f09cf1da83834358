import * as vscode from 'vscode';
import type { PushPreview } from '../../core/memory/preview';
import type { Liveness } from '../../core/run/liveness';
import { baseName } from '../../core/run/paths';
import { localize } from '../localize';
import { plainLine } from '../plainText';
import { className } from '../trees/memoryTree';

const percent = (share: number) => `${(share * 100).toFixed(0)} %`;

/** What a push does, in the order people ask: will it be read, when, what leaves for it, what is to be known before. */
export function previewText({ standing, displaces, warnings }: PushPreview, liveness: Liveness, source: readonly string[]): string {
  const { poolRank, odds, evictedAfterAdds } = standing;
  const stopping = warnings.filter(({ severity }) => severity === 'warning');
  const notes = warnings.filter(({ severity }) => severity === 'info');
  return [
    sentence(standing),
    '',
    vscode.l10n.t('Class: {0}. Rank in the pool: {1}. Drawn for one prompt of its skill: {2} (exact).', className(standing.class), poolRank ?? '–', percent(odds)),
    vscode.l10n.t('Evicted after {0} more records.', evictedAfterAdds),
    ...source,
    ...displaces.map(({ gameFile, from }) => {
      const name = plainLine(baseName(gameFile ?? '–'), 120);
      return from === 'memory' ? vscode.l10n.t('Leaves the memory: {0}', name) : vscode.l10n.t('Leaves the pool: {0}', name);
    }),
    ...(stopping.length > 0 ? ['', vscode.l10n.t('Warnings:')] : []),
    ...stopping.map(({ message }) => `⚠ ${localize(message)}`),
    ...notes.map(({ message }) => `• ${localize(message)}`),
    '',
    liveness.state === 'live'
      ? vscode.l10n.t('The run is live and would overwrite the file at its next regeneration: the push waits until the run has ended.')
      : localize(liveness.why),
    vscode.l10n.t('A pushed environment is read by the designer, its first 2,000 characters. It is not played because of the push.'),
  ].join('\n');
}

function sentence({ class: kind, poolRank, odds }: PushPreview['standing']): string {
  if (poolRank !== null) return vscode.l10n.t('The designer will probably read it.');
  if (odds > 0) return vscode.l10n.t('The designer may read it as an example to avoid.');
  return kind === 'dead-zone' || kind === 'seed' ? vscode.l10n.t('The designer would never read it. It would take one of 200 places until it is evicted.') : '';
}
