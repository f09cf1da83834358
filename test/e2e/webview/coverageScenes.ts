/** What is looked at of the coverage of a set. */
import { coverageState } from '../../../src/core/review/coverageState';
import { TRAINED_SKILLS } from '../../../src/core/design/skills';
import type { CurriculumEntry } from '../../../src/core/review/curriculum';
import { message } from '../../../src/shared/message';
import type { CoverageState } from '../../../src/shared/webviewCoverage';
import type { Setting } from './setting';

const KINDS = ['single-turn', 'single-turn', 'multi-turn', 'grounded'];

/** Entries of five of the six skills, the hard ones rare, some never played. */
const entries = Array.from({ length: 34 }, (_, n): CurriculumEntry => ({
  file: `game_${n}_env.py`, contentHash: n.toString(16).padStart(64, '0'), skill: TRAINED_SKILLS[n % 5]!, difficulty: n % 7 === 0 ? 'hard' : n % 3 === 0 ? 'medium' : 'easy',
  kind: KINDS[n % 4]!, hint: 'Look.', note: '', outcome: n % 6 === 5 ? null : { winRate: ((n * 7) % 17) / 16, regret: 0.2, plays: 16, simulated: n % 11 === 0 },
}));

const scene = (name: string, state: CoverageState, width = 1100): { readonly name: string; readonly setting: Setting } =>
  ({ name, setting: { bundle: 'coverage', title: 'Coverage', width, height: 760, answers: { results: { ready: { strings: {}, state } } } } });

export const coverageScenes = [
  scene('full', coverageState({ name: 'first steps', entries }, TRAINED_SKILLS)),
  scene('empty', coverageState({ name: 'nothing yet', entries: [] }, TRAINED_SKILLS)),
  scene('gone', coverageState({ name: 'gone', entries: [] }, TRAINED_SKILLS, message('There is no curriculum {name}.', { name: 'gone' }))),
  scene('narrow', coverageState({ name: 'half of the difficulties unknown <b>', entries: entries.map((entry, n) => ({ ...entry, difficulty: n % 2 === 0 ? entry.difficulty : null })) }, TRAINED_SKILLS), 520),
];
