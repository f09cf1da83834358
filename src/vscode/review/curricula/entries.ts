import * as vscode from 'vscode';
import { EnvwrightError } from '../../../core/errors';
import { mayBeEnvironment } from '../../../core/environment/looksLikeEnvironment';
import { contentHash } from '../../../core/checks/suppression';
import { CurriculumEntry } from '../../../core/review/curriculum';
import { FactsReader, kindOf, rememberedOutcome } from '../../../core/review/fileFacts';
import { baseName } from '../../../core/run/paths';
import { message } from '../../../shared/message';
import type { Profile } from '../../../shared/findings';
import type { Drafts } from '../../design/drafts';
import type { Interaction } from '../../interaction';
import type { Hints } from '../../play/hints';
import type { PlayResults } from '../../play/playResults';
import { askSkill } from '../../run/pushFigures';
import { laterOutcome, outcomeOf } from '../../../core/review/played';
import { reviewName } from '../workspace';
import type { Sets } from './sets';

/** Where skill, hint and outcome of a new entry come from. */
export interface EntryParts {
  readonly sets: Sets;
  readonly drafts: Drafts;
  readonly hints: Hints;
  readonly results: PlayResults;
  readonly interaction: Interaction;
  /** The profile that a file was judged by, where it was. */
  readonly profileOf: (uri: vscode.Uri) => Profile | null;
}

/**
 * Makes the entry of a file as it is now and keeps its text. Skill, difficulty, hint and outcome come from where they are known: the draft, the
 * folder around, the plays of this window; a skill that nobody knows is asked for. Undefined when it is not given.
 */
export async function entryOfFile(uri: vscode.Uri, { sets, drafts, hints, results, interaction, profileOf }: EntryParts): Promise<CurriculumEntry | undefined> {
  const { files, sources } = await sets.stores();
  const text = (await files.read(uri.fsPath))?.replace(/^\ufeff/, '');
  if (text === undefined) throw new EnvwrightError('review/no-file', message('{file} is no file on the disk.', { file: uri.fsPath }), message('Save it first.'));
  if (!mayBeEnvironment(text)) {
    throw new EnvwrightError('review/not-environment', message('{file} holds no environment, so it is not added.', { file: reviewName(uri.fsPath) }), message('An environment is a class whose name ends in Env, with reset and step. Envwright: Wrap Class for the Run makes one of a class in another contract.'));
  }
  const facts = await new FactsReader(files).of(uri.fsPath);
  const made = drafts.of(text)?.provenance;
  const skill = made?.skill ?? facts.skill ?? (await askSkill(interaction, baseName(uri.path)));
  if (skill === undefined) return undefined;
  const played = results.of(uri.toString(), text);
  const [known, outcome] = [rememberedOutcome(facts), played ? outcomeOf(played) : null];
  const difficulty = CurriculumEntry.shape.difficulty.safeParse(made?.difficulty ?? facts.difficulty).data ?? null;
  await sources.keep(text);
  return {
    file: reviewName(uri.fsPath), contentHash: await contentHash(text), skill, difficulty, kind: made?.kind ?? facts.kind ?? kindOf(profileOf(uri)),
    hint: played?.hint ?? hints.of(uri.toString())[0]?.text ?? facts.hint, outcome: outcome ? laterOutcome(known, outcome) : known, note: '',
  };
}
