import * as vscode from 'vscode';
import { EnvwrightError } from '../../core/errors';
import type { Draft } from '../../core/design/designer';
import type { PushWarning } from '../../core/memory/warnings';
import type { PushOutcome, PushRequest, RunMemory } from '../../core/run/push';
import type { FileReport } from '../../shared/findings';
import { message, type Message } from '../../shared/message';
import type { Checks } from '../checks/feature';
import type { Interaction } from '../interaction';
import { localize } from '../localize';
import type { Drafts } from '../design/drafts';
import type { PlayResults } from '../play/playResults';
import { withProgress } from '../progress';
import type { LinkedRun } from '../run/linkedRun';
import { askSkill, figuresByHand, figuresOfPlays, type PushFigures } from '../run/pushFigures';
import { previewText } from '../run/pushPreview';
import type { MemoryTree } from '../trees/memoryTree';
import { requireTrust } from '../trust';

/** What a push needs. */
export interface PushParts {
  readonly checks: Checks;
  readonly results: PlayResults;
  readonly run: LinkedRun;
  readonly tree: MemoryTree;
  readonly interaction: Interaction;
  readonly drafts: Drafts;
}

/** Accepts a file and pushes it into the linked run's memory, after a look at what that does. Undefined when dismissed; then nothing was written. */
export async function acceptAndPush(document: vscode.TextDocument, parts: PushParts): Promise<PushOutcome | undefined> {
  requireTrust();
  const { checks, results, run, tree, interaction } = parts;
  requireSaved(document);
  const memory = await run.memory();
  const report = await withProgress(vscode.l10n.t('Envwright: checking before the push'), (signal) => checks.checker.check(document, true, signal));
  const played = results.of(document.uri.toString(), document.getText());
  const figures = (played && figuresOfPlays(played)) ?? (await figuresElsewhere(document, interaction));
  if (!figures) return undefined;
  const skill = parts.drafts.of(document.getText())?.provenance.skill ?? (await askSkill(interaction));
  if (skill === undefined) return undefined;
  const outcome = await confirmAndWrite(document, memory, report, figures, skill, parts);
  if (!outcome) return undefined;
  run.refresh();
  await tree.reveal(document.uri.fsPath);
  announce(outcome, document, memory, run, interaction);
  return outcome;
}

function requireSaved(document: vscode.TextDocument): void {
  if (document.uri.scheme !== 'untitled' && !document.isDirty) return;
  throw new EnvwrightError('push/not-saved', message('The file is not saved, and a record names a file.'), message('Save it, then push.'));
}

/** Figures when this text was not played here: by hand, or after plays. */
async function figuresElsewhere(document: vscode.TextDocument, interaction: Interaction): Promise<PushFigures | undefined> {
  const choice = await interaction.pick({
    title: vscode.l10n.t('This text of the file was not played yet'),
    placeholder: vscode.l10n.t('Win rate and regret decide whether the designer ever reads it'),
    choices: [
      { label: vscode.l10n.t('Play It First'), detail: vscode.l10n.t('Opens the player. Push again when the plays are done.'), value: 'play' as const },
      { label: vscode.l10n.t('Enter the Figures by Hand…'), detail: vscode.l10n.t('Asks for a reason, which is kept with the record.'), value: 'hand' as const },
    ],
  });
  if (choice === 'play') await vscode.commands.executeCommand('envwright.play', document.uri);
  return choice === 'hand' ? figuresByHand(interaction) : undefined;
}

async function confirmAndWrite(
  document: vscode.TextDocument, memory: RunMemory, report: FileReport, figures: PushFigures, skill: string, { run, drafts, interaction }: Pick<PushParts, 'run' | 'drafts' | 'interaction'>,
): Promise<PushOutcome | undefined> {
  const base = {
    game_file: document.uri.fsPath,
    skill,
    code: document.getText(),
    actor_win_rate: figures.winRate,
    regret: figures.regret,
    rollout_id: await run.rollout(),
  };
  const request = (reason?: string) => ({
    record: { ...base, metadata: { envwright: { ...figures.source, verdict: report.verdict, ...(reason !== undefined && { pushedAnyway: reason }) } } },
    provenance: figures.provenance,
    moreWarnings: [...findingWarnings(report), ...sampleWarnings(drafts.of(document.getText()))],
  });
  const preview = await memory.preview(request());
  const liveness = await memory.liveness();
  const hasWarnings = preview.warnings.some(({ severity }) => severity === 'warning');
  const isSure = await interaction.confirm({
    message: vscode.l10n.t('Push {0} into the memory of the run?', vscode.workspace.asRelativePath(document.uri)),
    detail: previewText(preview, liveness, [sourceText(figures), ...(await rankRange(memory, request(), figures))]),
    accept: hasWarnings ? vscode.l10n.t('Push Anyway…') : vscode.l10n.t('Push'),
  });
  if (!isSure) return undefined;
  const reason = hasWarnings ? await askReason(interaction) : undefined;
  if (hasWarnings && reason === undefined) return undefined;
  return memory.push(request(reason), { force: hasWarnings });
}

/** Where the record could stand in its pool, over the interval of its regret. */
async function rankRange(memory: RunMemory, request: PushRequest, { regretInterval }: PushFigures): Promise<string[]> {
  if (!regretInterval) return [];
  const rankAt = async (regret: number) => (await memory.preview({ ...request, record: { ...request.record, regret } })).standing.poolRank;
  const best = await rankAt(regretInterval.hi);
  const worst = await rankAt(regretInterval.lo);
  if (best === null) return [];
  return [worst === null ? vscode.l10n.t('Rank could be {0}, or outside the pool, over the interval of regret.', best) : vscode.l10n.t('Rank could be {0} to {1} over the interval of regret.', best, worst)];
}

async function askReason(interaction: Interaction): Promise<string | undefined> {
  const reason = await interaction.input({
    title: vscode.l10n.t('Push past the warnings'),
    prompt: vscode.l10n.t('Why? The answer is kept in the record’s metadata.'),
    validate: (value) => (value.trim() === '' ? vscode.l10n.t('A reason is needed.') : undefined),
  });
  return reason?.trim() || undefined;
}

function findingWarnings({ verdict, findings, notChecked, timing }: FileReport): PushWarning[] {
  const count = (severity: string) => findings.filter((finding) => finding.severity === severity).length;
  const open = (text: Message): PushWarning[] => [{ id: 'open-findings', severity: 'warning', message: text }];
  if (count('error') > 0) return open(message('Errors are open in the file: {count}.', { count: count('error') }));
  if (count('warning') > 0) return open(message('Warnings are open in the file: {count}.', { count: count('warning') }));
  if (verdict !== 'cannot-run' && timing.probeMs !== null) return [];
  return open(message('The environment was not run: {count} checks are not made.', { count: notChecked.length }));
}

/** A design that no model wrote. */
function sampleWarnings(draft: Draft | undefined): PushWarning[] {
  if (!draft?.provenance.simulated) return [];
  return [{ id: 'simulated', severity: 'warning', message: message('The environment is one of the offline samples: no model designed it.') }];
}

function sourceText({ winRate, regret, regretInterval, provenance, source }: PushFigures): string {
  const number = (value: number) => value.toFixed(2).replace('-', '−');
  const span = regretInterval ? ` (${vscode.l10n.t('{0} to {1}', number(regretInterval.lo), number(regretInterval.hi))})` : '';
  const figures = vscode.l10n.t('Win rate {0}, regret {1}{2}', number(winRate), number(regret), span);
  if (provenance.plays === undefined) return `${figures} · ${vscode.l10n.t('by hand, n –')}`;
  return `${figures} · ${vscode.l10n.t('{0} plays by {1}', provenance.plays, String(source.policy))}`;
}

/** Says what became of the push, with a way back. */
function announce({ state, why }: PushOutcome, document: vscode.TextDocument, memory: RunMemory, run: LinkedRun, interaction: Interaction): void {
  const undo = vscode.l10n.t('Undo');
  const severity = state === 'written' ? 'info' : 'warning';
  void interaction.notice({ severity, message: localize(why), actions: state === 'refused' ? [] : [undo] }).then(async (chosen) => {
    if (chosen !== undo) return;
    await memory.remove(document.uri.fsPath);
    run.refresh();
  });
}
