import * as vscode from 'vscode';
import type { Verdict } from '../../shared/findings';
import type { Interaction } from '../interaction';
import { withProgress } from '../progress';
import { requireTrust } from '../trust';
import type { Checker } from './checker';

/** Files checked at the same time. */
const AT_ONCE = 2;
/** Above this many, checking all asks first: each file takes seconds. */
const MANY = 100;

/** How many files had which verdict; `failed` could not be judged at all. */
export type VerdictCounts = Readonly<Record<Verdict | 'failed', number>>;

/** What is said of a set of files. */
export interface SetWords {
  /** Over the progress. */
  readonly title: string;
  /** Asked before many are checked. */
  readonly question: string;
  /** Puts the counts into a sentence. */
  readonly done: (counts: string) => string;
}

/** Makes every check of many files, with progress; gives the count of verdicts, undefined when it was given up before. */
export async function checkMany(uris: readonly vscode.Uri[], words: SetWords, checker: Checker, interaction: Interaction): Promise<VerdictCounts | undefined> {
  requireTrust();
  if (uris.length > MANY && !(await confirmMany(words.question, interaction))) return undefined;
  const counts: Record<Verdict | 'failed', number> = { accept: 0, 'accept-with-warnings': 0, reject: 0, 'cannot-run': 0, failed: 0 };
  await withProgress(words.title, async (signal, report) => {
    let [next, done] = [0, 0];
    const work = async (): Promise<void> => {
      for (let at = next++; at < uris.length && !signal.aborted; at = next++) {
        counts[await verdictOf(uris[at]!, checker, signal)] += 1;
        report(vscode.l10n.t('{0} of {1}', (done += 1), uris.length));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  });
  void interaction.notice({ severity: counts.reject + counts['cannot-run'] + counts.failed > 0 ? 'warning' : 'info', message: words.done(inWords(counts)), actions: [] });
  return counts;
}

function confirmMany(message: string, interaction: Interaction): Promise<boolean> {
  return interaction.confirm({
    message,
    detail: vscode.l10n.t('Each one is run in the sandbox, which takes seconds. The checks can be cancelled, and what was judged by then stays.'),
    accept: vscode.l10n.t('Check All'),
  });
}

/** The verdict of a file; `failed` when it went away meanwhile, as games do at a regeneration. */
async function verdictOf(uri: vscode.Uri, checker: Checker, signal: AbortSignal): Promise<Verdict | 'failed'> {
  try {
    return (await checker.checkFile(uri, signal)).verdict;
  } catch (error) {
    if (signal.aborted) throw error;
    return 'failed';
  }
}

function inWords(counts: VerdictCounts): string {
  const words = {
    accept: vscode.l10n.t('{0} accepted', counts.accept),
    'accept-with-warnings': vscode.l10n.t('{0} accepted with warnings', counts['accept-with-warnings']),
    reject: vscode.l10n.t('{0} rejected', counts.reject),
    'cannot-run': vscode.l10n.t('{0} could not be run', counts['cannot-run']),
    failed: vscode.l10n.t('{0} could not be read', counts.failed),
  };
  return (Object.keys(words) as (keyof typeof words)[]).filter((kind) => counts[kind] > 0).map((kind) => words[kind]).join(', ');
}
