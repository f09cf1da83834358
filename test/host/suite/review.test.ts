import * as assert from 'node:assert';
import { existsSync, readFileSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { Decision, ReviewNote } from '../../../src/core/review/decision';
import type { ReviewFeature } from '../../../src/vscode/review/feature';
import type { KeptBatch } from '../../../src/core/design/storedDraft';
import type { EnvwrightApi } from '../../../src/vscode/api';
import { envwright, eventually, freshRun, sample } from './api';

const run = <T>(command: string, ...args: unknown[]) => vscode.commands.executeCommand<T>(`envwright.${command}`, ...args);
const reviewsFolder = () => sample('.envwright/reviews').fsPath;

/** Everything that is kept in the folder of reviews. */
async function kept(): Promise<{ decisions: Decision[]; notes: ReviewNote[] }> {
  const names = await fs.readdir(reviewsFolder()).catch(() => []);
  const read = async (name: string): Promise<unknown> => JSON.parse(await fs.readFile(path.join(reviewsFolder(), name), 'utf8'));
  const all = await Promise.all(names.sort().map(async (name) => [name, await read(name)] as const));
  return {
    decisions: all.filter(([name]) => !name.endsWith('.note.json')).map(([, value]) => Decision.parse(value)),
    notes: all.filter(([name]) => name.endsWith('.note.json')).map(([, value]) => ReviewNote.parse(value)),
  };
}

/** A folder of three environments, one of them a renamed copy, in the workspace. */
async function threeFiles(name: string): Promise<vscode.Uri> {
  const folder = sample(name);
  await vscode.workspace.fs.createDirectory(folder);
  const chest = await fs.readFile(sample('environments/buried_chest_env.py').fsPath, 'utf8');
  const put = (file: string, text: string) => fs.writeFile(vscode.Uri.joinPath(folder, file).fsPath, `# ${name}\n${text}`);
  await put('chest_env.py', chest);
  await put('copy_env.py', chest.replace('class BuriedChestEnv', 'class OtherEnv').replaceAll('self.turns', 'self.moves'));
  await put('clock_env.py', await fs.readFile(sample('environments/clock_angle_env.py').fsPath, 'utf8'));
  return folder;
}

suite('the review', () => {
  let review: ReviewFeature;
  let answering: { dispose(): void } | undefined;

  suiteSetup(async () => {
    const api = await envwright();
    assert.ok(api.review && api.answer);
    review = api.review;
    answering = api.answer({
      input: ({ title }) => Promise.resolve(/Name/.test(title) ? 'first' : 'because of the middle part'),
      pick: ({ choices }) => Promise.resolve(choices.flatMap((choice) => ('value' in choice ? [choice.value] : []))[1]),
      notice: () => Promise.resolve(undefined),
    });
  });

  /** Answers otherwise while something is done. */
  const answeringWith = async <T>(answers: Parameters<NonNullable<EnvwrightApi['answer']>>[0], work: () => Promise<T>): Promise<T> => {
    const other = (await envwright()).answer!(answers);
    try {
      return await work();
    } finally {
      other.dispose();
    }
  };
  /** Picks by label while something is done. */
  const choosing = (wanted: string | RegExp, work: () => Promise<void>): Promise<void> => answeringWith({
    pick: ({ title, choices }) => {
      for (const choice of choices) if ('value' in choice && (typeof wanted === 'string' ? choice.label === wanted : wanted.test(choice.label))) return Promise.resolve(choice.value);
      assert.fail(`No “${String(wanted)}” in ${title}`);
    },
  }, work);

  suiteTeardown(async () => {
    answering?.dispose();
    await run('endReview');
    await vscode.workspace.getConfiguration('envwright').update('review.name', undefined, vscode.ConfigurationTarget.Global);
  });

  test('lists the environments of a folder, opens the first, and gets verdicts in the background', async () => {
    assert.strictEqual(await run('startReview', await threeFiles('listed')), 3);
    assert.strictEqual(vscode.window.activeTextEditor?.document.uri.fsPath, review.session.current);
    await eventually('every file has a verdict', () => review.session.all().every(({ verdict }) => verdict !== null), 60_000);
    const journal = sample('.envwright/cache/audit.jsonl').fsPath;
    await eventually('the verdicts are kept', () => existsSync(journal) && readFileSync(journal, 'utf8').split('\n').length > 3, 30_000);
    assert.strictEqual(await fs.readFile(sample('.envwright/cache/.gitignore').fsPath, 'utf8'), '*\n');
  });

  test('finds the copy by structure, and compares it with the editor’s own diff', async () => {
    await run('startReview', await threeFiles('copies'));
    const item = await eventually('the copies are found', () => review.session.all().find(({ copies }) => copies !== null), 30_000);
    assert.strictEqual(item.copies?.keys.length, 2);
    await run('reviewCompare', { item });
    await eventually('a diff is open', () => vscode.window.tabGroups.activeTabGroup.activeTab?.input instanceof vscode.TabInputTextDiff);
  });

  test('a decision is one file, leads to the next file, and is taken back with one command', async () => {
    await run('startReview', await threeFiles('decided'));
    const [before, first] = [(await kept()).decisions.length, review.session.current];
    assert.ok(first);
    await run('reviewAccept');
    await run('reviewReject');
    const { decisions } = await kept();
    assert.strictEqual(decisions.length, before + 2);
    const accepted = decisions.find(({ file }) => first.endsWith(file));
    assert.ok(accepted);
    assert.deepStrictEqual([accepted.verdict, accepted.reviewer], ['accept', 'first']);
    const rejected = decisions.find(({ comment }) => comment === 'because of the middle part');
    assert.deepStrictEqual(rejected?.reasons, ['too-easy']);
    assert.ok(await fs.stat(sample(`.envwright/sources/${accepted.contentHash}.py`).fsPath), 'the accepted text is kept');
    assert.strictEqual(review.session.list().length, 1);
    assert.strictEqual(review.session.progress().decided, 2);
    await run('reviewUndo');
    assert.strictEqual((await kept()).decisions.length, before + 1);
    assert.strictEqual(review.session.list().length, 2);
  });

  test('takes the games of the linked run, each content once and those in play by their own file, with what the run knows of them', async () => {
    await run('linkRun', await freshRun());
    await choosing('Games of the Linked Run', async () => void (await run('startReview')));
    assert.strictEqual(review.session.progress().total, 20);
    const game = review.session.all().find(({ file }) => /spade_games[\\/]game_00012_002_/.test(file));
    assert.ok(game, 'a game in play');
    assert.deepStrictEqual([game.skill, game.facts.winRate, game.facts.plays, typeof game.facts.hint], ['Pattern Recognition', 0.5, null, 'string']);
    assert.ok(game.regret);
    const near = await eventually('the games were compared', () => review.session.all().find(({ like }) => like !== null), 30_000);
    assert.ok(near);
    assert.ok(review.session.all().every(({ like }) => like === null || like.similarity < 1), 'no game is a copy of its own record');
  });

  test('takes drafts, as files on which decisions and notes can stand, and those of one batch', async () => {
    const batch = await answeringWith({
      pick: ({ choices }) => Promise.resolve(choices.find((one): one is Extract<typeof one, { value: unknown }> => 'value' in one && ['Single turn', 'easy', 'No document'].includes(one.label))?.value),
      pickMany: ({ choices }) => Promise.resolve(choices.slice(0, 2).map(({ value }) => value)),
      input: () => Promise.resolve('2'),
    }, async () => run<KeptBatch>('designBatch'));
    await choosing('Drafts', async () => void (await run('startReview')));
    const all = review.session.all().length;
    assert.ok(all >= 1);
    await choosing(/^Batch of 2 /, async () => void (await run('startReview')));
    const items = review.session.all();
    assert.ok(items.length >= 1 && items.length <= 2 && items.length <= all);
    for (const { file, skill } of items) {
      assert.match(file, /\.envwright[\\/]drafts[\\/]\d{4}_\w+_env\.py$/);
      assert.ok(batch.tasks.some(({ task }) => task.skill === skill));
    }
    const first = review.session.item(review.session.current);
    assert.ok(first);
    await run('reviewAccept');
    assert.ok((await kept()).decisions.some(({ contentHash, file }) => contentHash === first.contentHash && file.startsWith('.envwright/drafts/')));
    await run('discardBatch', { batch });
  });

  test('keys that come faster than a file opens mean one file each', async () => {
    await run('startReview', await threeFiles('quick'));
    const before = (await kept()).decisions.length;
    const decided = await Promise.all([run<string>('reviewAccept'), run<string>('reviewAccept')]);
    assert.strictEqual(new Set(decided).size, 2, decided.join());
    assert.strictEqual((await kept()).decisions.length, before + 2);
    assert.strictEqual(review.session.progress().decided, 2);
  });

  test('a file comes again once it changed, with the earlier decision said to be stale', async () => {
    const folder = await threeFiles('changed');
    await run('startReview', folder);
    const file = review.session.current;
    assert.ok(file);
    await run('reviewAccept');
    const document = await vscode.workspace.openTextDocument(file);
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(0, 0), '# another text\n');
    await vscode.workspace.applyEdit(edit);
    await document.save();
    const again = await eventually('the file is listed again', () => review.session.list().find((item) => item.file === file));
    assert.deepStrictEqual(again.stale.map(({ verdict }) => verdict), ['accept']);
    assert.strictEqual(again.decision, null);
  });

  test('plays of earlier sessions count for the very text that was played', async () => {
    const api = await envwright();
    const folder = await threeFiles('played');
    const uri = vscode.Uri.joinPath(folder, 'clock_env.py');
    // Both arms are played only where there is a hint.
    const hint = 'The hour hand moves half a degree a minute.';
    const settings = { hint, seeds: '0-2', plays: 1, mode: 'paired', chance: 0, chanceHint: 1 } as const;
    const report = await api.play(uri, { policy: 'simulated', ...settings });
    assert.ok(report.paired);
    // The newest, and of no account: a hint changes nothing for who plays the solution.
    await api.play(uri, { policy: 'oracle', ...settings });
    await run('startReview', folder);
    const item = await eventually('the plays are known', () => review.session.all().find(({ file, disagreement }) => file === uri.fsPath && disagreement !== null), 30_000);
    assert.strictEqual(item.regret?.value, 1);
    assert.strictEqual(review.session.all().filter(({ regret }) => regret !== null).length, 1);
  });

  test('decisions of another reviewer come in with version control and are counted apart', async () => {
    await run('startReview', await threeFiles('two reviewers'));
    const item = review.session.item(review.session.current);
    assert.ok(item);
    await run('reviewAccept');
    const mine = (await kept()).decisions.find(({ contentHash }) => contentHash === item.contentHash);
    assert.ok(mine);
    const other = { ...mine, id: 'another-decision', reviewer: 'second', verdict: 'reject' };
    await fs.writeFile(path.join(reviewsFolder(), `${item.contentHash.slice(0, 16)}-another-decision.json`), JSON.stringify(other));
    const report = await run<string>('reviewSummary');
    assert.match(report, /\| first \|/);
    assert.match(report, /\| second \| 0 \| 1 \| 0 \|/);
    assert.match(report, /Of 1 contents that several decided on, all said the same on 0 %/);
  });

  test('notes stand on their lines, are kept as files, follow edits, and go when they are removed', async () => {
    const folder = await threeFiles('noted');
    const document = await vscode.workspace.openTextDocument(vscode.Uri.joinPath(folder, 'clock_env.py'));
    await vscode.window.showTextDocument(document);
    const line = document.getText().split('\n').findIndex((text) => text.includes('def step'));
    const thread = { uri: document.uri, range: new vscode.Range(line, 0, line, 0), comments: [], dispose: () => undefined } as unknown as vscode.CommentThread;
    await review.notes.save({ thread, text: 'what if <b>it</b> is *late*?' });
    const shown = await eventually('the thread is shown', () => review.notes.threadsOf(document.uri)[0]);
    assert.strictEqual(shown.range?.start.line, line);
    assert.strictEqual((await kept()).notes.at(-1)?.note.text.trim().startsWith('def step'), true);
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(0, 0), 'import math\n\n\n');
    await vscode.workspace.applyEdit(edit);
    await eventually('the thread has moved', () => review.notes.threadsOf(document.uri)[0]?.range?.start.line === line + 3);
    const changed = new vscode.WorkspaceEdit();
    changed.replace(document.uri, document.lineAt(line + 3).range, '    def step(self, action, more=None):');
    await vscode.workspace.applyEdit(changed);
    await eventually('the thread says that its line is another', () => /has changed/.test(review.notes.threadsOf(document.uri)[0]?.label ?? ''));
    const [answer] = review.notes.threadsOf(document.uri);
    assert.ok(answer);
    await review.notes.save({ thread: answer, text: 'it is not' });
    const two = await eventually('the answer is shown', () => (answer.comments.length === 2 ? answer.comments : undefined));
    assert.strictEqual(two[0]?.body instanceof vscode.MarkdownString && /<b>/.test(two[0].body.value), false, 'the body is text');
    for (const comment of [...two].reverse()) await run('removeNote', comment);
    await eventually('no thread is left', () => review.notes.threadsOf(document.uri).length === 0);
    assert.strictEqual((await kept()).notes.length, 0);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });
});
