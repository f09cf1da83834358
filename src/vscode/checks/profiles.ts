import * as vscode from 'vscode';
import { contentHash } from '../../core/checks/suppression';
import type { Profile } from '../../shared/findings';
import { BACK, type Choice, type Interaction } from '../interaction';
import { fileName, type UserDecisions } from './decisions';

/** Name of a profile for people. */
export function profileName(profile: Profile): string {
  switch (profile) {
    case 's': return vscode.l10n.t('Single-turn');
    case 'm': return vscode.l10n.t('Multi-turn');
    case 'c': return vscode.l10n.t('Corpus-grounded');
    case 't': return vscode.l10n.t('Tool use');
    case 'u': return vscode.l10n.t('Tool use, several messages');
  }
}

const meanings: Record<Profile, () => string> = {
  s: () => vscode.l10n.t('A first right answer ends the episode.'),
  m: () => vscode.l10n.t('The agent acts several times; hidden state is wanted.'),
  c: () => vscode.l10n.t('Grounded on a document; cannot be told from the code.'),
  t: () => vscode.l10n.t('The agent calls tools and then answers.'),
  u: () => vscode.l10n.t('The agent calls tools over several messages of the user.'),
};

/** Asks which profile a file has, and why; records it. Gives what was recorded: null when it is detected again, undefined when dismissed. */
export async function chooseProfile(document: vscode.TextDocument, decisions: UserDecisions, interaction: Interaction): Promise<Profile | null | undefined> {
  const [file, hash] = [fileName(document.uri), await contentHash(document.getText())];
  const title = vscode.l10n.t('Profile of {0}', file);
  const known = await decisions.chosenFor(document);
  const choices: Choice<Profile | null>[] = (Object.keys(meanings) as Profile[]).map((profile) => ({
    label: profileName(profile), detail: meanings[profile](), value: profile, ...(known?.profile === profile && { description: vscode.l10n.t('chosen: {0}', known.why) }),
  }));
  if (known) choices.unshift({ label: vscode.l10n.t('Detect it'), detail: vscode.l10n.t('Takes your choice back.'), value: null });
  const profile = await interaction.pick({ title, placeholder: vscode.l10n.t('Which checks apply depends on it'), choices });
  if (profile === undefined || profile === BACK) return undefined;
  if (profile === null) {
    await decisions.change(document.uri, (records) => records.forgetProfile({ file, hash }));
    return null;
  }
  const validate = (value: string) => (value.trim() === '' ? vscode.l10n.t('Say why, for those who read the verdict later.') : undefined);
  const why = await interaction.input({ title, prompt: vscode.l10n.t('Why is it {0}?', profileName(profile)), validate, ...(known && { value: known.why }) });
  if (!why?.trim()) return undefined;
  await decisions.change(document.uri, (records) => records.chooseProfile({ file, hash, profile, why: why.trim() }));
  return profile;
}
