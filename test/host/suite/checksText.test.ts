import * as assert from 'node:assert';
import * as vscode from 'vscode';
import type { Finding } from '../../../src/shared/findings';
import { Emitter } from '../../../src/core/lifecycle';
import { message } from '../../../src/shared/message';
import type { CheckEngine } from '../../../src/vscode/checks/checkEngine';
import { Checker } from '../../../src/vscode/checks/checker';
import { CheckPages } from '../../../src/vscode/checks/checkPages';
import { CheckStore } from '../../../src/vscode/checks/checkStore';
import { VerdictDecorations } from '../../../src/vscode/checks/decorations';
import { diagnosticsOf } from '../../../src/vscode/checks/diagnostics';
import type { UserDecisions } from '../../../src/vscode/checks/decisions';
import { VerdictMemory } from '../../../src/vscode/checks/verdictMemory';
import { failureOf } from '../../../src/vscode/tests/testMessages';
import { envwright, eventually, sample } from './api';

const HOSTILE = '\u001b[31m[click](command:workbench.action.quit) **bold** <img src=x>\u202e\u0007\r\nnext';
/** Everything that moves a cursor, rings, or turns the direction of text; line ends are put there by us alone. */
const CONTROL = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

const finding: Finding = {
  id: 'step-not-replayable', severity: 'error', stage: 'probe', line: 2, column: 1, endLine: 2, endColumn: 5,
  message: message('The environment failed: {said}.', { said: HOSTILE }), fix: null,
  related: [{ line: 3, column: 1, endLine: 3, endColumn: 2, message: message('{said}', { said: HOSTILE }) }],
  evidence: { seed: 3, actions: [HOSTILE], expected: HOSTILE, actual: `${HOSTILE}!`, detail: HOSTILE, traceback: [`env.py:1 in ${HOSTILE}`, '/lib/json.py:7 in loads'] },
};

const report = { file: 'env.py', verdict: 'reject' as const, class: 'AEnv', profile: 's' as const, findings: [finding], suppressed: [], notChecked: [], timing: { staticMs: 1, probeMs: 2 } };
const uri = vscode.Uri.file('/nowhere/env.py');
const anchor = { className: 'AEnv', range: { line: 1, column: 1, endLine: 1, endColumn: 2 } };

suite('untrusted text', () => {
  test('no control character of an environment reaches a diagnostic, its related places, or a test message; nothing is Markdown', async () => {
    await envwright();
    const [diagnostic] = diagnosticsOf({ uri, report, version: 1, probed: true, earlier: [], anchor, ran: undefined }, new CheckPages(uri));
    assert.ok(diagnostic);
    const failure = failureOf(uri, 'env.py', finding);
    const said = failure.message;
    assert.ok(typeof said === 'string');
    const texts = [
      diagnostic.message, ...(diagnostic.relatedInformation ?? []).map((place) => place.message),
      said, failure.expectedOutput ?? '', failure.actualOutput ?? '', ...(failure.stackTrace ?? []).map(({ label }) => label),
    ];
    assert.ok(texts.length >= 6);
    for (const text of texts) assert.doesNotMatch(text, CONTROL, JSON.stringify(text));
    assert.ok(diagnostic.message.includes('[click](command:'), 'the text itself is shown as it is');
    assert.ok(diagnostic.message.includes(String.raw`Actions: "\u001b[31m[click]`), 'an action stands as JSON writes it, with one backslash for a sign');
  });

  test('a traceback leads to the lines of the file, and to no others', () => {
    const failure = failureOf(uri, 'env.py', finding);
    assert.deepStrictEqual(failure.stackTrace?.map(({ uri: at, position }) => [at?.toString(), position?.line]), [[uri.toString(), 0]]);
    assert.strictEqual(failure.location?.range.start.line, 1);
  });
});

/** A memento that lives as long as the test. */
class Kept implements vscode.Memento {
  private readonly values = new Map<string, unknown>();
  keys = (): readonly string[] => [...this.values.keys()];
  get = <T>(key: string): T | undefined => this.values.get(key) as T | undefined;
  update = (key: string, value: unknown): Promise<void> => {
    this.values.set(key, structuredClone(value));
    return Promise.resolve();
  };
}

suite('decorations', () => {
  test('a badge and a colour of the theme say the verdict; what was not run never looks passed', async () => {
    const store = new CheckStore();
    const memory = new VerdictMemory(store, { onDidChange: new Emitter<void>().event }, new Kept(), '1');
    const decorations = new VerdictDecorations(store, memory);
    const judged = { uri, version: 1, anchor, text: 'a' };
    store.put({ ...judged, report });
    const rejected = await decorations.provideFileDecoration(uri);
    assert.strictEqual(rejected?.badge, '✗');
    assert.match(rejected?.tooltip ?? '', /Reject: 1 error/);
    assert.ok(rejected?.color);
    store.put({ ...judged, version: 2, text: 'b', report: { ...report, verdict: 'accept-with-warnings', findings: [], timing: { staticMs: 1, probeMs: null } } });
    assert.strictEqual((await decorations.provideFileDecoration(uri))?.badge, 'i');
    store.put({ ...judged, version: 3, text: 'c', report: { ...report, verdict: 'accept', findings: [] } });
    assert.strictEqual((await decorations.provideFileDecoration(uri))?.badge, '✓');
    store.put({ ...judged, version: 4, text: 'd', anchor: undefined, report });
    assert.strictEqual(await decorations.provideFileDecoration(uri), undefined);
    decorations.dispose();
    memory.dispose();
    store.dispose();
  });

  test('a closed file keeps its sign, also in the next window, until its text, the decisions or the checks are others', async () => {
    const [store, decided, memento] = [new CheckStore(), new Emitter<void>(), new Kept()];
    const file = sample('kept_verdict_env.py');
    const write = (text: string) => vscode.workspace.fs.writeFile(file, new TextEncoder().encode(text));
    await write('class AEnv: pass\n');
    const memory = new VerdictMemory(store, { onDidChange: decided.event }, memento, '1');
    store.put({ uri: file, version: 1, anchor, text: 'class AEnv: pass\n', report });
    await eventually('it is kept', () => memory.of(file));
    store.delete(file);
    const signOf = async (of: VerdictMemory) => (await new VerdictDecorations(store, of).provideFileDecoration(file))?.badge;
    assert.strictEqual(await signOf(memory), '✗');
    memory.dispose();

    const next = new VerdictMemory(store, { onDidChange: decided.event }, memento, '1');
    assert.strictEqual(await signOf(next), '✗', 'it is there in the next window');
    assert.strictEqual(await signOf(new VerdictMemory(store, { onDidChange: decided.event }, memento, '2')), undefined, 'other checks may judge otherwise');
    await write('class AEnv: ...\n');
    assert.strictEqual(await signOf(next), undefined, 'another text was not judged');
    await write('class AEnv: pass\n');
    assert.strictEqual(await signOf(next), '✗');

    store.put({ uri: file, version: 2, anchor, text: 'class AEnv: pass\n', report: { ...report, verdict: 'cannot-run' } });
    store.delete(file);
    await eventually('what could not be run is not kept', async () => (await next.of(file)) === undefined);
    store.put({ uri: file, version: 3, anchor, text: 'class AEnv: pass\n', report });
    await eventually('it is kept again', () => next.of(file));
    decided.fire();
    assert.strictEqual(await next.of(file), undefined, 'a decision may change every verdict');
    await vscode.workspace.fs.delete(file);
  });
});

suite('checking all environments', () => {
  test('one command judges every environment of the workspace, and the files keep their verdicts', async () => {
    await envwright();
    const counts = await vscode.commands.executeCommand<Record<string, number>>('envwright.checkAll');
    assert.ok(counts['reject']! >= 3 && counts['accept']! >= 3, JSON.stringify(counts));
    assert.strictEqual(counts['failed'], 0);
  });

  test('a check of a file that nobody has open ends with its signal, and one that the editor makes of an open file goes on', async () => {
    await envwright();
    const begun: AbortSignal[] = [];
    const engine: CheckEngine = {
      byText: () => Promise.resolve({ report, anchor }),
      full: (_, signal) => new Promise((_resolve, reject) => {
        begun.push(signal);
        signal.addEventListener('abort', () => reject(new DOMException('stopped', 'AbortError')));
      }),
      forget: () => undefined,
    };
    const decisions = { onDidChange: () => ({ dispose: () => undefined }), subjectOf: ({ uri: { path } }: { uri: vscode.Uri }) => Promise.resolve({ text: '', file: path, key: path }) };
    const silent = () => undefined;
    const checker = new Checker(engine, new CheckStore(), decisions as unknown as UserDecisions, { info: silent, warn: silent, error: silent });
    const files = [sample('closed_env.py'), sample('opened_env.py')] as const;
    for (const file of files) await vscode.workspace.fs.writeFile(file, new TextEncoder().encode('class AEnv:\n    def reset(self): ...\n    def step(self, action): ...\n'));
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(files[1]));
    await eventually('the open one is being checked', () => begun.length === 1);
    for (const [at, file] of files.entries()) {
      const stopper = new AbortController();
      const checking = checker.checkFile(file, stopper.signal);
      await eventually('it is being checked', () => begun.length === 2);
      stopper.abort();
      await assert.rejects(checking, { name: 'AbortError' });
      assert.deepStrictEqual(begun.map(({ aborted }) => aborted), [false, true], files[at]!.path);
    }
    checker.dispose();
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    for (const file of files) await vscode.workspace.fs.delete(file);
  });
});
