import * as vscode from 'vscode';
import { DisposableStore, Emitter, type Disposable } from '../core/lifecycle';
import type { HealthLine, Logger, Sandbox, SandboxProvider } from '../core/ports';
import { BOUND_SETTINGS, sandboxBounds } from '../core/sandboxBounds';
import { editorPython } from './editorPython';
import type { NodePorts, SandboxSetup } from './nodePorts';
import { onSettingChange, readSetting } from './settings';
import { requireTrust } from './trust';

/** What is known of the sandbox: not asked for yet, being tested, the one in use, or why there is none. */
export type SandboxState =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'starting' }
  | { readonly kind: 'ready'; readonly sandbox: Sandbox }
  | { readonly kind: 'failed'; readonly error: unknown };

/** The sandbox that the settings name. Made and tested on first use, made anew when they change; never in an untrusted workspace. */
export class SandboxSource implements SandboxProvider {
  private readonly owned = new DisposableStore();
  private readonly changes = this.owned.add(new Emitter<SandboxState>());
  readonly onDidChange = this.changes.event;
  private provider: Promise<SandboxProvider> | undefined;
  private current: SandboxState = { kind: 'unknown' };

  constructor(
    private readonly ports: Pick<NodePorts, 'sandbox' | 'installWheels'>,
    private readonly logger: Logger,
  ) {
    this.owned.add(
      onSettingChange(
        ['sandbox.backend', 'sandbox.pythonPath', ...BOUND_SETTINGS],
        () => this.drop(),
      ),
    );
  }

  get state(): SandboxState {
    return this.current;
  }

  async get(signal?: AbortSignal): Promise<Sandbox> {
    requireTrust();
    const provider = (this.provider ??= this.ports.sandbox(this.setup()));
    if (this.current.kind === 'unknown') this.set({ kind: 'starting' });
    try {
      const sandbox = await (await provider).get(signal);
      if (this.provider === provider && (this.current.kind !== 'ready' || this.current.sandbox !== sandbox)) this.set({ kind: 'ready', sandbox });
      return sandbox;
    } catch (error) {
      if (this.provider === provider) this.set(signal?.aborted ? { kind: 'unknown' } : { kind: 'failed', error });
      throw error;
    }
  }

  async health(): Promise<readonly HealthLine[]> {
    requireTrust();
    return (await (this.provider ??= this.ports.sandbox(this.setup()))).health();
  }

  /** Installs the wheels of the embedded Python; the sandbox is made anew with them on its next use. */
  async installWheels(report: (text: string) => void, signal: AbortSignal): Promise<void> {
    requireTrust();
    await this.ports.installWheels(this.setup(), report, signal);
    this.drop();
  }

  dispose(): void {
    this.drop();
    this.owned.dispose();
  }

  private drop(): void {
    void this.provider?.then((provider: Disposable) => provider.dispose(), () => undefined);
    this.provider = undefined;
    this.set({ kind: 'unknown' });
  }

  private set(state: SandboxState): void {
    this.current = state;
    this.changes.fire(state);
  }

  private setup(): SandboxSetup {
    return {
      choice: readSetting('sandbox.backend'),
      pythonPath: readSetting('sandbox.pythonPath'),
      editorPython,
      folders: (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath),
      ...sandboxBounds(readSetting),
      logger: this.logger,
    };
  }
}
