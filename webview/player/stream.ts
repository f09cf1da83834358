import type { CutText, StepView, StreamItem, TranscriptPair } from '../../src/shared/webviewProtocol';

/** Applies what streamed to the shown pair; true when a row must be drawn again, false when text only grew. */
export function applyStream(pair: TranscriptPair, items: readonly StreamItem[]): boolean {
  let rows = false;
  for (const item of items) {
    const transcript = pair.slots[item.arm] === item.slot ? pair[item.arm] : null;
    if (!transcript) continue;
    switch (item.kind) {
      case 'begin':
        answerCall(transcript.steps[item.step - 2], item.observation);
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

/** What the agent sees after a tool call is the answer of that call. */
function answerCall(before: StepView | undefined, observation: CutText): void {
  if (before && before.calls.length > 0 && !before.result) before.result = observation;
}
