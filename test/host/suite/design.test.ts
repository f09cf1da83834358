import * as assert from 'node:assert';
import * as vscode from 'vscode';
import type { HintTrial } from '../../../src/core/design/hintTrial';
import type { KeptBatch, KeptDraft } from '../../../src/core/design/storedDraft';
import type { FileReport } from '../../../src/shared/findings';
import { PROMPT_VIEW_TYPE } from '../../../src/shared/contributions';
import { event, reply, startModelServer, type Answer, type ModelServer } from '../../fakes/modelServer';
import { Ticks } from '../../fakes/tickingModel';
import { isBatch, type BatchNode } from '../../../src/vscode/trees/draftsTree';
import { configured, envwright, eventually, open, sample, shown, shownIds } from './api';

const block = (code: string) => `\`\`\`python\n${code}\n\`\`\`\n`;

suite('designing', () => {
  let server: ModelServer;
  let undo: () => Promise<void> = () => Promise.resolve();
  const answering: ({ dispose(): void } | undefined)[] = [];

  teardown(async () => {
    for (const one of answering.splice(0)) one?.dispose();
    await undo();
    undo = () => Promise.resolve();
    await (server as ModelServer | undefined)?.close();
  });

  async function asking(answers: readonly Answer[], settings: Parameters<typeof configured>[0] = {}): Promise<void> {
    const api = await envwright();
    server = await startModelServer(answers);
    undo = await configured({ 'model.provider': 'openai-compatible', 'model.endpoint': server.endpoint, 'model.name': 'fake', ...settings });
    const labels = ['Mathematical Reasoning', 'Single turn', 'easy', 'No document'];
    answering.push(api.answer?.({
      input: ({ password }) => Promise.resolve(password ? '' : undefined),
      pick: ({ choices }) => {
        const label = labels.shift();
        return Promise.resolve(choices.find((one): one is Extract<typeof one, { value: unknown }> => 'value' in one && one.label === label)?.value);
      },
    }));
  }

  test('a rejected draft goes back with its findings, the first is kept, and both are compared side by side', async () => {
    const good = (await vscode.workspace.openTextDocument(sample('environments/clock_angle_env.py'))).getText();
    const faulty = good.replace(/random\.Random\(seed\)/g, 'random.Random()');
    assert.notStrictEqual(faulty, good);
    let stands = false;
    const repaired: Answer = async (...request) => {
      await eventually('the rejected draft stays until its repair comes', () => vscode.window.activeTextEditor?.document.getText().trim() === faulty.trim());
      stands = true;
      await reply(block(good))(...request);
    };
    await asking([reply(block(faulty)), repaired]);
    const kept = await vscode.commands.executeCommand<KeptDraft>('envwright.design');
    assert.deepStrictEqual(kept.draft.attempts.map(({ report }) => report?.verdict === 'reject'), [true, false]);
    assert.ok(stands);
    const sent = JSON.stringify(server.seen.filter(({ path }) => path.endsWith('/completions'))[1]?.body);
    assert.match(sent, /reset-ignores-seed/);
    assert.strictEqual(kept.draft.attempts[0]?.code.trim(), faulty.trim());
    await vscode.commands.executeCommand('envwright.compareDrafts', { kept });
    const shown = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    assert.ok(shown instanceof vscode.TabInputTextDiff);
    const left = vscode.languages.getDiagnostics(shown.original).map(({ code }) => code);
    assert.ok(left.includes('reset-ignores-seed'), JSON.stringify(left));
  });

  test('a design that stays rejected says so, with the checks that it fails and the next step', async () => {
    const good = (await vscode.workspace.openTextDocument(sample('environments/clock_angle_env.py'))).getText();
    await asking([reply(block(good.replace(/random\.Random\(seed\)/g, 'random.Random()')))], { 'design.repairs': 1 });
    const api = await envwright();
    const notices: string[] = [];
    answering.push(api.answer?.({ notice: ({ message, actions }) => (notices.push(`${message} [${actions.join(', ')}]`), Promise.resolve(undefined)) }));
    const kept = await vscode.commands.executeCommand<KeptDraft>('envwright.design');
    assert.deepStrictEqual(kept.draft.attempts.map(({ report }) => report?.verdict), ['reject', 'reject']);
    await eventually('the notice', () => notices.some((notice) => /Still rejected after 2 drafts: .*reset-ignores-seed.* \[Compare Drafts, Next Draft with Feedback…\]/.test(notice)));
  });

  test('a next draft is told what the person wishes, and keeps the task', async () => {
    const good = (await vscode.workspace.openTextDocument(sample('environments/clock_angle_env.py'))).getText();
    await asking([reply(block(good))]);
    const kept = await vscode.commands.executeCommand<KeptDraft>('envwright.design');
    const api = await envwright();
    answering.push(api.answer?.({ input: () => Promise.resolve('Use whole minutes.') }));
    const next = await vscode.commands.executeCommand<KeptDraft>('envwright.reviseDraft', { kept });
    assert.deepStrictEqual(next.options.task, kept.options.task);
    assert.match(JSON.stringify(server.seen.at(-1)?.body), /Use whole minutes\./);
    assert.strictEqual(next.draft.provenance.wish, 'Use whole minutes.');
  });

  test('a draft is made again from what is kept of it, and what is no longer the same is said', async () => {
    const good = (await vscode.workspace.openTextDocument(sample('environments/clock_angle_env.py'))).getText();
    await asking([reply(block(good))]);
    const kept = await vscode.commands.executeCommand<KeptDraft>('envwright.design');
    const notices: string[] = [];
    answering.push((await envwright()).answer?.({ notice: ({ message }) => (notices.push(message), Promise.resolve(undefined)) }));
    const same = await vscode.commands.executeCommand<KeptDraft>('envwright.remakeDraft', { kept });
    assert.deepStrictEqual(same.options, kept.options);
    assert.strictEqual(same.draft.provenance.promptHash, kept.draft.provenance.promptHash);
    assert.deepStrictEqual(notices, []);
    const { draft } = kept;
    await vscode.commands.executeCommand('envwright.remakeDraft', { kept: { ...kept, draft: { ...draft, provenance: { ...draft.provenance, model: 'another', promptHash: '0' } } } });
    assert.match(notices.join(), /Not made as before: the model is fake, and was another; the prompt has another text/);
  });

  test('a batch goes over the skills and keeps every draft', async () => {
    const api = await envwright();
    answering.push(api.answer?.({
      pick: ({ choices }) => Promise.resolve(choices.find((one): one is Extract<typeof one, { value: unknown }> => 'value' in one && ['Single turn', 'easy', 'No document'].includes(one.label))?.value),
      pickMany: ({ choices }) => Promise.resolve(choices.slice(0, 2).map(({ value }) => value)),
      input: () => Promise.resolve('3'),
    }));
    const batch = await vscode.commands.executeCommand<KeptBatch>('envwright.designBatch');
    assert.deepStrictEqual(batch.items.map(({ state }) => state), ['done', 'done', 'done']);
    assert.deepStrictEqual(new Set(batch.tasks.map(({ task }) => task.skill)).size, 2);
    assert.deepStrictEqual(new Set(batch.tasks.map(({ task }) => task.themeSeed)).size, 3);
    await vscode.commands.executeCommand('envwright.discardBatch', { batch });
  });

  test('a batch is cancelled from its row, keeps what is done, and goes on from there', async () => {
    const api = await envwright();
    assert.ok(api.drafts);
    const { drafts } = api;
    const good = (await vscode.workspace.openTextDocument(sample('environments/clock_angle_env.py'))).getText();
    let asked = 0;
    let isHeld = true;
    await asking([async (response, request) => {
      asked += 1;
      if (asked === 1 || !isHeld) return reply(block(good))(response, request);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(event({ content: '```python\nimport random\n' }));
    }], { 'design.concurrency': 1 });
    answering.push(api.answer?.({
      pick: ({ choices }) => Promise.resolve(choices.find((one): one is Extract<typeof one, { value: unknown }> => 'value' in one && ['Single turn', 'easy', 'No document'].includes(one.label))?.value),
      pickMany: ({ choices }) => Promise.resolve(choices.slice(0, 1).map(({ value }) => value)),
      input: ({ password }) => Promise.resolve(password ? '' : '3'),
    }));
    const row = async (): Promise<BatchNode> => {
      const [first] = (await drafts.rows()).filter(isBatch);
      return first ?? assert.fail('the view has no batch');
    };
    const groups = async () => (await (await row()).children?.())?.map(({ label, description }) => `${label} ${description}`);
    const making = vscode.commands.executeCommand<KeptBatch>('envwright.designBatch');
    await eventually('the first is done and the second streams', () => asked === 2);
    await eventually('the row says so', async () => (await groups())?.join() === 'being made 1,accept 1,waiting 1');
    assert.strictEqual((await row()).kind, 'batchRunning');

    await vscode.commands.executeCommand('envwright.cancelBatch', await row());
    const cancelled = await making;
    assert.deepStrictEqual(cancelled.items.map(({ state }) => state), ['done', 'cancelled', 'cancelled']);
    assert.strictEqual((await row()).kind, 'batchOpen');
    assert.deepStrictEqual(await groups(), ['accept 1', 'not made 2']);

    isHeld = false;
    const whole = await vscode.commands.executeCommand<KeptBatch>('envwright.resumeBatch', await row());
    assert.deepStrictEqual(whole.items.map(({ state }) => state), ['done', 'done', 'done']);
    assert.deepStrictEqual(whole.items[0], cancelled.items[0]);
    assert.strictEqual(asked, 4, 'the draft that was done is not asked for again');
    assert.strictEqual((await row()).kind, 'batch');
    assert.deepStrictEqual(await groups(), ['accept 3']);
    await vscode.commands.executeCommand('envwright.discardBatch', await row());
    assert.ok((await drafts.rows()).every((one) => !isBatch(one) || one.batch.id !== whole.id));
  });

  test('the model screen says no, undecided or yes, with its reason at the file', async () => {
    const uri = sample('environments/clock_angle_env.py');
    await open(uri);
    const marks = () => vscode.languages.getDiagnostics(uri).filter(({ code }) => /^screen-/.test(String(typeof code === 'object' ? code.value : code)));
    const api = await envwright();
    await asking([reply('It pays for nothing. \\boxed{no}'), reply('I cannot tell.'), reply('Fine. \\boxed{yes}')]);
    answering.push(api.answer?.({ notice: () => Promise.resolve(undefined) }));
    for (const [verdict, words] of [['no', /It pays for nothing/], ['undecided', /The run would let the file pass/], ['yes', null]] as const) {
      assert.strictEqual((await vscode.commands.executeCommand<{ verdict: string }>('envwright.screenFile', uri)).verdict, verdict);
      await eventually(`the mark of ${verdict}`, () => (words === null ? marks().length === 0 : marks().some(({ message }) => words.test(message))));
    }
  });

  test('what the screen says is silenced at its mark, which goes at once and comes back when the silencing is taken back', async () => {
    const uri = sample('environments/clock_angle_env.py');
    const api = await envwright();
    await open(uri);
    await api.whenChecked(uri, { probed: true });
    await asking([reply('I cannot tell.')]);
    answering.push(api.answer?.({
      notice: () => Promise.resolve(undefined),
      pick: ({ choices }) => Promise.resolve(choices.flatMap((choice) => ('value' in choice ? [choice.value] : []))[0]),
    }));
    await vscode.commands.executeCommand('envwright.screenFile', uri);
    const isUndecided = () => shownIds(uri).includes('screen-undecided');
    const { diagnostic } = await eventually('the mark', () => shown(uri).find(({ id }) => id === 'screen-undecided'));
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>('vscode.executeCodeActionProvider', uri, diagnostic.range);
    const { command } = actions.find(({ title }) => /Silence .screen-undecided. for this content/.test(title)) ?? {};
    assert.ok(command, actions.map(({ title }) => title).join(' | '));
    await vscode.commands.executeCommand(command.command, ...(command.arguments as unknown[]));
    await eventually('the mark is gone', () => !isUndecided());
    const report = await vscode.commands.executeCommand<FileReport>('envwright.checkFile', uri);
    assert.deepStrictEqual(report.staleSuppressions ?? [], [], 'no check of the file makes it, so that none can say it is stale');
    assert.strictEqual(await vscode.commands.executeCommand('envwright.listSilenced'), 1);
    await eventually('the mark is back', isUndecided);
    await vscode.workspace.fs.delete(sample('.envwright/suppressions.json'));
  });

  test('hints are compared on the same seeds, and the one that is kept stands beside its file, where it can be edited', async () => {
    const api = await envwright();
    const uri = sample('environments/buried_chest_env.py');
    await open(uri);
    let offered: readonly string[] = [];
    answering.push(api.answer?.({
      pick: ({ choices }) => {
        const rows = choices.filter((one): one is Extract<typeof one, { value: unknown }> => 'value' in one);
        offered = rows.map(({ label, description }) => `${label} ${description ?? ''}`);
        return Promise.resolve(rows[0]?.value);
      },
      input: ({ value }) => Promise.resolve(`${value ?? ''} Keep to it.`),
    }));
    const trials = await vscode.commands.executeCommand<readonly HintTrial[]>('envwright.compareHints', uri);
    assert.ok(trials.length > 0);
    assert.match(offered[0] ?? '', /regret −?[\d.]+ \(−?[\d.]+ to −?[\d.]+, n \d+\).*offline sample, not a model.*no leak on 16 seeds/);
    assert.strictEqual(trials[0]?.report.simulated, true);
    const file = sample('environments/buried_chest_env_hint.txt');
    const kept = new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
    assert.match(kept, /Keep to it\.\n$/);
    await vscode.workspace.fs.writeFile(file, new TextEncoder().encode('An edited hint.\n'));
    await eventually('the edited hint is among those that are compared', async () => {
      const again = await vscode.commands.executeCommand<readonly HintTrial[]>('envwright.compareHints', uri);
      return again.some(({ hint }) => hint.text.startsWith('An edited hint.'));
    }, 60_000);
    await vscode.workspace.fs.delete(file);
  });

  test('a document of the corpus is searched for, previewed and taken', async () => {
    const api = await envwright();
    undo = await configured({ 'run.corpus': 'corpus/essays.jsonl' });
    const labels = ['Causal Inference', 'Several turns, grounded in a document', 'easy', 'A document of the corpus'];
    const found: string[] = [];
    answering.push(api.answer?.({
      pick: ({ choices }) => {
        const label = labels.shift();
        return Promise.resolve(choices.find((one): one is Extract<typeof one, { value: unknown }> => 'value' in one && one.label === label)?.value);
      },
      search: async (request) => {
        const signal = new AbortController().signal;
        const first: unknown[] = [];
        await request.find('', (choices) => first.push(...choices.map(({ value }) => value)), signal);
        await request.find('the', (choices) => found.push(...choices.map(({ detail }) => detail ?? '')), signal);
        await request.preview?.(first[0] as never);
        return first[0] as never;
      },
    }));
    const kept = await vscode.commands.executeCommand<KeptDraft>('envwright.design');
    assert.match(kept.options.task.document?.id ?? '', /corpus\/essays\.jsonl:1$/);
    assert.ok(found.length > 0 && found.every((text) => /the/i.test(text)));
    assert.ok(kept.draft.provenance.document?.hash);
    assert.ok(vscode.workspace.textDocuments.some(({ uri }) => uri.path === '/document-1.txt'));
  });

  test('the panel of the prompt comes back after a reload with what was chosen, and as new where nothing was kept that can be read', async () => {
    const api = await envwright();
    const tabs = () => vscode.window.tabGroups.all.flatMap((group) => group.tabs).filter(({ input }) => input instanceof vscode.TabInputWebview && input.viewType.endsWith(PROMPT_VIEW_TYPE));
    const setup = {
      kind: 'grounded', skill: 'Causal Inference', difficulty: 'hard', themeSeed: 7, document: { id: 'notes.txt', text: 'How a lock lifts a barge.' }, useDocument: true, useMemory: false,
      drawSeed: 11, draws: { seeds: 2, negatives: 1 }, chosen: null, wish: '',
    };
    const kept = { v: 1, setup, variant: 'full', useFeedback: false, drafts: 3, corpus: null };
    for (const [state, isKept] of [[kept, true], [{ ...kept, v: 0 }, false], [{ ...kept, setup: { ...setup, skill: 'Tool Selection' } }, false], [undefined, false]] as const) {
      await api.restorePrompt?.(vscode.window.createWebviewPanel(PROMPT_VIEW_TYPE, 'Design Prompt', vscode.ViewColumn.One), state);
      const prompt = await vscode.commands.executeCommand<string>('envwright.showPrompt');
      assert.ok(prompt.length > 1_000);
      assert.strictEqual(/How a lock lifts a barge\./.test(prompt) && /Causal Inference/.test(prompt), isKept);
      await eventually('it is the one panel', () => tabs().length === 1);
      await vscode.window.tabGroups.close(tabs());
      await eventually('it is closed', () => tabs().length === 0);
    }
  });

  test('a stream of 200 chunks a second reaches the editor whole and in its order', async () => {
    const ticks = new Ticks(400, 200);
    await asking([ticks.answer], { 'design.repairs': 0 });
    const seen: number[] = [];
    const watching = vscode.workspace.onDidChangeTextDocument(({ contentChanges }) => seen.push(...ticks.in(contentChanges).map(({ n }) => n)));
    await vscode.commands.executeCommand('envwright.design');
    watching.dispose();
    // A cursor that went along with the text would cost a layout of it at every edit.
    assert.deepStrictEqual(vscode.window.activeTextEditor?.selection.active, new vscode.Position(0, 0));
    assert.deepStrictEqual(seen.slice(0, ticks.chunks), Array.from({ length: ticks.chunks }, (_, n) => n));
  });
});
