import { message } from '../../shared/message';
import { ModelError } from '../models/errors';
import type { ChatEvent, ChatRequest, Clock, ModelClient } from '../ports';
import { seededRandom } from '../play/random';

/** A prepared design. `faulty` is an earlier draft with faults, where there is one. */
export interface DesignSample {
  readonly name: string;
  readonly kind: string;
  readonly skill: string;
  readonly code: string;
  readonly faulty: string | null;
}

/** The bundled set: designs, and hints by the class they are for. */
export interface SampleSet {
  readonly designs: readonly DesignSample[];
  readonly hints: Readonly<Record<string, string>>;
}

/** The name that every place shows. */
const OFFLINE_NAME = 'Offline samples (not a model)';

/** Milliseconds between two pieces of a reply. */
const PACE_MS = 12;

/**
 * Stands in for a model where there is none: streams prepared designs and hints. It is no model and says so; it neither
 * plays nor judges.
 */
export function offlineSamples(load: () => Promise<SampleSet>, clock: Clock): ModelClient {
  const stream = async function* (request: ChatRequest, signal: AbortSignal): AsyncIterable<ChatEvent> {
    const reply = replyTo(request, await load());
    for (const text of pieces(reply)) {
      await clock.sleep(PACE_MS, signal);
      yield { type: 'text', text };
    }
    yield { type: 'done', finishReason: 'stop', calls: [], usage: null, warnings: ['from the offline samples: no model took part'] };
  };
  return { name: OFFLINE_NAME, simulated: true, stream };
}

function replyTo({ purpose }: ChatRequest, samples: SampleSet): string {
  if (purpose?.role === 'designer') return designReply(samples.designs, purpose.kind ?? '', purpose.skill ?? '', purpose.seed ?? 0, purpose.attempt ?? 0);
  if (purpose?.role === 'hint') return hintReply(samples, purpose.code ?? '');
  if (purpose?.role === 'screen') return 'The offline samples are not a model and judge nothing.';
  throw new ModelError('not-offered', message('The offline samples are not a model and cannot play.'),
    message('Play with the simulated learner or the solution, or set an endpoint.'));
}

/** The sample nearest to what was asked: the kind must fit, the skill if it can; the seed goes through what is left. */
function designReply(designs: readonly DesignSample[], kind: string, skill: string, seed: number, attempt: number): string {
  const ofKind = designs.filter((sample) => sample.kind === kind);
  const ofSkill = ofKind.filter((sample) => sample.skill === skill);
  const fitting = ofSkill.length > 0 ? ofSkill : ofKind;
  const sample = fitting[seed % fitting.length];
  if (!sample) throw new ModelError('not-offered', message('The offline samples hold no design of the kind {kind}.', { kind }), message('Choose another kind, or set an endpoint.'));
  const code = attempt === 0 && sample.faulty !== null ? sample.faulty : sample.code;
  return `From the offline samples, not from a model; made for ${sample.skill}.\n\n\`\`\`python\n${code.trimEnd()}\n\`\`\``;
}

function hintReply({ hints }: SampleSet, code: string): string {
  const classes = [...code.matchAll(/^class\s+(\w+)/gm)].map(([, name = '']) => name);
  const known = classes.flatMap((name) => hints[name] ?? [])[0];
  if (known) return known;
  throw new ModelError('not-offered', message('The offline samples hold no hint for {name}.', { name: classes[0] ?? 'this file' }),
    message('Write the hint by hand, or set an endpoint.'));
}

/** A reply in pieces of the size in which models send them, the same every time. */
function* pieces(text: string): Iterable<string> {
  const random = seededRandom(text.length);
  for (let at = 0; at < text.length;) {
    const size = 4 + Math.floor(random() * 20);
    yield text.slice(at, at + size);
    at += size;
  }
}
