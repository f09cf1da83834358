import * as assert from 'node:assert';
import * as vscode from 'vscode';
import { KINDS } from '../../../src/core/design/skills';
import type { KeptDraft } from '../../../src/core/design/storedDraft';
import type { FileReport } from '../../../src/shared/findings';
import { envwright, eventually, open, sample, shown, shownIds } from './api';

const FILE = 'environments/faulty_pipe_share_env.py';

async function actionsAt(uri: vscode.Uri, id: string): Promise<vscode.CodeAction[]> {
  const diagnostic = shown(uri).find((one) => one.id === id)?.diagnostic;
  assert.ok(diagnostic, `${id} among ${shownIds(uri).join(', ')}`);
  return vscode.commands.executeCommand<vscode.CodeAction[]>('vscode.executeCodeActionProvider', uri, diagnostic.range);
}

async function take(actions: readonly vscode.CodeAction[], title: RegExp): Promise<unknown> {
  const command = actions.find((action) => title.test(action.title))?.command;
  assert.ok(command, `${title} among ${actions.map((action) => action.title).join(' | ')}`);
  return vscode.commands.executeCommand(command.command, ...(command.arguments as unknown[] ?? []));
}

async function recorded(name: string): Promise<Record<string, unknown>> {
  return JSON.parse(new TextDecoder().decode(await vscode.workspace.fs.readFile(sample(`.envwright/${name}`)))) as Record<string, unknown>;
}

async function lensTitles(uri: vscode.Uri): Promise<string[]> {
  const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri);
  return lenses.map(({ command }) => command?.title ?? '');
}

suite('deciding', () => {
  let answering: { dispose(): void } | undefined;

  teardown(async () => {
    answering?.dispose();
    for (const name of ['suppressions.json', 'profiles.json']) await vscode.workspace.fs.delete(sample(`.envwright/${name}`)).then(undefined, () => undefined);
    await vscode.workspace.getConfiguration('envwright').update('check.severities', undefined, vscode.ConfigurationTarget.Global);
  });

  test('an error is silenced for this content alone: the verdict is then at best one with warnings, and an edit makes the silencing stale', async () => {
    const api = await envwright();
    const uri = sample(FILE);
    await open(uri);
    await api.whenChecked(uri, { probed: true });
    const offered = await actionsAt(uri, 'solution-does-not-win');
    assert.ok(!offered.some(({ title }) => /solution-does-not-win.*in this workspace/.test(title)), 'an error is never silenced everywhere');
    await take(offered, /Silence .solution-does-not-win. for this content/);
    await eventually('the finding is no longer shown', () => !shownIds(uri).includes('solution-does-not-win'));
    const { suppressions } = await recorded('suppressions.json');
    assert.deepStrictEqual((suppressions as { id: string; file: string }[]).map(({ id, file }) => [id, file]), [['solution-does-not-win', FILE]]);
    const report = await vscode.commands.executeCommand<FileReport>('envwright.checkFile', uri);
    assert.strictEqual(report.verdict, 'accept-with-warnings');
    assert.ok(report.suppressed.some(({ id }) => id === 'solution-does-not-win'));

    const edit = new vscode.WorkspaceEdit();
    edit.insert(uri, new vscode.Position(0, 0), '# edited\n');
    await vscode.workspace.applyEdit(edit);
    const stale = await eventually('the silencing is reported as stale', () =>
      vscode.languages.getDiagnostics(uri).find(({ source, code }) => source === 'Envwright' && code === 'stale-silencing'));
    assert.match(stale.message, /changed since/);
    answering = api.answer?.({ pick: ({ choices }) => Promise.resolve(choices.flatMap((choice) => ('value' in choice ? [choice.value] : []))[0]) });
    await vscode.commands.executeCommand('workbench.action.files.revert');
    assert.strictEqual(await vscode.commands.executeCommand('envwright.listSilenced'), 1);
    assert.deepStrictEqual((await recorded('suppressions.json')).suppressions, []);
    await eventually('the finding is back', () => shownIds(uri).includes('solution-does-not-win'));
  });

  test('a warning is silenced in the whole workspace', async () => {
    const api = await envwright();
    const uri = sample(FILE);
    await open(uri);
    await api.whenChecked(uri, { probed: true });
    await take(await actionsAt(uri, 'boxed-regex-cuts-nested-braces'), /Silence .boxed-regex-cuts-nested-braces. in this workspace/);
    await eventually('the finding is no longer shown', () => !shownIds(uri).includes('boxed-regex-cuts-nested-braces'));
    assert.deepStrictEqual((await recorded('suppressions.json')).suppressions, [{ scope: 'workspace', id: 'boxed-regex-cuts-nested-braces' }]);
  });

  test('a damaged file of silencings silences nothing, is named, and stays as it is', async () => {
    const api = await envwright();
    const uri = sample(FILE);
    const notices: string[] = [];
    answering = api.answer?.({ notice: ({ message }) => (notices.push(message), Promise.resolve(undefined)) });
    await vscode.workspace.fs.createDirectory(sample('.envwright'));
    await vscode.workspace.fs.writeFile(sample('.envwright/suppressions.json'), new TextEncoder().encode('{"version": 1, "suppressions": ['));
    await open(uri);
    const report = await vscode.commands.executeCommand<FileReport>('envwright.checkFile', uri);
    assert.ok(report.findings.some(({ id }) => id === 'solution-does-not-win'));
    await eventually('the damage is named', () => notices.find((notice) => /suppressions\.json cannot be read/.test(notice)));
    const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(sample('.envwright/suppressions.json')));
    assert.strictEqual(text, '{"version": 1, "suppressions": [');
  });

  test('“explain” opens the page of the check in a preview', async () => {
    const api = await envwright();
    const uri = sample(FILE);
    await open(uri);
    await api.whenChecked(uri, { probed: true });
    await take(await actionsAt(uri, 'solution-does-not-win'), /Explain .solution-does-not-win/);
    await eventually('a preview of the page is open', () =>
      vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).find(({ label }) => label.includes('solution-does-not-win')));
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
  });

  test('a finding is sent to the designer, who is told of it and of the file; the file itself stays as it is', async () => {
    const api = await envwright();
    const uri = sample(FILE);
    const document = await open(uri);
    const before = document.getText();
    const { profile } = await api.whenChecked(uri, { probed: true });
    // The kind of the file is known, and it brings its own matter.
    const labels = ['Mathematical Reasoning', 'medium'];
    answering = api.answer?.({
      pick: ({ choices }) => {
        const label = labels.shift();
        return Promise.resolve(choices.find((one): one is Extract<typeof one, { value: unknown }> => 'value' in one && one.label === label)?.value);
      },
    });
    const kept = await take(await actionsAt(uri, 'solution-does-not-win'), /Send .solution-does-not-win. to the designer/) as KeptDraft | undefined;
    assert.ok(kept, 'a draft');
    assert.match(kept.draft.code, /class \w+Env\b/);
    assert.deepStrictEqual([KINDS[kept.options.task.kind].profile, kept.options.task.document, labels], [profile, null, []]);
    assert.notStrictEqual(kept.uri, uri.toString());
    assert.strictEqual(document.getText(), before);
  });

  test('a profile is chosen with a reason, shown above the class, and taken back', async () => {
    const api = await envwright();
    const uri = sample('environments/clock_angle_env.py');
    await open(uri);
    const detected = (await api.whenChecked(uri, { probed: true })).profile;
    assert.strictEqual(detected, 's');
    assert.ok((await lensTitles(uri)).includes('Profile: Single-turn'), (await lensTitles(uri)).join(' | '));
    let choice: unknown = 'c';
    answering = api.answer?.({
      pick: ({ choices }) => Promise.resolve(choices.find((one): one is Extract<typeof one, { value: unknown }> => 'value' in one && one.value === choice)?.value),
      input: () => Promise.resolve('made from a document'),
    });
    assert.strictEqual(await vscode.commands.executeCommand('envwright.chooseProfile', uri), 'c');
    await eventually('the chosen profile shows', async () => (await lensTitles(uri)).includes('Profile: Corpus-grounded'));
    const { profiles } = await recorded('profiles.json');
    assert.strictEqual((profiles as { why: string }[])[0]?.why, 'made from a document');
    choice = null;
    assert.strictEqual(await vscode.commands.executeCommand('envwright.chooseProfile', uri), null);
    await eventually('the profile is detected again', async () => (await lensTitles(uri)).includes('Profile: Single-turn'));
  });

  test('a severity of the settings counts, and an error made less never gives a clean accept', async () => {
    const api = await envwright();
    const uri = sample('environments/faulty_mood_ring_env.py');
    await open(uri);
    await api.whenChecked(uri, { probed: true });
    await vscode.workspace.getConfiguration('envwright').update('check.severities', { 'reset-ignores-seed': 'info' }, vscode.ConfigurationTarget.Global);
    const { diagnostic } = await eventually('the severity changes', () =>
      shown(uri).find(({ id, diagnostic: { severity } }) => id === 'reset-ignores-seed' && severity === vscode.DiagnosticSeverity.Information));
    assert.ok(diagnostic);
    const report = await vscode.commands.executeCommand<FileReport>('envwright.checkFile', uri);
    assert.strictEqual(report.verdict, 'accept-with-warnings');
  });

  test('what a run found stands again when an edit is undone', async () => {
    const api = await envwright();
    const uri = sample('environments/clock_angle_env.py');
    const document = await open(uri);
    await api.whenChecked(uri, { probed: true });
    const before = (await lensTitles(uri))[0];
    assert.match(before ?? '', /Accept/);
    const edit = new vscode.WorkspaceEdit();
    edit.insert(uri, new vscode.Position(0, 0), '# a word\n');
    await vscode.workspace.applyEdit(edit);
    await eventually('the text alone is judged', async () => /Syntax tree only/.test((await lensTitles(uri))[0] ?? ''));
    const undo = new vscode.WorkspaceEdit();
    undo.delete(uri, new vscode.Range(0, 0, 1, 0));
    await vscode.workspace.applyEdit(undo);
    assert.ok(document.getText().startsWith('"""') || document.lineCount > 0);
    await eventually('the verdict of the run stands again', async () => (await lensTitles(uri))[0] === before);
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });
});
