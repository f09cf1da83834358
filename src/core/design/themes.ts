import { seededRandom } from '../play/random';
import type { TemplateSource } from './templates';

/** The example theme of a seed: the list is shuffled once and then gone through, so that neighbouring seeds never share one. */
export async function themeOf(seed: number, templates: TemplateSource): Promise<string> {
  const { text } = await templates.template('themes');
  const themes = text.split('\n').map((line) => line.trim()).filter((line) => line !== '');
  const random = seededRandom('themes');
  const shuffled = themes.map((theme) => ({ theme, at: random() })).sort((a, b) => a.at - b.at);
  return shuffled[((seed % themes.length) + themes.length) % themes.length]?.theme ?? 'anything';
}
