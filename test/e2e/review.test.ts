/** Reviewing ten files by the keyboard alone, in the workbench, with pictures. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { projectRoot } from '../editor/paths';
import { Workbench } from './workbench';

interface Said { readonly verdict: string; readonly reviewer: string; readonly reasons: string[]; readonly comment: string }

for (const [name, theme] of [['dark', 'Default Dark Modern'], ['light', 'Default Light Modern']] as const) {
  suite(`a review by keyboard, ${name}`, () => {
    let folder: string;
    let workbench: Workbench;

    suiteSetup(async () => {
      folder = fs.mkdtempSync(path.join(os.tmpdir(), 'envwright-review-'));
      fs.cpSync(path.join(projectRoot, 'media', 'sample-workspace'), folder, { recursive: true });
      const vsix = process.env.ENVWRIGHT_TEST_VSIX;
      assert(vsix, 'the runner packages the extension first');
      workbench = await Workbench.open(folder, { vsix, theme });
    });

    suiteTeardown(async () => {
      await workbench.picture(`review-${name}-last`);
      await workbench.close();
      fs.rmSync(folder, { recursive: true, force: true });
    });

    const decisions = (): Said[] => {
      const place = path.join(folder, '.envwright', 'reviews');
      return fs.existsSync(place) ? fs.readdirSync(place).filter((file) => file.endsWith('.json')).map((file) => JSON.parse(fs.readFileSync(path.join(place, file), 'utf8')) as Said) : [];
    };
    const decided = async (count: number): Promise<void> => {
      for (let left = 300; decisions().length !== count; left -= 1) {
        assert(left > 0, `${decisions().length} decisions, not ${count}`);
        await workbench.page.waitForTimeout(100);
      }
      await listHasFocus();
    };
    /** Keys hold in the list alone. */
    const listHasFocus = async (): Promise<void> => {
      await workbench.viewRows('Review').first().waitFor();
      await workbench.page.locator('.pane', { has: workbench.page.locator('.pane-header', { hasText: 'Review' }) }).locator('.monaco-list:focus, .monaco-list:focus-within').first().waitFor();
    };

    test('begins with the files of a folder', async () => {
      await workbench.command('Envwright: Review Files');
      await workbench.page.locator('.quick-input-list .monaco-list-row', { hasText: 'Folder' }).first().waitFor();
      await workbench.page.keyboard.type('Folder envwright');
      await workbench.picture(`review-${name}-source`);
      await workbench.page.keyboard.press('Enter');
      await workbench.viewRows('Review').first().waitFor();
      await workbench.page.locator('.monaco-editor .view-line', { hasText: 'class' }).first().waitFor();
      await listHasFocus();
      await workbench.picture(`review-${name}-begun`);
    });

    test('ten files are decided on with one key each, and a reason where one is due', async () => {
      const { keyboard } = workbench.page;
      await keyboard.press('a');
      await workbench.answer('First Reviewer');
      await decided(1);
      for (let count = 2; count <= 7; count += 1) {
        await keyboard.press('a');
        await decided(count);
      }
      await workbench.picture(`review-${name}-halfway`);
      await keyboard.press('r');
      await workbench.page.locator('.quick-input-list .monaco-list-row', { hasText: 'Too easy' }).waitFor();
      await workbench.picture(`review-${name}-reason`);
      await keyboard.type('Too easy');
      await keyboard.press('Enter');
      await workbench.page.locator('.quick-input-widget', { hasText: 'in your words' }).waitFor();
      await workbench.answer('Anyone wins this.');
      await decided(8);
      await keyboard.press('w');
      await workbench.page.locator('.quick-input-list .monaco-list-row', { hasText: 'ambiguous' }).waitFor();
      await keyboard.type('ambiguous');
      await keyboard.press('Enter');
      await workbench.page.locator('.quick-input-widget', { hasText: 'in your words' }).waitFor();
      await workbench.answer('');
      await decided(9);
      await keyboard.press('Space');
      await keyboard.press('n');
      await keyboard.press('a');
      await decided(10);
      await workbench.picture(`review-${name}-ten`);
      const said = decisions();
      assert.deepEqual(said.map(({ verdict }) => verdict).sort(), [...Array<string>(8).fill('accept'), 'needs-work', 'reject']);
      assert.ok(said.every(({ reviewer }) => reviewer === 'First Reviewer'));
      assert.deepEqual(said.find(({ verdict }) => verdict === 'reject'), { ...said.find(({ verdict }) => verdict === 'reject'), reasons: ['too-easy'], comment: 'Anyone wins this.' });
    });

    test('the last decision is taken back with a key', async () => {
      await workbench.page.keyboard.press('z');
      await decided(9);
    });
  });
}
