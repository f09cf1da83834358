import type { SecretStorage } from 'vscode';
import type { SecretStore } from '../../core/models/keys';
import type { Redactor } from '../../core/redaction';

/** The editor's secret store. Every key that passes is made known to the redactor first, so that no log can show it. */
export class EditorSecrets implements SecretStore {
  constructor(
    private readonly secrets: SecretStorage,
    private readonly redactor: Redactor,
  ) {}

  async get(name: string): Promise<string | undefined> {
    const value = await this.secrets.get(name);
    if (value !== undefined) this.redactor.add(value);
    return value;
  }

  async set(name: string, value: string): Promise<void> {
    this.redactor.add(value);
    await this.secrets.store(name, value);
  }

  async delete(name: string): Promise<void> {
    await this.secrets.delete(name);
  }
}
