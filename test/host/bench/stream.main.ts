/** What the bench `editor` has an editor measure in its extension host: a stream by the extension under test, or by edits and nothing else. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { sharedNow, Ticks, ticksIn } from '../../fakes/tickingModel';
import type { EnvwrightApi } from '../../../src/vscode/api';
import { CHUNKS, RATE, SentTimes, ServerStarted, type EditorFigures } from '../../bench/editorFigures';

const EDITS = 60;
/** Chunks in a line: as a model's tokens, and as whole lines. */
const [WORDS, LINES] = [10, 1];
const QUIET = { undoStopBefore: false, undoStopAfter: false };
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Called by the extension host. */
export async function run(): Promise<void> {
  // The window is still being made when its extension host is there.
  await sleep(5_000);
  const figures: EditorFigures = process.env.ENVWRIGHT_BENCH_WHAT === 'edits' ? await byEdits() : await byDesigning();
  fs.writeFileSync(process.env.ENVWRIGHT_BENCH_RESULT ?? '', JSON.stringify(figures));
}

/** The editor alone: the stream by one edit after the other, first of all in its window as a draft is in its own; then a message there and back, an edit nobody sees, one in sight. */
async function byEdits(): Promise<EditorFigures> {
  const streamed = (perLine: number) => inEditor((editor) => delays(async () => {
    const ticks = new Ticks(CHUNKS, RATE, perLine);
    let pending = '';
    let isOver = false;
    const feeding = ticks.send((chunk) => (pending += chunk)).then(() => (isOver = true));
    while (!isOver || pending !== '') {
      if (pending === '') await sleep(1);
      const text = pending;
      pending = '';
      if (text === '') continue;
      await editor.edit((edit) => edit.insert(endOf(editor.document), text), QUIET);
      follow(editor);
    }
    await feeding;
    return ticks.sent;
  }));
  const streams = { stream: await streamed(WORDS), lines: await streamed(LINES), again: await streamed(WORDS) };
  const message = await times(() => vscode.commands.executeCommand('setContext', 'envwrightBench', 1));
  const hidden = await vscode.workspace.openTextDocument({ language: 'python', content: '' });
  const unseen = await times(async () => {
    const edit = new vscode.WorkspaceEdit();
    edit.insert(hidden.uri, new vscode.Position(hidden.lineCount, 0), '# a line of text\n');
    await vscode.workspace.applyEdit(edit);
  });
  const seen = await inEditor((editor) => times(() => editor.edit((edit) => edit.insert(endOf(editor.document), '# a line of text\n'), QUIET)));
  return { ...streams, message, unseen, seen };
}

/** The same stream as a draft that is designed by a server's model. The server has a process of its own, as models have: this thread has the editor's part alone. */
async function byDesigning(): Promise<EditorFigures> {
  const api = await vscode.extensions.getExtension<EnvwrightApi>('envwright.envwright')?.activate();
  const server = fork(path.join(__dirname, 'ticks.main.js'), [WORDS, LINES, WORDS].map(String));
  const told = async () => (await once(server, 'message'))[0] as unknown;
  const { endpoint } = ServerStarted.parse(await told());
  const settings = vscode.workspace.getConfiguration('envwright');
  for (const [key, value] of Object.entries({ 'model.provider': 'openai-compatible', 'model.endpoint': endpoint, 'model.name': 'fake', 'design.repairs': 0 })) {
    await settings.update(key, value, vscode.ConfigurationTarget.Workspace);
  }
  const labels = [WORDS, LINES, WORDS].flatMap(() => ['Mathematical Reasoning', 'Single turn', 'easy', 'No document']);
  const answering = api?.answer?.({
    input: () => Promise.resolve(''),
    pick: ({ choices }) => {
      const label = labels.shift();
      return Promise.resolve(choices.find((one): one is Extract<typeof one, { value: unknown }> => 'value' in one && one.label === label)?.value);
    },
  });
  try {
    const designed = () => delays(async () => {
      const sent = told();
      await vscode.commands.executeCommand('envwright.design');
      return SentTimes.parse(await sent);
    });
    return { stream: await designed(), lines: await designed(), again: await designed() };
  } finally {
    answering?.dispose();
    server.kill();
  }
}

async function inEditor<T>(work: (editor: vscode.TextEditor) => Promise<T>): Promise<T> {
  const editor = await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ language: 'python', content: '\n' }), { preview: false });
  return work(editor);
}

/** Keeps the end in sight, as somebody who watches would have it. */
function follow(editor: vscode.TextEditor): void {
  const end = endOf(editor.document);
  if (!editor.visibleRanges.some((range) => range.end.line >= end.line - 1)) editor.revealRange(new vscode.Range(end, end), vscode.TextEditorRevealType.InCenter);
}

function endOf(document: vscode.TextDocument): vscode.Position {
  return document.lineAt(document.lineCount - 1).range.end;
}

async function times(work: () => Thenable<unknown>): Promise<number[]> {
  const taken: number[] = [];
  for (let n = 0; n < EDITS; n += 1) {
    const started = performance.now();
    await work();
    taken.push(performance.now() - started);
  }
  return taken;
}

/** How long each chunk was under way until it stood in a document; `work` gives when each was sent. */
async function delays(work: () => Promise<readonly number[]>): Promise<number[]> {
  const seen: { readonly n: number; readonly at: number }[] = [];
  const watching = vscode.workspace.onDidChangeTextDocument(({ contentChanges }) => {
    const at = sharedNow();
    seen.push(...ticksIn(contentChanges).map((n) => ({ n, at })));
  });
  const sent = await work();
  watching.dispose();
  return seen.slice(0, CHUNKS).map(({ n, at }) => at - (sent[n] ?? Number.NaN));
}
