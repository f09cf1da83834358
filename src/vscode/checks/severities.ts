import { EnvwrightError } from '../../core/errors';
import { message } from '../../shared/message';
import { readSetting, settingProblem } from '../settings';

/** What is wrong with the user's severities; null when all of them count. What does not count leaves the catalog's own in place. */
export async function oddSeverities(): Promise<EnvwrightError | null> {
  const next = message('Correct the setting envwright.check.severities: ids are those of Problems, without wildcards, with error, warning or info.');
  const problem = settingProblem('check.severities');
  if (problem !== undefined) return new EnvwrightError('checks/severities', message('None of the severities given counts: {problem}.', { problem }), next);
  const ids = Object.keys(readSetting('check.severities'));
  if (ids.length === 0) return null;
  const { catalog, checkById } = await import('../../core/checks/catalog');
  const unknown = ids.filter((id) => checkById(id) === undefined);
  if (unknown.length === 0) return null;
  const meant = unknown.flatMap((id) => catalog.filter((check) => check.id === id.trim().toLowerCase().replaceAll('_', '-')).map((check) => check.id));
  return new EnvwrightError(
    'checks/severities',
    meant.length > 0
      ? message('A severity is given for {unknown}, which is no check; {meant} is one.', { unknown: unknown.join(', '), meant: meant.join(', ') })
      : message('A severity is given for {unknown}, which is no check.', { unknown: unknown.join(', ') }),
    next,
  );
}
