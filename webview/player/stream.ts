import type { StreamItem, TranscriptPair } from '../../src/shared/webviewProtocol';

/** Applies what streamed to the shown pair; true when a row must be drawn again, false when text only grew. */
export function applyStream(pair: TranscriptPair, items: readonly StreamItem[]): boolean {
  let rows = false;
  for (const item of items) {
    const transcript = pair.slots[item.arm] === item.slot ? pair[item.arm] : null;
    if (!transcript) continue;
    switch (item.kind) {
      case 'begin':
        transcript.status = 'running';
        transcript.live = { step: item.step, observation: item.observation, thinking: '', reply: '' };
        rows = true;
        break;
      case 'text':
        if (transcript.live?.step === item.step) transcript.live.reply += item.text;
        break;
      case 'thinking':
        if (transcript.live?.step === item.step) transcript.live.thinking += item.text;
        break;
      case 'step':
        transcript.steps[item.view.step - 1] = item.view;
        if (transcript.live && transcript.live.step <= item.view.step) transcript.live = null;
        rows = true;
        break;
    }
  }
  return rows;
}
