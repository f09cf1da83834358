/** A session as one HTML file that needs nothing else: no script, no network, nothing in it but text acts. */
import { escapeHtml, policyOfStyle } from '../../shared/html';
import { formatMessage } from '../../shared/message';
import type { ArmName, ArmReport, EpisodeStep, PlayReport } from '../../shared/play';
import { visibleText } from '../../shared/unseen';
import { TEXT_LIMIT } from '../../shared/webviewProtocol';
import type { BlendWeights } from '../value/designer';
import { valueSentence } from '../value/sentence';
import { countedReturns, pairBySeed } from '../value/summary';
import { isFailed } from './outcome';
import { outcomeInEpisode } from './trained';
import { episodesOf, missingOf, reportOfSession, type SavedEpisode, type SavedSession } from './sessionRecord';

const STYLE = `
:root{color-scheme:light dark}
body{font:14px/1.5 system-ui,sans-serif;max-width:72rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.4rem}h2{font-size:1.1rem;margin-top:2rem}
table{border-collapse:collapse}th,td{padding:.2rem .8rem .2rem 0;text-align:left;vertical-align:top;border-bottom:1px solid #8886}
td.n{text-align:right;font-variant-numeric:tabular-nums}
.small{font-size:.85rem;opacity:.8}.note{border-left:3px solid #b80;padding-left:.6rem}
details{border-bottom:1px solid #8886;padding:.3rem 0}summary{cursor:pointer}
pre{white-space:pre-wrap;overflow-wrap:anywhere;margin:.2rem 0;font:12px/1.4 ui-monospace,monospace}
dl{display:grid;grid-template-columns:5rem 1fr;gap:.2rem .6rem;margin:.4rem 0 .8rem}dt{opacity:.7}dd{margin:0;min-width:0}
`;

/** Text of an environment, a model or a file as it may stand in the page. */
export function escaped(text: string): string {
  return escapeHtml(visibleText(text));
}

/** A long text, cut as the player cuts it. */
function said(text: string): string {
  const points = text.length > TEXT_LIMIT ? [...text] : null;
  if (!points || points.length <= TEXT_LIMIT) return `<pre>${escaped(text)}</pre>`;
  return `<pre>${escaped(points.slice(0, TEXT_LIMIT).join(''))}</pre><p class="small">cut at ${TEXT_LIMIT.toLocaleString('en')} of ${points.length.toLocaleString('en')} characters</p>`;
}

const number = (value: number | null): string => (value === null ? '–' : value.toFixed(2).replace('-', '−'));
const span = (interval: { readonly lo: number; readonly hi: number } | null): string => (interval ? `${number(interval.lo)} to ${number(interval.hi)}` : 'no interval');
const ARM_WORDS: Readonly<Record<ArmName, string>> = { hint: 'with hint', noHint: 'no hint' };

/** The page. `weights` are those of the designer's reward; the paper's when left out. */
export async function htmlReport(session: SavedSession, weights?: BlendWeights): Promise<string> {
  const report = reportOfSession(session, weights);
  const policy = await policyOfStyle(STYLE);
  const { header } = session;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(`Plays of ${header.file}`)}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>Plays of ${escaped(header.file)}</h1>
<p>Played by ${escaped(header.policy.name)} at ${new Date(header.at).toISOString()}, ${header.settings.mode === 'paired' ? 'both arms on the same seeds' : 'as the run plays'}.
<span class="small">Session ${escaped(header.id)}, text ${escaped(header.hash.slice(0, 12))}, at most ${header.maxTurns} replies an episode.</span></p>
${notes(session, report)}
${header.settings.hint === null ? '' : `<h2>Hint</h2>${said(header.settings.hint)}`}
<h2>Value</h2>
${values(report)}
<h2>Episodes</h2>
${(['hint', 'noHint'] as const).flatMap((arm) => episodesOf(session, arm)).map((saved) => episode(saved)).join('\n')}
</body>
</html>
`;
}

function notes(session: SavedSession, report: PlayReport): string {
  const missing = missingOf(session).length;
  const all = [
    ...report.notes,
    ...(missing > 0 ? [`${missing} of ${session.plan.order.length} planned episodes were not played to an end.`] : []),
    ...session.damaged.map(({ line, why }) => `Line ${line} of the session could not be used: ${why}`),
  ];
  return all.map((note) => `<p class="note">${escaped(note)}</p>`).join('\n');
}

function values(report: PlayReport): string {
  const { noHint, hint } = report.arms;
  const regret = report.paired ?? report.unpaired ?? null;
  const sentence = valueSentence(noHint, hint, report.paired, hint ? pairBySeed(hint.episodes, noHint.episodes) : []);
  const arm = (name: ArmName, of: ArmReport): string => {
    const n = countedReturns(of.episodes).length;
    return `<tr><th scope="row">Mean return, ${ARM_WORDS[name]}</th><td class="n">${number(of.mean)}</td><td>${span(of.interval)}</td><td>n ${n}, ${of.failed} failed</td></tr>
<tr><th scope="row">Win rate, ${ARM_WORDS[name]}</th><td class="n">${number(of.winRate)}</td><td>share of plays above 0</td><td>n ${n}</td></tr>`;
  };
  const { designer } = report;
  return `<p><b>${escaped(formatMessage(sentence.lead))}</b> ${escaped(formatMessage(sentence.rest))}</p>
<table><thead><tr><th scope="col">Figure</th><th scope="col">Value</th><th scope="col">95 % interval</th><th scope="col">Rests on</th></tr></thead><tbody>
${hint ? arm('hint', hint) : ''}${arm('noHint', noHint)}
${regret ? `<tr><th scope="row">Regret</th><td class="n">${number(regret.regret)}</td><td>${span(regret.interval)}</td><td>${report.paired ? `${report.paired.pairs} pairs` : 'independent arms'}</td></tr>` : ''}
${designer ? `<tr><th scope="row">Plateau, regret term, blend</th><td class="n">${[designer.plateau, designer.regretTerm, designer.blend].map(number).join(', ')}</td><td>as the run computes them</td><td>n ${countedReturns(noHint.episodes).length}</td></tr>` : ''}
</tbody></table>`;
}

function episode({ ref, episode: played }: SavedEpisode): string {
  const where = ref.seed === null ? `play ${ref.play + 1}` : `seed ${ref.seed}${ref.play > 0 ? `, play ${ref.play + 1}` : ''}`;
  const value = played.return !== null ? `return ${number(played.return)}` : isFailed(played) || played.status === 'cancelled' ? 'no return' : 'return NaN';
  const steps = played.steps.map((step, index) => stepPart(step, index, index === played.steps.length - 1, played, ref.arm)).join('');
  return `<details><summary>${ARM_WORDS[ref.arm]}, ${where}: ${escaped(played.status)}, ${value}, in the run ${number(played.runReturn)}, ${played.steps.length} steps</summary>
${steps}${played.finalObservation === '' ? '' : `<dl><dt>last</dt><dd>${said(played.finalObservation)}</dd></dl>`}${played.error === null ? '' : `<p class="note">${escaped(played.error)}</p>`}</details>`;
}

function stepPart(step: EpisodeStep, index: number, isLast: boolean, played: SavedEpisode['episode'], arm: ArmName): string {
  const outcome = outcomeInEpisode(step, isLast, played, arm);
  const row = (word: string, content: string): string => `<dt>${word}</dt><dd>${content}</dd>`;
  return `<h3>Step ${index + 1}</h3><dl>${row('sees', said(step.observation))}${step.thinking === '' ? '' : row('thinks', `<details><summary>thinking</summary>${said(step.thinking)}</details>`)}${
    row('replies', said(step.reply))}${step.calls.map(({ name, arguments: args }) => row('calls', said(`${name} ${JSON.stringify(args)}`))).join('')}${
    step.notices.length > 0 ? row('notices', escaped(step.notices.join(', '))) : ''}${
    row('pays', `raw ${step.reward ?? 'none'} → ${outcome.kind}${outcome.value === null ? '' : ` ${number(outcome.value)}`}`)}</dl>`;
}
