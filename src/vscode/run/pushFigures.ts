import * as vscode from 'vscode';
import type { z } from 'zod';
import type { Provenance } from '../../core/memory/warnings';
import { wilson } from '../../core/value/intervals';
import { countedReturns } from '../../core/value/summary';
import { SKILLS } from '../../core/design/skills';
import type { Interval } from '../../shared/interval';
import type { PlayReport } from '../../shared/play';
import { BACK, type Interaction } from '../interaction';

type Json = z.infer<ReturnType<typeof z.json>>;

/** Win rate and regret of a push, and where they come from. */
export interface PushFigures {
  readonly winRate: number;
  readonly regret: number;
  /** Null for figures given by hand, and for too few plays. */
  readonly regretInterval: Pick<Interval, 'lo' | 'hi'> | null;
  readonly winInterval: Pick<Interval, 'lo' | 'hi'> | null;
  readonly pairs: number | null;
  readonly provenance: Provenance;
  /** What goes into `metadata.envwright`. */
  readonly source: Readonly<Record<string, Json>>;
}

/** The figures of a set of plays; undefined where it has none. Without a hint arm the regret is 0, as in the run. */
export function figuresOfPlays({ arms, paired, unpaired, simulated, policy, mode }: PlayReport): PushFigures | undefined {
  const { winRate, episodes } = arms.noHint;
  if (winRate === null) return undefined;
  const plays = countedReturns(episodes).length;
  const regretInterval = paired?.interval ?? unpaired?.interval ?? null;
  const winInterval = wilson(Math.round(winRate * plays), plays);
  const span = ({ lo, hi }: Pick<Interval, 'lo' | 'hi'>): Json => [lo, hi];
  const interval = { ...(winInterval && { win_rate: span(winInterval) }), ...(regretInterval && { regret: span(regretInterval) }) };
  return {
    winRate,
    regret: paired?.regret ?? unpaired?.regret ?? 0,
    regretInterval,
    winInterval,
    pairs: paired?.pairs ?? null,
    provenance: { plays, simulated },
    source: { from: 'plays', plays, simulated, policy, mode, pairs: paired?.pairs ?? 0, interval },
  };
}

/** Asks for the figures by hand, with a reason. Undefined when dismissed. */
export async function figuresByHand(interaction: Interaction): Promise<PushFigures | undefined> {
  const winRate = await askNumber(interaction, vscode.l10n.t('Win rate'), vscode.l10n.t('Share of plays with a reward above 0, from 0 to 1'), 0, 1);
  if (winRate === undefined) return undefined;
  const regret = await askNumber(interaction, vscode.l10n.t('Regret'), vscode.l10n.t('Mean return with the hint minus mean return without, from -2 to 2'), -2, 2);
  if (regret === undefined) return undefined;
  const reason = await interaction.input({
    title: vscode.l10n.t('Reason'),
    prompt: vscode.l10n.t('Where do these figures come from? The answer is kept in the record’s metadata.'),
    validate: (value) => (value.trim() === '' ? vscode.l10n.t('A reason is needed.') : undefined),
  });
  return reason?.trim() ? { winRate, regret, regretInterval: null, winInterval: null, pairs: null, provenance: {}, source: { from: 'hand', reason: reason.trim() } } : undefined;
}

/** Asks for the skill that a file trains, by its display name; undefined when dismissed. */
export async function askSkill(interaction: Interaction, file: string): Promise<string | undefined> {
  const chosen = await interaction.pick({
    title: vscode.l10n.t('Which skill does {0} train?', file),
    placeholder: vscode.l10n.t('Only design prompts for this skill can draw it from a memory'),
    choices: SKILLS.map((skill) => ({ label: skill, value: skill })),
  });
  return chosen === BACK ? undefined : chosen;
}

async function askNumber(interaction: Interaction, title: string, prompt: string, least: number, most: number): Promise<number | undefined> {
  const parse = (value: string) => (/^-?\d*\.?\d+$/.test(value.trim()) ? Number(value) : NaN);
  const isFine = (value: string) => parse(value) >= least && parse(value) <= most;
  const answer = await interaction.input({
    title, prompt, validate: (value) => (isFine(value) ? undefined : vscode.l10n.t('A number from {0} to {1}.', least, most)),
  });
  return answer !== undefined && isFine(answer) ? parse(answer) : undefined;
}
