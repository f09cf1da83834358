import * as vscode from 'vscode';
import { isCancelled } from '../core/errors';
import type { Choice, SearchRequest } from './interaction';

/** Pause in typing before a search begins, in milliseconds. */
const SETTLE_MS = 200;

/** A quick pick that searches while one types; a newer search ends the older one. Its button previews a row without closing the list. */
export function searchList<T>(request: SearchRequest<T>): Promise<T | undefined> {
  const { title, placeholder } = request;
  return new Promise((resolve, reject) => {
    const list = vscode.window.createQuickPick<Choice<T>>();
    const open: vscode.QuickInputButton = { iconPath: new vscode.ThemeIcon('open-preview'), tooltip: vscode.l10n.t('Preview') };
    Object.assign(list, { title, placeholder, matchOnDescription: true, matchOnDetail: true, ignoreFocusOut: true });
    let search = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    const fail = (error: unknown) => {
      reject(error instanceof Error ? error : new Error(String(error)));
      list.dispose();
    };
    const begin = async (): Promise<void> => {
      search.abort();
      const own = (search = new AbortController());
      list.busy = true;
      list.items = [];
      try {
        await request.find(list.value.trim(), (choices) => {
          if (own.signal.aborted) return;
          // What is found matches already: the list must not filter it by its own rule.
          const more = choices.map((choice) => ({ ...choice, alwaysShow: true, ...(request.preview && { buttons: [open] }) }));
          list.items = [...list.items, ...more];
        }, own.signal);
      } catch (error) {
        if (!isCancelled(error)) fail(error);
      } finally {
        if (!own.signal.aborted) list.busy = false;
      }
    };
    list.onDidChangeValue(() => {
      clearTimeout(timer);
      timer = setTimeout(() => void begin(), SETTLE_MS);
    });
    list.onDidTriggerItemButton(({ item }) => void request.preview?.(item.value).catch(fail));
    list.onDidAccept(() => {
      const chosen = list.selectedItems[0];
      if (!chosen) return;
      resolve(chosen.value);
      list.hide();
    });
    list.onDidHide(() => {
      clearTimeout(timer);
      search.abort();
      resolve(undefined);
      list.dispose();
    });
    list.show();
    void begin();
  });
}
