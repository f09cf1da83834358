import * as vscode from 'vscode';
import type { Disposable } from '../../core/lifecycle';
import { StillView } from './stillViews';
import { viewId, type itemKinds, type ViewName } from '../../shared/contributions';

/** A row of a tree: what is shown, and how its children are had. Labels and descriptions are plain text to the editor. */
export interface TreeNode {
  /** Stable within the tree, so that the editor keeps what is open and selected. */
  readonly id: string;
  readonly label: string;
  readonly description?: string;
  /** Plain text. */
  readonly tooltip?: string;
  readonly icon?: vscode.ThemeIcon;
  readonly kind?: keyof typeof itemKinds;
  /** The file behind the row; decorations and the default command follow it. */
  readonly uri?: vscode.Uri;
  readonly command?: vscode.Command;
  readonly accessibilityLabel?: string;
  readonly expanded?: boolean;
  readonly children?: () => readonly TreeNode[] | Promise<readonly TreeNode[]>;
}

/** Lets rows that stand for a Python file be dragged: into a curriculum, or into the editor. */
export const draggablePython: vscode.TreeDragAndDropController<TreeNode> = {
  dragMimeTypes: ['text/uri-list'],
  dropMimeTypes: [],
  handleDrag: (nodes, data) => {
    const addresses = nodes.flatMap(({ uri }) => (uri?.path.endsWith('.py') ? [uri.toString()] : []));
    if (addresses.length > 0) data.set('text/uri-list', new vscode.DataTransferItem(addresses.join('\r\n')));
  },
};

/** A view of the side bar that shows nodes and nothing else. */
export class NodeTree implements vscode.TreeDataProvider<TreeNode>, Disposable {
  private readonly changes = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.changes.event;
  readonly view: vscode.TreeView<TreeNode>;
  private readonly parents = new Map<string, TreeNode>();
  private readonly still = new StillView(() => this.changes.fire());

  constructor(
    name: ViewName,
    private readonly roots: () => readonly TreeNode[] | Promise<readonly TreeNode[]>,
    options: Pick<vscode.TreeViewOptions<TreeNode>, 'canSelectMany' | 'dragAndDropController'> = {},
  ) {
    this.view = vscode.window.createTreeView(viewId(name), { treeDataProvider: this, ...options });
  }

  /** Has the editor ask again, after a question that is open. The parents stay known: a node may be revealed while it asks. */
  refresh(): void {
    this.still.changed();
  }

  getChildren(node?: TreeNode): Promise<TreeNode[]> {
    return this.still.answered(this.childrenOf(node));
  }

  private async childrenOf(node?: TreeNode): Promise<TreeNode[]> {
    const children = await (node ? (node.children?.() ?? []) : this.roots());
    if (node) for (const child of children) this.parents.set(child.id, node);
    return [...children];
  }

  getParent(node: TreeNode): TreeNode | undefined {
    return this.parents.get(node.id);
  }

  getTreeItem(node: TreeNode): vscode.TreeItem {
    const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
    const item = new vscode.TreeItem(node.label, node.children ? (node.expanded ? Expanded : Collapsed) : None);
    item.id = node.id;
    if (node.description !== undefined) item.description = node.description;
    if (node.tooltip !== undefined) item.tooltip = node.tooltip;
    if (node.icon) item.iconPath = node.icon;
    if (node.kind) item.contextValue = node.kind;
    if (node.uri) item.resourceUri = node.uri;
    if (node.command) item.command = node.command;
    else if (node.uri && !node.children) item.command = { title: vscode.l10n.t('Open'), command: 'vscode.open', arguments: [node.uri] };
    if (node.accessibilityLabel !== undefined) item.accessibilityInformation = { label: node.accessibilityLabel };
    return item;
  }

  dispose(): void {
    this.still.dispose();
    this.view.dispose();
    this.changes.dispose();
  }
}
