/** An extension of its own that offers a language model to the editor, so that Envwright meets the editor's real way to one. */
import * as vscode from 'vscode';

/** A request as the extension that offers the model gets it. */
export interface AskedModel {
  readonly texts: readonly string[];
  readonly options: vscode.ProvideLanguageModelChatResponseOptions;
  readonly token: vscode.CancellationToken;
}

/** Answers one request: pieces go to `say`; what it throws is the model's failure. */
export type ModelAnswer = (say: (piece: string) => void, asked: AskedModel) => void | Promise<void>;

/** What this extension gives to the tests. */
export interface TestModels {
  /** Offers the model `envwright-tests/scripted` until it is disposed; each request gets the next answer, the last one again and again. */
  offer(answers: readonly ModelAnswer[]): vscode.Disposable & { readonly asked: readonly AskedModel[] };
}

interface Offer {
  readonly answers: readonly ModelAnswer[];
  readonly asked: AskedModel[];
}

/** As coarse a tokenizer as there is. */
const CHARACTERS_A_TOKEN = 4;

const MODEL: vscode.LanguageModelChatInformation = {
  id: 'scripted-1', name: 'Scripted Model', family: 'scripted', version: '1', maxInputTokens: 32_000, maxOutputTokens: 8_000, capabilities: { toolCalling: true },
};

class Provider implements vscode.LanguageModelChatProvider {
  private readonly changes = new vscode.EventEmitter<void>();
  readonly onDidChangeLanguageModelChatInformation = this.changes.event;
  private offered: Offer | undefined;

  offer(answers: readonly ModelAnswer[]) {
    const offer: Offer = (this.offered = { answers, asked: [] });
    this.changes.fire();
    return Object.assign(new vscode.Disposable(() => {
      if (this.offered === offer) this.offered = undefined;
      this.changes.fire();
    }), { asked: offer.asked });
  }

  provideLanguageModelChatInformation(): vscode.LanguageModelChatInformation[] {
    return this.offered ? [MODEL] : [];
  }

  async provideLanguageModelChatResponse(
    _model: vscode.LanguageModelChatInformation, messages: readonly vscode.LanguageModelChatRequestMessage[], options: vscode.ProvideLanguageModelChatResponseOptions,
    progress: vscode.Progress<vscode.LanguageModelResponsePart>, token: vscode.CancellationToken,
  ): Promise<void> {
    if (!this.offered) throw vscode.LanguageModelError.NotFound('no model is offered');
    const { answers, asked } = this.offered;
    const request: AskedModel = { texts: messages.map(textOf), options, token };
    const answer = answers[Math.min(asked.push(request), answers.length) - 1];
    await answer?.((piece) => progress.report(new vscode.LanguageModelTextPart(piece)), request);
  }

  provideTokenCount(_model: vscode.LanguageModelChatInformation, text: string | vscode.LanguageModelChatRequestMessage): Promise<number> {
    return Promise.resolve(Math.ceil((typeof text === 'string' ? text : textOf(text)).length / CHARACTERS_A_TOKEN));
  }
}

function textOf({ content }: vscode.LanguageModelChatRequestMessage): string {
  return content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('');
}

export function activate(context: vscode.ExtensionContext): TestModels {
  const provider = new Provider();
  context.subscriptions.push(vscode.lm.registerLanguageModelChatProvider('envwright-tests', provider));
  return { offer: (answers) => provider.offer(answers) };
}
