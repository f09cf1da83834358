import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { EnvwrightError } from '../../core/errors';
import type { Draft } from '../../core/design/designer';
import { SKILLS } from '../../core/design/skills';
import type { PushWarning } from '../../core/memory/warnings';
import type { FileStore } from '../../core/ports';
import { baseName } from '../../core/run/paths';
import type { PushOutcome } from '../../core/run/push';
import type { FileReport } from '../../shared/findings';
import { message, type Message } from '../../shared/message';
import type { Checks } from '../checks/feature';
import { setContext } from '../context';
import type { Drafts } from '../design/drafts';
import type { OpinionMarks } from '../design/opinionMarks';
import type { Interaction } from '../interaction';
import type { PlayResults } from '../play/playResults';
import { two } from '../panels/pushChecks';
import type { KeptPush } from '../panels/keptPush';
import { OpenReview, type PushReviewParts } from '../panels/pushReview';
import { digest } from '../../core/run/memoryFile';
import { withProgress } from '../progress';
import { findingWarnings } from '../run/findingWarnings';
import { askSkill, figuresByHand, figuresOfPlays, type PushFigures } from '../run/pushFigures';
import type { MemoryTree } from '../trees/memoryTree';
import { requireTrust } from '../trust';

/** What a push needs. */
export interface PushParts extends PushReviewParts {
  readonly checks: Checks;
  readonly results: PlayResults;
  readonly tree: MemoryTree;
  readonly drafts: Drafts;
  /** What models and plays said of a file since it was edited: its screen counts as its checks do. */
  readonly marks: Pick<OpinionMarks, 'of'>;
  readonly files: () => Promise<FileStore>;
}

/** Accepts a file and pushes it into the linked run's memory, after a look at what that does. Undefined when dismissed; then nothing was written. */
export async function acceptAndPush(document: vscode.TextDocument, parts: PushParts): Promise<PushOutcome | undefined> {
  requireTrust();
  const { checks, results, run, tree, interaction } = parts;
  requireSaved(document);
  await run.memory();
  const report = await withProgress(vscode.l10n.t('Envwright: checking before the push'), (signal) => checks.checker.check(document, true, signal));
  const played = results.of(document.uri.toString(), document.getText());
  const figures = (played && figuresOfPlays(played)) ?? (await figuresElsewhere(document, interaction));
  if (!figures) return undefined;
  const skill = await skillOf(document, parts);
  if (!skill) return undefined;
  const review = await OpenReview.open(document, await keptOf(document, report, figures, skill, parts), parts);
  await interaction.review(review);
  const outcome = await review.decided;
  if (outcome) {
    setContext('hasPushed', true);
    await tree.reveal(document.uri.fsPath);
  }
  return outcome;
}

/** A skill and where it is from. */
interface KnownSkill {
  readonly name: string;
  readonly source: Message;
}

/** The skill that the file was designed for, the one that its run or pool says, else the one that is asked for. */
async function skillOf(document: vscode.TextDocument, { drafts, interaction, files }: Pick<PushParts, 'drafts' | 'interaction' | 'files'>): Promise<KnownSkill | undefined> {
  const drafted = drafts.of(document.getText())?.provenance.skill;
  if (drafted !== undefined) return { name: drafted, source: message('as it was designed') };
  const { FactsReader } = await import('../../core/review/fileFacts');
  const { skill: known } = await new FactsReader(await files()).of(document.uri.fsPath);
  if (known !== null && SKILLS.includes(known)) return { name: known, source: message('as its run says') };
  const chosen = await askSkill(interaction, baseName(document.uri.path));
  return chosen === undefined ? undefined : { name: chosen, source: message('chosen for this push') };
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

/** What is to be pushed, with everything that is known of it. */
async function keptOf(document: vscode.TextDocument, report: FileReport, figures: PushFigures, skill: KnownSkill, { run, drafts, marks }: Pick<PushParts, 'run' | 'drafts' | 'marks'>): Promise<KeptPush> {
  const screened = marks.of(document.uri).filter(({ stage }) => stage === 'screen');
  return {
    v: 1, uri: document.uri.toString(), digest: await digest(document.getText()), id: randomUUID(),
    skill: skill.name, skillSource: skill.source,
    figures: {
      winRate: figures.winRate, regret: figures.regret, winInterval: figures.winInterval, regretInterval: figures.regretInterval,
      plays: figures.provenance.plays ?? null, pairs: figures.pairs, source: sourceOf(figures),
    },
    simulated: figures.provenance.simulated === true, rollout: await run.rollout(), provenance: { ...figures.source, verdict: report.verdict },
    warnings: [...findingWarnings({ ...report, findings: [...report.findings, ...screened] }), ...sampleWarnings(drafts.of(document.getText()))],
  };
}

function sourceOf({ winRate, winInterval, provenance: { plays } }: PushFigures): Message {
  if (plays === undefined) return message('by hand, n \u2013');
  const wins = Math.round(winRate * plays);
  return winInterval ? message('{wins}/{n} plays, no hint \u00b7 {lo} to {hi}', { wins, n: plays, lo: two(winInterval.lo), hi: two(winInterval.hi) }) : message('{wins}/{n} plays, no hint', { wins, n: plays });
}

/** A design that no model wrote. */
function sampleWarnings(draft: Draft | undefined): PushWarning[] {
  if (!draft?.provenance.simulated) return [];
  return [{ id: 'simulated', severity: 'warning', message: message('The environment is one of the offline samples: no model designed it.') }];
}
