import * as vscode from 'vscode';
import type { Disposable } from '../core/lifecycle';
import type { PushReview } from './panels/pushPanel';
import { searchList } from './searchList';
import { undisturbed } from './trees/stillViews';

/** One choice of a list. */
export interface Choice<T> extends vscode.QuickPickItem {
  readonly value: T;
}

/** A list to pick from, one of several steps when `step` is given. */
export interface PickRequest<T> {
  readonly title: string;
  readonly placeholder?: string;
  readonly step?: { readonly index: number; readonly of: number };
  readonly choices: readonly (Choice<T> | { readonly separator: string })[];
  /** True where the choice is made by what is read beside the list: it stays while that has the focus. */
  readonly stays?: boolean;
}

/** A list of which several may be taken. */
export interface PickManyRequest<T> {
  readonly title: string;
  readonly placeholder?: string;
  readonly choices: readonly (Choice<T> & { readonly picked?: boolean })[];
}

/** A list that is filled by what is typed. `find` passes choices on as it finds them, until its signal aborts. */
export interface SearchRequest<T> {
  readonly title: string;
  readonly placeholder: string;
  find(query: string, show: (choices: readonly Choice<T>[]) => void, signal: AbortSignal): Promise<void>;
  /** Shows one of them whole, beside the list, which stays. */
  preview?(value: T): Promise<void>;
}

/** A line of text to ask for; `validate` gives what is wrong with it. */
export interface InputRequest {
  readonly title: string;
  readonly prompt: string;
  readonly value?: string;
  readonly password?: boolean;
  readonly validate?: (value: string) => string | undefined;
}

/** A decision that must be taken before something happens; `detail` holds the facts. */
export interface ConfirmRequest {
  readonly message: string;
  readonly detail: string;
  readonly accept: string;
}

/** A notice with what can be done next. */
export interface NoticeRequest {
  readonly severity: 'info' | 'warning' | 'error';
  readonly message: string;
  readonly actions: readonly string[];
}

/** The answer that steps back in a series of lists. */
export const BACK = Symbol('back');

/** Everything the extension asks of the person in front of it, in one place, so that a test can be that person. */
export interface Interaction {
  /** Resolves with undefined when dismissed. */
  pick<T>(request: PickRequest<T>): Promise<T | typeof BACK | undefined>;
  /** Resolves with undefined when dismissed. */
  pickMany<T>(request: PickManyRequest<T>): Promise<readonly T[] | undefined>;
  /** Resolves with undefined when dismissed. */
  search<T>(request: SearchRequest<T>): Promise<T | undefined>;
  input(request: InputRequest): Promise<string | undefined>;
  /** True only for an explicit yes. */
  confirm(request: ConfirmRequest): Promise<boolean>;
  /** Resolves with the action chosen. */
  notice(request: NoticeRequest): Promise<string | undefined>;
  chooseFolder(title: string): Promise<vscode.Uri | undefined>;
  /** Resolves with a file of one of these endings, given without dot. */
  chooseFile(title: string, endings: readonly string[]): Promise<vscode.Uri | undefined>;
  /** Asks where a new file goes; `proposed` is where it would. */
  saveFile(title: string, proposed: vscode.Uri): Promise<vscode.Uri | undefined>;
  /** Shows what a push would do, for the person to push or to give it up; resolves once it is shown. */
  review(push: PushReview): Promise<void>;
}

/** The editor's own dialogs. */
export class EditorInteraction implements Interaction {
  /** @param showReview opens the panel of a push. */
  constructor(private readonly showReview: (push: PushReview) => void) {}

  pick<T>(request: PickRequest<T>): Promise<T | typeof BACK | undefined> {
    return undisturbed(() => this.list(request));
  }

  private list<T>(request: PickRequest<T>): Promise<T | typeof BACK | undefined> {
    return new Promise((resolve) => {
      const list = vscode.window.createQuickPick<Choice<T> | vscode.QuickPickItem>();
      list.title = request.title;
      list.placeholder = request.placeholder;
      list.matchOnDescription = true;
      list.ignoreFocusOut = request.stays ?? false;
      list.items = request.choices.map((choice) =>
        'separator' in choice ? { label: choice.separator, kind: vscode.QuickPickItemKind.Separator } : choice,
      );
      if (request.step) {
        list.step = request.step.index;
        list.totalSteps = request.step.of;
        if (request.step.index > 1) list.buttons = [vscode.QuickInputButtons.Back];
      }
      const finish = (answer: T | typeof BACK | undefined) => {
        resolve(answer);
        list.dispose();
      };
      list.onDidTriggerButton(() => finish(BACK));
      list.onDidAccept(() => {
        const chosen = list.selectedItems[0];
        if (chosen && 'value' in chosen) finish(chosen.value);
      });
      list.onDidHide(() => finish(undefined));
      list.show();
    });
  }

  async pickMany<T>({ title, placeholder, choices }: PickManyRequest<T>): Promise<readonly T[] | undefined> {
    const options = { title, canPickMany: true as const, ...(placeholder !== undefined && { placeHolder: placeholder }) };
    const chosen = await undisturbed(async () => vscode.window.showQuickPick([...choices], options));
    return chosen?.map(({ value }) => value);
  }

  search<T>(request: SearchRequest<T>): Promise<T | undefined> {
    return undisturbed(() => searchList(request));
  }

  async input({ title, prompt, value, password, validate }: InputRequest): Promise<string | undefined> {
    return undisturbed(async () => vscode.window.showInputBox({
      title,
      prompt,
      ignoreFocusOut: true,
      ...(value !== undefined && { value }),
      ...(password && { password }),
      ...(validate && { validateInput: validate }),
    }));
  }

  async confirm({ message, detail, accept }: ConfirmRequest): Promise<boolean> {
    return (await vscode.window.showWarningMessage(message, { modal: true, detail }, accept)) === accept;
  }

  async notice({ severity, message, actions }: NoticeRequest): Promise<string | undefined> {
    if (severity === 'info') return vscode.window.showInformationMessage(message, ...actions);
    if (severity === 'warning') return vscode.window.showWarningMessage(message, ...actions);
    return vscode.window.showErrorMessage(message, ...actions);
  }

  async chooseFolder(title: string): Promise<vscode.Uri | undefined> {
    const chosen = await vscode.window.showOpenDialog({ title, openLabel: title, canSelectFiles: false, canSelectFolders: true, canSelectMany: false });
    return chosen?.[0];
  }

  async chooseFile(title: string, endings: readonly string[]): Promise<vscode.Uri | undefined> {
    const chosen = await vscode.window.showOpenDialog({ title, openLabel: title, canSelectMany: false, filters: { [title]: [...endings] } });
    return chosen?.[0];
  }

  async saveFile(title: string, proposed: vscode.Uri): Promise<vscode.Uri | undefined> {
    return vscode.window.showSaveDialog({ title, saveLabel: title, defaultUri: proposed });
  }

  review(push: PushReview): Promise<void> {
    this.showReview(push);
    return Promise.resolve();
  }
}

/** Lets another interaction take the place of the editor's for a while. */
export class ReplaceableInteraction implements Interaction {
  private substitutes: Partial<Interaction>[] = [];

  constructor(private readonly editor: Interaction) {}

  /** What the substitute does not answer, the editor does. */
  replace(substitute: Partial<Interaction>): Disposable {
    this.substitutes = [substitute, ...this.substitutes];
    return { dispose: () => (this.substitutes = this.substitutes.filter((other) => other !== substitute)) };
  }

  pick<T>(request: PickRequest<T>): Promise<T | typeof BACK | undefined> {
    return this.current('pick').pick(request);
  }

  pickMany<T>(request: PickManyRequest<T>): Promise<readonly T[] | undefined> {
    return this.current('pickMany').pickMany(request);
  }

  search<T>(request: SearchRequest<T>): Promise<T | undefined> {
    return this.current('search').search(request);
  }

  input(request: InputRequest): Promise<string | undefined> {
    return this.current('input').input(request);
  }

  confirm(request: ConfirmRequest): Promise<boolean> {
    return this.current('confirm').confirm(request);
  }

  notice(request: NoticeRequest): Promise<string | undefined> {
    return this.current('notice').notice(request);
  }

  chooseFolder(title: string): Promise<vscode.Uri | undefined> {
    return this.current('chooseFolder').chooseFolder(title);
  }

  chooseFile(title: string, endings: readonly string[]): Promise<vscode.Uri | undefined> {
    return this.current('chooseFile').chooseFile(title, endings);
  }

  saveFile(title: string, proposed: vscode.Uri): Promise<vscode.Uri | undefined> {
    return this.current('saveFile').saveFile(title, proposed);
  }

  review(push: PushReview): Promise<void> {
    return this.current('review').review(push);
  }

  private current<K extends keyof Interaction>(name: K): Pick<Interaction, K> {
    return (this.substitutes.find((substitute) => substitute[name]) as Pick<Interaction, K> | undefined) ?? this.editor;
  }
}
