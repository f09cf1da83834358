import * as vscode from 'vscode';
import type { HintTrial } from '../../core/design/hintTrial';
import { costSince } from '../../core/models/cost';
import type { Policy } from '../../core/play/policy';
import type { ReadOnlyDocuments } from '../documents';
import { BACK } from '../interaction';
import type { ModelSource } from '../models/modelSource';
import { markdownLine, plainLine } from '../../core/plainText';
import { withProgress } from '../progress';
import { readSetting } from '../settings';
import { requireTrust } from '../trust';
import { editHint, writeHints, type HintParts } from './hintCommand';

/** Seeds that hints are tried on, at least: fewer say nothing about a gap. */
const FEWEST_SEEDS = 8;

/**
 * Has several hints written, tries each on the same seeds beside those that the file has already, and lets the person keep
 * one. Undefined when dismissed.
 */
export async function compareHints(document: vscode.TextDocument, parts: HintParts & { readonly documents: ReadOnlyDocuments }): Promise<readonly HintTrial[] | undefined> {
  requireTrust();
  const { hints, models, sandbox, clock, interaction, marks, documents } = parts;
  const written = await writeHints(document, readSetting('design.hintCandidates'), parts);
  const known = hints.of(document.uri.toString());
  const candidates = [...known, ...written.filter(({ text }) => !known.some((hint) => hint.text === text))].map(({ text, simulated }) => ({ text, simulated }));
  const policy = await agentOf(models);
  const [{ tryHints }, { hintFindings }] = await Promise.all([import('../../core/design/hintTrial'), import('../../core/design/opinions')]);
  const seeds = Array.from({ length: Math.max(FEWEST_SEEDS, readSetting('play.plays')) }, (_, seed) => seed);
  const before = models.ledger.of('agent');
  const trials = await withProgress(vscode.l10n.t('Envwright: trying {0} hints with {1}', candidates.length, policy.name), (signal, report) => tryHints(candidates, {
    file: { name: vscode.workspace.asRelativePath(document.uri), source: document.getText() }, sandbox, policy, seeds, clock,
    maxTurns: readSetting('play.maxTurns'), thinking: models.profile('agent').thinking, concurrency: readSetting('play.concurrency'),
  }, (ended, of) => report(vscode.l10n.t('{0} of {1} plays', ended, of)), signal));
  if (!models.isOffline) parts.drafts.addCost(document.getText(), 'agent', costSince(before, models.ledger.of('agent')));
  await documents.showRendered('Hints.md', trialsText(trials, policy.name));
  const chosen = await interaction.pick({
    title: vscode.l10n.t('Keep which hint?'), placeholder: vscode.l10n.t('By their regret on {0} seeds, those that leak last', seeds.length),
    stays: true,
    choices: trials.map((trial, at) => ({ label: `${at + 1}. ${regretText(trial)}`, description: notesOf(trial).join(' · '), detail: plainLine(trial.hint.text, 300), value: trial })),
  });
  if (chosen === undefined || chosen === BACK) return trials;
  const { range, profile } = marks.placeOf(document);
  if ((await editHint(document, chosen.hint, parts)) === undefined) return trials;
  await marks.show(document, 'hint', hintFindings(chosen.hint.text, chosen.leak, range, profile));
  return trials;
}

/** The agent of the settings where there is one, else the simulated learner. */
async function agentOf(models: ModelSource): Promise<Policy> {
  if (!models.isOffline) {
    const { modelPolicy } = await import('../../core/play/policies/model');
    const { sampling, thinking } = models.profile('agent');
    return modelPolicy({ client: await models.client('agent'), sampling, thinking });
  }
  const { simulatedLearner } = await import('../../core/play/policies/simulated');
  return simulatedLearner({ chance: readSetting('play.simulatedChance'), chanceWithHint: readSetting('play.simulatedChanceWithHint'), seed: 0 });
}

function regretText({ report: { paired } }: HintTrial): string {
  if (!paired) return vscode.l10n.t('regret –');
  const { regret, interval } = paired;
  if (regret === null) return vscode.l10n.t('regret –');
  const value = regret.toFixed(2).replace('-', '−');
  return interval ? vscode.l10n.t('regret {0} ({1} to {2}, n {3})', value, interval.lo.toFixed(2).replace('-', '−'), interval.hi.toFixed(2).replace('-', '−'), interval.n) : vscode.l10n.t('regret {0}', value);
}

/** What is to be known of a hint beside its regret. */
function notesOf({ hint, words, tooLong, leak, alone, report }: HintTrial): string[] {
  return [
    ...(hint.simulated ? [vscode.l10n.t('offline sample, not a model')] : []),
    tooLong ? vscode.l10n.t('{0} words, too long', words) : vscode.l10n.t('{0} words', words),
    leak.tested === 0 ? vscode.l10n.t('not tested for leaks: no solution') : leak.values.length > 0 ? vscode.l10n.t('holds answers of {0} of {1} seeds', leak.seeds.length, leak.tested) : vscode.l10n.t('no leak on {0} seeds', leak.tested),
    ...(alone ? [vscode.l10n.t('hint alone: mean {0}, played: {1}', (alone.mean ?? 0).toFixed(2), (report.arms.hint?.mean ?? 0).toFixed(2))] : []),
  ];
}

/** The trials as a table, for a preview. */
function trialsText(trials: readonly HintTrial[], policy: string): string {
  const cell = (text: string) => markdownLine(text, 400);
  const mean = (value: number | null | undefined): string => (value === null || value === undefined ? '–' : value.toFixed(2).replace('-', '−'));
  const rows = trials.map((trial, at) => `| ${at + 1} | ${cell(trial.hint.text)} | ${cell(regretText(trial))} | ${mean(trial.report.arms.hint?.mean)} | ${mean(trial.report.arms.noHint.mean)} | ${trial.alone ? mean(trial.alone.mean) : vscode.l10n.t('no control')} | ${cell(notesOf(trial).join(', '))} |`);
  const notes = [...new Set(trials.flatMap(({ report }) => report.notes))];
  return [
    `# ${vscode.l10n.t('Hints compared')}`, '',
    vscode.l10n.t('Played by {0}, all on the same seeds and against the same plays without a hint. “Alone” is the same agent with the hint and nothing of the environment: what it wins there the hint gives away.', cell(policy)), '',
    ...notes.map((note) => `> ${cell(note)}\n`),
    `| | ${vscode.l10n.t('hint')} | ${vscode.l10n.t('worth')} | ${vscode.l10n.t('with it')} | ${vscode.l10n.t('without')} | ${vscode.l10n.t('alone')} | ${vscode.l10n.t('notes')} |`,
    '| ---: | --- | --- | ---: | ---: | ---: | --- |', ...rows, '',
  ].join('\n');
}
