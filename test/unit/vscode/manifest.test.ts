import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { commandId, commands, menus, type CommandName } from '../../../src/shared/contributions';
import { settings, type SettingKey } from '../../../src/shared/settings';
import { buildManifest } from '../../../src/vscode/contributions/manifest';
import { withSettings } from '../../../src/vscode/contributions/readme';

const { fields, texts } = buildManifest();
const names = Object.keys(commands) as CommandName[];

describe('the manifest', () => {
  it('is what the declarations say (else run `npm run generate`)', () => {
    const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Record<string, unknown>;
    for (const [key, value] of Object.entries(fields)) expect(manifest[key], key).toEqual(JSON.parse(JSON.stringify(value)));
    expect(JSON.parse(readFileSync('package.nls.json', 'utf8'))).toEqual(texts);
  });

  it('has its settings in the README', () => {
    const readme = readFileSync('README.md', 'utf8');
    expect(withSettings(readme)).toBe(readme);
  });

  it('has a text for every %key%, and no text without one', () => {
    const used = [...JSON.stringify(fields).matchAll(/"%([^%"]+)%"/g)].map((match) => match[1] ?? '');
    expect([...new Set(used)].sort()).toEqual(Object.keys(texts).sort());
  });

  it('has the page of a check opened as it reads, where an installed extension keeps it', () => {
    const { publisher, name, contributes } = JSON.parse(readFileSync('package.json', 'utf8')) as { publisher: string; name: string; contributes: { configurationDefaults: Record<string, unknown> } };
    expect(contributes.configurationDefaults).toEqual({ 'workbench.editorAssociations': { [`**/${publisher}.${name}-*/media/checks/*.md`]: 'vscode.markdown.preview.editor' } });
  });

  it('gives no tree item more than three inline actions', () => {
    const inline = menus.filter(({ group }) => group.startsWith('inline')).map(({ when }) => when ?? '');
    for (const when of new Set(inline)) expect(inline.filter((other) => other === when).length, when).toBeLessThanOrEqual(3);
  });

  it('names only commands that exist, in menus and in texts', () => {
    const ids = new Set<string>(names.map(commandId));
    for (const { command } of menus) expect(ids).toContain(command);
    for (const text of Object.values(texts)) for (const match of text.matchAll(/\(command:([\w.]+)\)/g)) expect(ids).toContain(match[1]);
  });

  it('declares defaults that their own schema accepts', () => {
    for (const key of Object.keys(settings) as SettingKey[]) {
      expect(settings[key].schema.safeParse(settings[key].default).success, key).toBe(true);
    }
  });

  it('lets an untrusted workspace set nothing that runs, calls or writes', () => {
    const { capabilities } = fields as { capabilities: { untrustedWorkspaces: { restrictedConfigurations: string[] } } };
    const restricted = capabilities.untrustedWorkspaces.restrictedConfigurations;
    for (const key of ['model.endpoint', 'model.provider', 'model.name', 'run.folder']) expect(restricted).toContain(`envwright.${key}`);
    for (const key of Object.keys(settings)) if (key.startsWith('sandbox.')) expect(restricted).toContain(`envwright.${key}`);
  });
});
