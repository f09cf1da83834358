import { message, type Message } from '../../shared/message';
import type { CoverageState } from '../../shared/webviewCoverage';
import { KINDS, TRAINED_SKILLS, type DesignKind } from '../design/skills';
import { coveredEntry, coverageOf, coverageTable, type Curriculum, type WinRateBand } from './curriculum';

const BANDS: Readonly<Record<WinRateBand, Message>> = {
  'not-played': message('not played'), 'too-hard': message('too hard, below .10'), 'dead-zone-low': message('dead zone, .10 to .15'), seed: message('seed, .15 to .85'),
  'dead-zone-high': message('dead zone, .85 to .90'), 'too-easy': message('too easy, above .90'),
};

/** What the panel shows of a curriculum, against the skills that the run trains on. */
export function coverageState({ name, entries }: Pick<Curriculum, 'name' | 'entries'>, skills: readonly string[], problem: Message | null = null): CoverageState {
  const coverage = coverageOf(entries.map(coveredEntry), skills, Object.keys(KINDS));
  const { columns, rows } = coverageTable(coverage);
  return {
    name, problem, total: entries.length,
    notPlayed: entries.filter(({ outcome }) => outcome === null).length,
    simulated: entries.filter(({ outcome }) => outcome?.simulated).length,
    difficulties: [...columns],
    skills: [...rows].map(([skill, counts]) => ({ name: skill, counts: [...counts] })),
    kinds: [...coverage.byKind].map(([kind, count]) => ({ name: kind, label: KINDS[kind as DesignKind]?.label ?? message('not known'), count })),
    bands: [...coverage.byBand].map(([band, count]) => ({ name: band, label: BANDS[band], count })),
  };
}

/** The skills that coverage is held against: those of the linked run's launch flags, else those of the paper's launchers. */
export function wantedSkills(ofRun: readonly string[] | null | undefined): readonly string[] {
  return ofRun && ofRun.length > 0 ? ofRun : TRAINED_SKILLS;
}
