/** What every scene of every panel has to stand: pictures in three themes, no error, nothing serious for axe, no sideways overflow. */
import assert from 'node:assert/strict';
import path from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { switchTheme, type Stage } from './stage';
import type { ThemeName } from './themes';

const RULES = ['wcag2a', 'wcag2aa', 'wcag21aa', 'best-practice'];

/** Rules that a change of theme alone can break; the others judge structure, which themes share. */
const RULES_OF_COLOUR = ['color-contrast', 'link-in-text-block'];

/** What axe calls serious or critical, as `rule: first nodes`. The page has no foreign frames, so axe may stay in it, which takes half the time. */
async function seriousFaults(page: Page, onlyColours: boolean): Promise<string[]> {
  const axe = new AxeBuilder({ page }).setLegacyMode(true);
  const { violations } = await (onlyColours ? axe.withRules(RULES_OF_COLOUR) : axe.withTags(RULES)).analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(({ html }) => html).join(' | ')}`);
}

/** Judges a scene that was opened in dark, then switches it, as a user would, to light and to high contrast. Closes its page. */
export async function judgeInAllThemes({ page, problems }: Stage, folder: string, name: string): Promise<void> {
  for (const theme of ['dark', 'light', 'hc'] satisfies ThemeName[]) {
    if (theme !== 'dark') await switchTheme(page, theme);
    await page.screenshot({ path: path.join(folder, `${name}-${theme}.png`) });
    assert.deepEqual(problems, [], 'the page has no error and breaks no rule of its policy');
    assert.deepEqual(await seriousFaults(page, theme !== 'dark'), [], `nothing serious for axe in ${theme}`);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true, `nothing overflows the page sideways in ${theme}`);
  }
  await page.context().close();
}
