import { armPlan, startArms, type ArmsOptions } from '../../src/core/play/arms';
import { SessionFiles, sessionId } from '../../src/core/play/sessionFiles';
import { policyInRecord, type SavedSession, type SessionOrigin } from '../../src/core/play/sessionRecord';
import { SessionRecorder } from '../../src/core/play/recorder';
import type { PlaySettings } from '../../src/shared/webviewProtocol';

/** Settings of a player, as a session keeps them. */
function playSettings(over: Partial<PlaySettings> = {}): PlaySettings {
  return { policy: 'oracle', hint: null, seeds: '0-3', plays: 1, mode: 'paired', chance: 0.5, chanceHint: 0.5, ...over };
}

/** Plays and saves a session, and gives it as it is read back. */
export async function savedSession(files: SessionFiles, options: ArmsOptions, origin: SessionOrigin | null = null): Promise<SavedSession> {
  const id = sessionId(Date.now(), options.file.name);
  const header = {
    id, at: Date.now(), file: options.file.name, hash: `hash of ${options.file.source}`, source: options.file.source,
    settings: playSettings({ hint: options.hint, mode: options.mode }), policy: policyInRecord(options.policy), simulatedHint: false, maxTurns: options.maxTurns ?? 25,
    thinking: false, origin,
  };
  const recorder = new SessionRecorder(await files.begin(header, armPlan(options)), (error) => { throw error; });
  const play = startArms(options, (event) => recorder.take(event), new AbortController().signal);
  await play.result;
  await recorder.end(Date.now(), 5);
  return files.read(id);
}
