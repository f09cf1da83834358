import { compareSessions } from '../../core/play/compare';
import type { SavedSession } from '../../core/play/sessionRecord';
import { countedReturns } from '../../core/value/summary';
import { message, type Message } from '../../shared/message';
import type { ArmReport, PlayReport } from '../../shared/play';
import type { ComparisonView, Figure } from '../../shared/webviewProtocol';
import { figure } from './valueView';

/** Changed episodes that are listed; more are counted. */
const LISTED = 200;

/** A session in words: when, by whom. */
export function sessionWords({ at, policy, origin }: Pick<SavedSession['header'], 'at' | 'policy' | 'origin'>): Message {
  const when = new Date(at);
  const time = when.toLocaleString(undefined, { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' });
  if (origin?.kind === 'take-over') return message('{time}, taken over in step {step}', { time, step: origin.step });
  return message('{time}, {policy}', { time, policy: policy.name });
}

/** The session on screen beside an earlier one. */
export function comparisonView(before: SavedSession, after: SavedSession): ComparisonView {
  const { arms, regret, compared, changes, differences } = compareSessions(before, after);
  return {
    other: sessionWords(before.header),
    isReplay: after.header.origin?.kind === 'replay' && after.header.origin.of === before.header.id,
    rows: [
      ...arms.map((arm) => ({
        name: arm.arm === 'hint' ? message('Mean return, with hint') : message('Mean return, no hint'),
        before: armFigure(arm.before), after: armFigure(arm.after), paired: arm.difference?.paired ?? false,
        difference: arm.difference && figure(arm.difference.value, arm.difference.interval, arm.difference.n, arm.difference.paired ? 'pairs' : 'plays'),
      })),
      ...(regret.before || regret.after ? [{ name: message('Regret'), before: regretFigure(regret.before), after: regretFigure(regret.after), difference: null, paired: false }] : []),
    ],
    differences: [...differences],
    compared,
    flipped: changes.filter(({ kind }) => kind === 'flipped').length,
    changed: changes.length,
    changes: changes.slice(0, LISTED),
  };
}

function armFigure(arm: ArmReport): Figure {
  return figure(arm.mean, arm.interval, countedReturns(arm.episodes).length, 'plays');
}

function regretFigure(paired: PlayReport['paired']): Figure {
  return figure(paired?.regret ?? null, paired?.interval ?? null, paired?.pairs ?? 0, 'pairs');
}
