/**
 * From chunk to editor, measured in a real extension host at the change of the document: `node out/test/bench/editor.main.js [rounds]`.
 * Beside it stands what the editor takes by itself: an extension that makes the same edits and does nothing else, in a window of its own.
 */
import { runTests } from '@vscode/test-electron';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { editorExecutable } from '../editor/executable';
import { projectRoot } from '../editor/paths';
import { EditorFigures, RATE } from './editorFigures';
import { report, summarise } from './measure';

async function measure(executable: string, folder: string, extension: string, what: 'design' | 'edits'): Promise<EditorFigures> {
  const [workspace, result] = [path.join(folder, 'workspace'), path.join(folder, `${what}.json`)];
  fs.mkdirSync(workspace, { recursive: true });
  await runTests({
    vscodeExecutablePath: executable, extensionDevelopmentPath: extension, extensionTestsPath: path.join(__dirname, '..', 'host', 'bench', 'stream.main.js'),
    launchArgs: [workspace, '--disable-extensions'], extensionTestsEnv: { ENVWRIGHT_BENCH_WHAT: what, ENVWRIGHT_BENCH_RESULT: result },
  });
  return EditorFigures.parse(JSON.parse(fs.readFileSync(result, 'utf8')));
}

/** An extension that does nothing. */
function bareExtension(folder: string): string {
  const extension = path.join(folder, 'bare');
  fs.mkdirSync(extension);
  fs.writeFileSync(path.join(extension, 'package.json'), JSON.stringify({ name: 'bare', publisher: 'envwright', version: '0.0.0', engines: { vscode: '^1.104.0' } }));
  return extension;
}

async function main(): Promise<void> {
  const rounds = Number(process.argv[2] ?? 1);
  const executable = await editorExecutable();
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'envwright-bench-'));
  try {
    const bare = bareExtension(folder);
    for (let round = 0; round < rounds; round += 1) {
      const edits = await measure(executable, folder, bare, 'edits');
      const designed = await measure(executable, folder, projectRoot, 'design');
      report(`from chunk to editor at ${RATE} chunks a second`, summarise(designed.stream), '16 ms at the median');
      report('  the next draft of words in the same window', summarise(designed.again), '16 ms at the median');
      report('  with a whole line in each chunk', summarise(designed.lines), 'ten times the text of a model');
      report('  the same stream by an extension that only edits, one edit after the other', summarise(edits.stream), 'what this editor takes by itself');
      report('  the same once more in its window', summarise(edits.again), 'the same');
      report('  the same with whole lines', summarise(edits.lines), 'the same');
      report('  one edit in sight, alone', summarise(edits.seen ?? []), 'the same');
      report('  one edit of a document that nobody sees', summarise(edits.unseen ?? []), 'the same, without the drawing');
      report('  one message to the window and back', summarise(edits.message ?? []), 'the least that an edit can take');
    }
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
