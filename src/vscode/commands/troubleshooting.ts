import * as vscode from 'vscode';
import type { HealthLine } from '../../core/ports';
import { markdownLine } from '../../core/plainText';
import { doctorLines, type DoctorParts } from './doctor';

const DETAIL = 500;
const plain = (text: string): string => markdownLine(text, DETAIL);

/** Shows what does not work on this machine and how to mend it, made from what the doctor finds now; gives the page. */
export async function troubleshoot(parts: DoctorParts): Promise<string> {
  const page = troubleshootingPage(await doctorLines(parts));
  await parts.documents.showRendered('Troubleshooting.md', page);
  return page;
}

/** The page: what fails first, each with its next step; then what to do about the things that go wrong without failing; then what works. */
function troubleshootingPage(lines: readonly HealthLine[]): string {
  const t = (text: string, ...args: string[]): string => vscode.l10n.t(text, ...args);
  const [failed, advised] = [lines.filter(({ ok }) => !ok), lines.filter(({ ok, next }) => ok && next !== null)];
  const item = ({ name, detail, next }: HealthLine): string[] => [`### ${plain(name)}`, '', plain(detail), ...(next === null ? [] : ['', `**${t('What to do')}:** ${plain(next)}`]), ''];
  const known: readonly (readonly [string, string])[] = [
    [t('A file is “cannot run”'), t('It was not judged: there is no interpreter or sandbox, or a package is missing. It is never counted as a pass. See above, then check the file again.')],
    [t('A file is not recognised as an environment'), t('An environment is a class whose name ends in Env, with reset and step. *Wrap Class for the Run* makes one of a class in another contract.')],
    [t('A finding is wrong'), t('Silence it from the light bulb: that is recorded in the workspace, and the verdict says so.')],
    [t('A push waits and never arrives'), t('A live run reads its memory once. With the link module it takes pushes at its next rollout; without it they are applied when the run has ended. *Show Push Ledger* says where each one is.')],
    [t('A file does not come in the review any more'), t('It was decided on, and comes again when it changes. *Choose Which Files Are Shown* shows it now.')],
    [t('An audit or a play was cancelled or the window closed'), t('What was judged is kept. Start it again, and it goes on from there.')],
    [t('Something else'), t('*Show Log* has the details of every error, without keys.')],
  ];
  return [
    `# ${t('Troubleshooting')}`, '',
    failed.length === 0 ? t('Everything that the doctor looks at works.') : t('{0} of {1} things that the doctor looks at do not work.', String(failed.length), String(lines.length)), '',
    ...(failed.length === 0 ? [] : [`## ${t('What does not work')}`, '', ...failed.flatMap(item)]),
    ...(advised.length === 0 ? [] : [`## ${t('What could be better')}`, '', ...advised.flatMap(item)]),
    `## ${t('When something goes wrong')}`, '', ...known.flatMap(([what, then]) => [`- **${what}.** ${then}`]), '',
    `## ${t('What works')}`, '', ...lines.filter(({ ok, next }) => ok && next === null).map(({ name, detail }) => `- ${plain(name)}: ${plain(detail)}`), '',
  ].join('\n');
}
