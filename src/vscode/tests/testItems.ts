import * as vscode from 'vscode';
import type { Check, Family } from '../../core/checks/check';
import type { KeptReplay } from '../../core/checks/replayFiles';
import { localize } from '../localize';
import { plainLine } from '../../core/plainText';
import { isMade } from './checkOutcome';

/** What an item of the test view stands for. */
export type TestTarget =
  | { readonly kind: 'file'; readonly uri: vscode.Uri }
  | { readonly kind: 'family'; readonly uri: vscode.Uri }
  | { readonly kind: 'check'; readonly uri: vscode.Uri; readonly check: Check }
  | { readonly kind: 'replays'; readonly uri: vscode.Uri }
  | { readonly kind: 'replay'; readonly uri: vscode.Uri; readonly kept: KeptReplay };

/** Place of the kept counterexamples among a file's nodes. */
const AFTER_FAMILIES = 999;

/** The items of the test view: a file, its families of checks, their checks; and the counterexamples that were kept of it. */
export class TestItems {
  private readonly targets = new WeakMap<vscode.TestItem, TestTarget>();

  constructor(private readonly controller: vscode.TestController) {}

  target(item: vscode.TestItem): TestTarget | undefined {
    return this.targets.get(item);
  }

  /** The item of a file, made with its checks by family when there is none. */
  file(uri: vscode.Uri, families: readonly Family[]): vscode.TestItem {
    const known = this.controller.items.get(uri.toString());
    if (known) return known;
    const path = vscode.workspace.asRelativePath(uri);
    const item = this.make(uri.toString(), path, { kind: 'file', uri }, path);
    families.forEach((family, index) => {
      const checks = family.checks.filter(isMade);
      if (checks.length === 0) return;
      const node = this.make(`${uri.toString()}#family:${family.id}`, localize(family.title), { kind: 'family', uri }, inOrder(index));
      node.children.replace(checks.map((check, order) => this.check(uri, check, order)));
      item.children.add(node);
    });
    this.controller.items.add(item);
    return item;
  }

  /** Where the class of a file is, as far as that is known. */
  range(uri: vscode.Uri): vscode.Range | undefined {
    return this.controller.items.get(uri.toString())?.range;
  }

  delete(uri: vscode.Uri): void {
    this.controller.items.delete(uri.toString());
  }

  /** Shows the kept counterexamples of a file; no node while there are none. */
  showReplays(uri: vscode.Uri, kept: readonly KeptReplay[]): void {
    const file = this.controller.items.get(uri.toString());
    const id = `${uri.toString()}#replays`;
    if (!file || kept.length === 0) return file?.children.delete(id);
    const node = file.children.get(id) ?? this.make(id, vscode.l10n.t('Kept counterexamples'), { kind: 'replays', uri }, inOrder(AFTER_FAMILIES));
    node.children.replace(kept.map((one, order) => node.children.get(replayId(uri, one)) ?? this.replay(uri, one, order)));
    file.children.add(node);
  }

  /** The item of a kept counterexample, undefined when it is not shown. */
  replayItem(uri: vscode.Uri, kept: KeptReplay): vscode.TestItem | undefined {
    return this.controller.items.get(uri.toString())?.children.get(`${uri.toString()}#replays`)?.children.get(replayId(uri, kept));
  }

  /** The items without children at or below an item. */
  leaves(item: vscode.TestItem): vscode.TestItem[] {
    const below = [...item.children].flatMap(([, child]) => this.leaves(child));
    return item.children.size > 0 ? below : [item];
  }

  private check(uri: vscode.Uri, check: Check, order: number): vscode.TestItem {
    const item = this.make(`${uri.toString()}#check:${check.id}`, check.id, { kind: 'check', uri, check }, inOrder(order));
    item.description = localize(check.title);
    return item;
  }

  private replay(uri: vscode.Uri, kept: KeptReplay, order: number): vscode.TestItem {
    const { check, seed, actions } = kept.replay;
    const [name, seeded] = [plainLine(check, 60), seed ?? '–'];
    const label = actions.length === 1 ? vscode.l10n.t('{0} · seed {1} · 1 action', name, seeded) : vscode.l10n.t('{0} · seed {1} · {2} actions', name, seeded, actions.length);
    return this.make(replayId(uri, kept), label, { kind: 'replay', uri, kept }, inOrder(order));
  }

  private make(id: string, label: string, target: TestTarget, sortText: string): vscode.TestItem {
    const item = this.controller.createTestItem(id, label, target.uri);
    item.sortText = sortText;
    this.targets.set(item, target);
    return item;
  }
}

/** Text that sorts items by their place. */
const inOrder = (place: number) => String(place).padStart(3, '0');
const replayId = (uri: vscode.Uri, { name }: KeptReplay) => `${uri.toString()}#replay:${name}`;
