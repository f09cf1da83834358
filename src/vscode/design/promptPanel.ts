import * as vscode from 'vscode';
import type { GroundingDocument } from '../../core/design/grounding';
import { candidatesOf, choiceOf, exampleKey } from '../../core/design/setup';
import { EnvwrightError } from '../../core/errors';
import { DisposableStore, type Disposable } from '../../core/lifecycle';
import type { MemoryEntry } from '../../core/memory/readMemory';
import type { Logger } from '../../core/ports';
import { commandId, PROMPT_VIEW_TYPE } from '../../shared/contributions';
import { message } from '../../shared/message';
import type { Channel } from '../../shared/webviewChannel';
import { PromptHost, PromptPage, type PromptAction, type PromptState } from '../../shared/webviewDesign';
import type { NodePorts } from '../nodePorts';
import { BACK } from '../interaction';
import { translations } from '../panels/translations';
import { VisibilityBuffer } from '../panels/visibilityBuffer';
import { openPage, webviewOptions } from '../panels/webviewPage';
import { requireTrust } from '../trust';
import { Batches } from './batches';
import { freshSeed, streamDesign, type DesignParts } from './designer';
import { askCorpusFile, askOpenDocument, corpusPath } from './groundingSource';
import { KeptPrompt } from './keptPrompt';
import { PromptController } from './promptController';
import { promptText } from './promptText';

/** What the prompt's panel needs. */
export type PromptParts = DesignParts & {
  readonly extension: vscode.Uri;
  readonly log: Logger;
  readonly batches: Batches;
  readonly ports: Pick<NodePorts, 'countTokens' | 'contextOf' | 'listModels'>;
};

/** The prompt on screen: what the designer is told to the letter, and everything that it is chosen by. */
class PromptPanel implements Disposable {
  private readonly owned = new DisposableStore();
  private readonly channel: Channel<typeof PromptHost, typeof PromptPage>;
  private readonly buffer: VisibilityBuffer<'state', never>;
  private readonly controller: PromptController;
  private ready = false;
  private begun: Promise<void> | undefined;
  private keptText = '';

  /** @param kept what an earlier window was left with. */
  constructor(readonly panel: vscode.WebviewPanel, private readonly parts: PromptParts, private readonly kept?: KeptPrompt) {
    const onDefect = (error: unknown) => parts.log.error('The page of the prompt met a defect.', error);
    this.controller = this.owned.add(new PromptController(parts, kept));
    this.buffer = this.owned.add(new VisibilityBuffer<'state', never>({ snapshot: () => this.send(), stream: () => undefined }));
    this.owned.add(this.controller.onDidChange(() => this.buffer.invalidate('state')));
    panel.onDidChangeViewState(() => this.updateVisibility());
    panel.onDidDispose(() => this.owned.dispose());
    const nothing = async (work: PromiseLike<unknown>): Promise<null> => {
      await work;
      return null;
    };
    this.channel = openPage<typeof PromptHost, typeof PromptPage>(panel.webview, { extension: parts.extension, bundle: 'design', title: panel.title }, {
      local: PromptHost, remote: PromptPage, onDefect,
      handlers: {
        requests: {
          ready: () => this.begin(),
          change: (change) => nothing(this.controller.change(change)),
          act: ({ action }) => nothing(this.act(action)),
          openPart: ({ key, what }) => nothing(this.openPart(Number(key), what)),
        },
        notes: {},
      },
    });
  }

  dispose(): void {
    this.owned.dispose();
  }

  /** The prompt as one text, once it is there. */
  async text(): Promise<string> {
    await (this.begun ??= this.controller.begin());
    return this.controller.shown ? promptText(this.controller.shown) : '';
  }

  private async begin(): Promise<{ strings: Record<string, string>; state: PromptState }> {
    await (this.begun ??= this.controller.begin());
    const corpus = this.kept?.corpus ?? (this.controller.current.document === null ? corpusPath() : '');
    // A corpus that cannot be opened is said when it is asked for; the prompt stands without it.
    if (corpus !== '') await this.openCorpus(corpus).catch(() => undefined);
    this.ready = true;
    this.buffer.invalidate('state');
    this.updateVisibility();
    return { strings: translations(), state: this.controller.state() };
  }

  private updateVisibility(): void {
    if (!this.panel.visible) this.ready = false;
    this.buffer.setVisible(this.panel.visible && this.ready);
  }

  private send(): void {
    this.channel.notify('state', this.controller.state());
    const kept = this.controller.kept();
    const text = JSON.stringify(kept);
    if (text === this.keptText) return;
    this.keptText = text;
    this.channel.notify('keep', kept);
  }

  private async act(action: PromptAction): Promise<unknown> {
    const { controller, parts } = this;
    const { themeSeed } = controller.current;
    const { corpora } = parts.grounding;
    switch (action) {
      case 'nextTheme': return controller.change({ themeSeed: themeSeed + 1 });
      case 'drawMemory': return controller.change({ drawSeed: freshSeed() });
      case 'chooseExamples': return this.chooseExamples();
      case 'drawDocument': return this.ground(async () => corpora.draw(await this.corpus(), freshSeed()));
      case 'searchDocument': return this.ground(async () => corpora.choose(await this.corpus(), parts.interaction));
      case 'chooseCorpus': {
        const path = await askCorpusFile();
        return path === undefined ? undefined : this.openCorpus(path);
      }
      case 'fromEditor': return this.ground(() => askOpenDocument(parts.interaction, controller.editor));
      case 'problems': return controller.corpus && corpora.showProblems(controller.corpus);
      case 'design': return this.design();
      case 'stop': return controller.stop();
      case 'openPrompt': return controller.shown && parts.documents.show('Design prompt.md', promptText(controller.shown));
      case 'copyPrompt': return vscode.env.clipboard.writeText(controller.shown?.messages.map(({ role, content }) => `[${role}]\n${content}`).join('\n\n') ?? '');
      case 'linkRun': return vscode.commands.executeCommand(commandId('linkRun'));
      case 'testConnection': return vscode.commands.executeCommand(commandId('testConnection'));
      case 'manageTrust': return vscode.commands.executeCommand(commandId('manageTrust'));
      case 'chooseModel': return vscode.commands.executeCommand(commandId('chooseModel'));
      case 'settings': return vscode.commands.executeCommand('workbench.action.openSettings', 'envwright.model');
    }
  }

  /** One draft streams into an editor beside the prompt; several are a batch. */
  private design(): Promise<void> {
    requireTrust();
    const options = this.controller.options();
    const [only] = options;
    return this.controller.run(async (watcher) =>
      (options.length === 1 && only ? streamDesign(this.parts, only, { watcher }) : this.parts.batches.make(options, watcher)));
  }

  private async ground(find: () => Promise<GroundingDocument | undefined>): Promise<void> {
    const document = await find();
    if (document) await this.controller.set({ document, useDocument: true });
  }

  /** The corpus in use, opened again where another one took its place meanwhile. */
  private corpus() {
    return this.openCorpus(this.controller.corpus?.path ?? corpusPath());
  }

  private async openCorpus(path: string) {
    if (path === '') throw new EnvwrightError('design/no-corpus', message('No corpus is set.'), message('Choose a corpus file, or set envwright.run.corpus.'));
    const corpus = await this.parts.grounding.corpora.open(path);
    this.controller.follow(corpus);
    return corpus;
  }

  /** Lets the person pick the examples in place of the run's draw. */
  private async chooseExamples(): Promise<void> {
    const { controller, parts } = this;
    const { seeds, negatives } = candidatesOf(controller.entries, controller.current.skill);
    if (seeds.length + negatives.length === 0) {
      throw new EnvwrightError('design/no-examples', message('The memory holds no record of {skill} that a prompt could show.', { skill: controller.current.skill }), message('Choose another skill, or leave memory out.'));
    }
    const { draws } = controller.current;
    const now = choiceOf(controller.current, controller.entries);
    const row = (entry: MemoryEntry) => ({
      label: (entry.gameFile ?? '').split(/[/\\]/).at(-1) ?? '', description: vscode.l10n.t('win rate {0}, regret {1}', entry.winRate?.toFixed(2) ?? '–', entry.regret?.toFixed(2) ?? '–'), value: exampleKey(entry),
    });
    const title = vscode.l10n.t('Examples for {0}', controller.current.skill);
    const picked = seeds.length === 0 ? [] : await parts.interaction.pickMany({
      title, placeholder: vscode.l10n.t('Which to follow? The run shows {0}.', draws.seeds), choices: seeds.map((entry) => ({ ...row(entry), picked: now.seeds.includes(exampleKey(entry)) })),
    });
    if (!picked) return;
    // What stands in the prompt comes first: Enter keeps it.
    const avoidable = [{ label: vscode.l10n.t('None'), value: '' }, ...negatives.map(row)];
    const negative = negatives.length === 0 ? '' : await parts.interaction.pick({ title, placeholder: vscode.l10n.t('Which to avoid? The run shows {0}.', draws.negatives), choices: [...avoidable.filter(({ value }) => value === (now.negative ?? '')), ...avoidable.filter(({ value }) => value !== (now.negative ?? ''))] });
    if (negative === undefined || negative === BACK) return;
    await controller.set({ chosen: { seeds: picked, negative: negative === '' ? null : negative }, useMemory: true });
  }

  private async openPart(at: number, what: 'source' | 'text'): Promise<unknown> {
    const part = this.controller.shown?.parts[at];
    if (!part) return undefined;
    const { source, template, text, origin } = part;
    if (what === 'text') return this.parts.documents.show(`prompt-part-${at + 1}.md`, text, source === 'memory' ? 'python' : 'markdown');
    if (source === 'memory') return this.parts.documents.show(`${(origin ?? 'record').split(/[/\\]/).at(-1)}`, this.controller.shown?.task.examples.find(({ gameFile }) => gameFile === origin)?.code ?? text, 'python');
    if (source === 'document') return this.parts.documents.show('document.txt', this.controller.current.document?.text ?? text, 'plaintext');
    if (!template) return this.parts.documents.show('last-draft.py', text, 'markdown');
    return this.openTemplate(template.name, template.overridden);
  }

  /** A template opens as the file in use; a bundled one says how a workspace overrides it. */
  private async openTemplate(name: string, overridden: boolean): Promise<unknown> {
    const root = vscode.workspace.workspaceFolders?.[0]?.uri;
    if (overridden && root) return vscode.window.showTextDocument(vscode.Uri.joinPath(root, '.envwright', 'prompts', `${name}.md`));
    const bundled = vscode.Uri.joinPath(this.parts.extension, 'media', 'prompts', `${name}.md`);
    const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(bundled));
    await this.parts.documents.show(`${name}.md`, text);
    const own = vscode.l10n.t('Override in Workspace');
    const chosen = root ? await this.parts.interaction.notice({ severity: 'info', message: vscode.l10n.t('This template comes with the extension. A workspace can use its own in .envwright/prompts.'), actions: [own] }) : undefined;
    if (chosen !== own || !root) return undefined;
    requireTrust();
    const target = vscode.Uri.joinPath(root, '.envwright', 'prompts', `${name}.md`);
    await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(text));
    return vscode.window.showTextDocument(target);
  }
}

/** The one panel of the prompt, restored after a reload of the window. */
export class PromptPanels implements vscode.WebviewPanelSerializer, Disposable {
  private shown: PromptPanel | undefined;
  private readonly registration: vscode.Disposable;

  constructor(private readonly parts: PromptParts) {
    this.registration = vscode.window.registerWebviewPanelSerializer(PROMPT_VIEW_TYPE, this);
  }

  /** Shows the panel, and gives the prompt in it as one text. */
  show(): Promise<string> {
    const { shown } = this;
    shown?.panel.reveal();
    return (shown ?? this.adopt(vscode.window.createWebviewPanel(PROMPT_VIEW_TYPE, vscode.l10n.t('Design Prompt'), vscode.ViewColumn.Active, { ...webviewOptions(this.parts.extension), enableFindWidget: true }))).text();
  }

  /** What another version kept, or nothing, gives a fresh prompt. */
  deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    if (this.shown) panel.dispose();
    else this.adopt(panel, KeptPrompt.safeParse(state).data);
    return Promise.resolve();
  }

  dispose(): void {
    this.registration.dispose();
    this.shown?.panel.dispose();
  }

  private adopt(panel: vscode.WebviewPanel, kept?: KeptPrompt): PromptPanel {
    panel.iconPath = vscode.Uri.joinPath(this.parts.extension, 'media', 'envwright.svg');
    const shown = (this.shown = new PromptPanel(panel, this.parts, kept));
    panel.onDidDispose(() => {
      if (this.shown === shown) this.shown = undefined;
    });
    return shown;
  }
}
