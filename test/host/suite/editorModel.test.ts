import * as assert from 'node:assert';
import * as vscode from 'vscode';
import { isCancelled } from '../../../src/core/errors';
import type { KeptDraft } from '../../../src/core/design/storedDraft';
import { collectReply } from '../../../src/core/models/collect';
import { ModelError } from '../../../src/core/models/errors';
import type { ChatEvent, HealthLine } from '../../../src/core/ports';
import { editorModel } from '../../../src/vscode/models/languageModel';
import type { ModelAnswer, TestModels } from '../modelExtension/extension';
import { configured, envwright, eventually, sample } from './api';

const NAME = 'envwright-tests/scripted';
const hello = { messages: [{ role: 'system' as const, content: 'Be brief.' }, { role: 'user' as const, content: 'hello' }], sampling: { temperature: 0.5, maxTokens: 64 } };
const block = (code: string) => `\`\`\`python\n${code}\n\`\`\`\n`;

/** Models that another extension registers, through the editor's own `vscode.lm`: nothing in between is a double. */
suite('a language model of the editor', () => {
  const owned: ({ dispose(): void } | undefined)[] = [];
  let undo: () => Promise<void> = () => Promise.resolve();

  teardown(async () => {
    for (const one of owned.splice(0)) one?.dispose();
    await undo();
    undo = () => Promise.resolve();
  });

  async function offer(...answers: readonly ModelAnswer[]) {
    const extension = vscode.extensions.getExtension<TestModels>('envwright-tests.test-models');
    assert.ok(extension, 'The extension that offers the model is not installed.');
    const offered = (await extension.activate()).offer(answers);
    owned.push(offered);
    await eventually('the editor offers the model', async () => (await vscode.lm.selectChatModels({ vendor: 'envwright-tests' })).length === 1);
    return offered;
  }

  const ask = (signal = new AbortController().signal, onEvent: (event: ChatEvent) => void = () => undefined) => collectReply(editorModel(NAME), hello, signal, onEvent);

  test('streams a design into an editor, which is checked and goes back with what was found', async () => {
    const good = (await vscode.workspace.openTextDocument(sample('environments/clock_angle_env.py'))).getText();
    const faulty = good.replace(/random\.Random\(seed\)/g, 'random.Random()');
    const half = Math.ceil(faulty.length / 2);
    const isInEditor = (text: string) => vscode.workspace.textDocuments.some((document) => document.isUntitled && document.getText().startsWith(text));
    let shownWhileStreaming = false;
    const offered = await offer(
      async (say) => {
        say(`\`\`\`python\n${faulty.slice(0, half)}`);
        await eventually('the first half is in the editor', () => isInEditor(faulty.slice(0, half - 4).trimEnd()));
        shownWhileStreaming = true;
        say(`${faulty.slice(half)}\n\`\`\`\n`);
      },
      (say) => say(block(good)),
    );
    const api = await envwright();
    undo = await configured({ 'model.provider': 'vscode-lm', 'model.name': NAME, 'model.temperature': 0.6 });
    const labels = ['Mathematical Reasoning', 'Single turn', 'easy', 'No document'];
    owned.push(api.answer?.({
      pick: ({ choices }) => {
        const label = labels.shift();
        return Promise.resolve(choices.find((one): one is Extract<typeof one, { value: unknown }> => 'value' in one && one.label === label)?.value);
      },
    }));

    const { draft } = await vscode.commands.executeCommand<KeptDraft>('envwright.design');

    assert.ok(shownWhileStreaming);
    assert.deepStrictEqual(draft.attempts.map(({ report }) => report?.verdict === 'reject'), [true, false]);
    assert.match(offered.asked[1]?.texts.at(-1) ?? '', /reset-ignores-seed/);
    assert.strictEqual(offered.asked[0]?.options.modelOptions?.temperature, 0.6);
    assert.strictEqual(draft.provenance.model, NAME);
    // The model's own tokenizer counted both replies and what was asked.
    assert.strictEqual(draft.cost.completionTokens, [faulty, good].reduce((sum, code) => sum + Math.ceil(block(code).length / 4), 0));
    assert.ok((draft.cost.promptTokens ?? 0) > 100);
  });

  test('a request is cancelled down to the extension that answers it', async () => {
    const controller = new AbortController();
    let wasTold = false;
    await offer(async (say, { token }) => {
      say('One ');
      await new Promise<void>((resolve) => token.onCancellationRequested(() => resolve()));
      wasTold = true;
    });
    await assert.rejects(ask(controller.signal, () => controller.abort()), isCancelled);
    await eventually('the extension is told', () => wasTold);
  });

  test('a failure, a refusal and a reply with nothing in it are errors with a next step, never a reply', async () => {
    const failing = (error: Error): ModelAnswer => (say) => {
      say('Half a ');
      throw error;
    };
    await offer(
      failing(new Error('The sky fell.')), failing(vscode.LanguageModelError.Blocked('Not that.')), failing(vscode.LanguageModelError.NoPermissions('Not you.')),
      failing(new Error('You exceeded your quota.')), () => undefined,
    );
    const seen: ModelError[] = [];
    for (let n = 0; n < 5; n += 1) await ask().catch((error: unknown) => seen.push(error as ModelError));
    assert.ok(seen.every((error) => error instanceof ModelError && error.next.template !== ''), seen.map(String).join('\n'));
    assert.deepStrictEqual(seen.map(({ kind }) => kind), ['server-error', 'no-answer', 'unauthorized', 'rate-limited', 'empty-reply']);
    assert.match(seen[0]?.message ?? '', /The sky fell\./);
  });

  test('the connection test asks it, and says so when it is gone', async () => {
    const offered = await offer((say) => say('ready'));
    undo = await configured({ 'model.provider': 'vscode-lm', 'model.name': NAME });
    const lines = await vscode.commands.executeCommand<readonly HealthLine[]>('envwright.testConnection');
    assert.deepStrictEqual(lines.map(({ name, ok }) => [name, ok]), [['language model', true], ['streaming', true]]);
    assert.match(lines[0]?.detail ?? '', /envwright-tests\/scripted, prompts of up to 32000 tokens/);
    offered.dispose();
    await eventually('it is gone', async () => (await vscode.lm.selectChatModels({ vendor: 'envwright-tests' })).length === 0);
    const [line] = await vscode.commands.executeCommand<readonly HealthLine[]>('envwright.testConnection');
    assert.strictEqual(line?.ok, false);
    assert.match(line?.detail ?? '', /offers no language model/);
  });
});
