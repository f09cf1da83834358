import type { Finding } from '../../shared/findings';

/** Checks whose every line counts by itself; of the others the text and the probe speak of the same thing. */
const LINE_BY_LINE = new Set(['prints-to-stdout', 'reads-file-or-env', 'network-or-process', 'calls-input']);

const sameLine = (a: Finding, b: Finding): boolean => a.line <= b.endLine && b.line <= a.endLine;

/**
 * Joins what the text says with what the probes saw. Where both found the same, the text knows the place and the fix, the
 * probe has the evidence. In order of position.
 */
export function mergeFindings(byText: readonly Finding[], byProbe: readonly Finding[]): Finding[] {
  const merged = [...byText];
  for (const probed of byProbe) {
    const same = merged.findIndex((finding) => finding.stage === 'static' && finding.id === probed.id && sameLine(finding, probed));
    const any = same >= 0 || LINE_BY_LINE.has(probed.id) ? same : merged.findIndex(({ id, stage }) => stage === 'static' && id === probed.id);
    if (any < 0) merged.push(probed);
    else merged[any] = { ...merged[any]!, evidence: merged[any]!.evidence ?? probed.evidence, fix: merged[any]!.fix ?? probed.fix };
  }
  return merged.sort((a, b) => a.line - b.line || a.column - b.column || a.id.localeCompare(b.id));
}
