/**
 * An audit as a process of its own, to be killed: `node audit.cjs FOLDER JOURNAL LOG`. What is judged is told in the log before and after; a
 * judgement takes some milliseconds, so that a kill finds it in the middle. Bundled by the test.
 */
import { appendFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { AuditJournal } from '../../src/core/review/audit/journal';
import { runAudit } from '../../src/core/review/audit/runAudit';
import { findPythonFiles } from '../../src/core/review/findFiles';
import { NodeFileStore } from '../../src/node/files/nodeFileStore';

const [, , folder = '', journal = '', log = ''] = process.argv;
/** Makes lines of the journal long, as those of real files are: a kill can tear one. */
const SHINGLES = 4_000;
const JUDGE_MS = 3;

async function main(): Promise<void> {
  const files = new NodeFileStore();
  const result = await runAudit({
    files, journal: await AuditJournal.open(files, journal),
    print: (text) => new Map(Array.from({ length: SHINGLES }, (_, at): [string, number] => [`${text.length}-${at}`, at])),
    judge: async ({ file }) => {
      appendFileSync(log, `begun ${file}\n`);
      await sleep(JUDGE_MS);
      appendFileSync(log, `judged ${file}\n`);
      return {
        report: { file, verdict: 'accept', class: 'XEnv', profile: 's', findings: [], suppressed: [], notChecked: [], timing: { staticMs: 1, probeMs: 1 } }, sandboxMs: JUDGE_MS,
      };
    },
  }, {
    paths: await findPythonFiles(files, [folder]), stamp: 'one', decisions: { suppressions: [], profiles: [] }, profile: null, input: {}, atOnce: 4,
  }, new AbortController().signal);
  process.stdout.write(JSON.stringify({ items: result.items.length, judged: result.judged, reused: result.reused }));
}

void main();
