import * as assert from 'node:assert';
import * as vscode from 'vscode';
import type { Finding } from '../../../src/shared/findings';
import { message } from '../../../src/shared/message';
import { CheckPages } from '../../../src/vscode/checks/checkPages';
import { CheckStore } from '../../../src/vscode/checks/checkStore';
import { VerdictDecorations } from '../../../src/vscode/checks/decorations';
import { diagnosticsOf } from '../../../src/vscode/checks/diagnostics';
import { failureOf } from '../../../src/vscode/tests/testMessages';
import { envwright } from './api';

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
  });

  test('a traceback leads to the lines of the file, and to no others', () => {
    const failure = failureOf(uri, 'env.py', finding);
    assert.deepStrictEqual(failure.stackTrace?.map(({ uri: at, position }) => [at?.toString(), position?.line]), [[uri.toString(), 0]]);
    assert.strictEqual(failure.location?.range.start.line, 1);
  });
});

suite('decorations', () => {
  test('a badge and a colour of the theme say the verdict; what was not run never looks passed', () => {
    const store = new CheckStore();
    const decorations = new VerdictDecorations(store);
    const judged = { uri, version: 1, anchor, text: 'a' };
    store.put({ ...judged, report });
    const rejected = decorations.provideFileDecoration(uri);
    assert.strictEqual(rejected?.badge, '✗');
    assert.match(rejected?.tooltip ?? '', /Reject: 1 error/);
    assert.ok(rejected?.color);
    store.put({ ...judged, version: 2, text: 'b', report: { ...report, verdict: 'accept-with-warnings', findings: [], timing: { staticMs: 1, probeMs: null } } });
    assert.strictEqual(decorations.provideFileDecoration(uri)?.badge, 'i');
    store.put({ ...judged, version: 3, text: 'c', report: { ...report, verdict: 'accept', findings: [] } });
    assert.strictEqual(decorations.provideFileDecoration(uri)?.badge, '✓');
    store.put({ ...judged, version: 4, text: 'd', anchor: undefined, report });
    assert.strictEqual(decorations.provideFileDecoration(uri), undefined);
    decorations.dispose();
    store.dispose();
  });
});
